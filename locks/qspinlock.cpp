// The catalogue row of qspinlock, and the parameters of both forms. The algorithm is in qspinlock.hpp.

#include "locks/qspinlock.hpp"

namespace locks {

std::vector<model::ParameterSpec> QspinlockOptions::parameters(PendingBy by) {
    std::vector<model::ParameterSpec> specs{
        {.name = "pending_polls",
         .preset = QspinlockOptions{}.pending_polls,
         .doc = "looks at a hand-over to the pending CPU before queueing (Linux: 1, on x86 512); 0: until it is over",
         .max = 1'000'000'000}};
    if (by == PendingBy::fetch_or) {
        specs.push_back({.name = "emulated",
                         .preset = QspinlockOptions{}.emulated,
                         .doc = "the fetch_or is a loop of cmpxchg, as where no instruction does it"});
    }
    return specs;
}

QspinlockOptions QspinlockOptions::from(const model::ParameterValues& values) {
    QspinlockOptions options;
    options.pending_polls = std::get<std::int64_t>(values.at("pending_polls"));
    if (const auto found = values.find("emulated"); found != values.end()) {
        options.emulated = std::get<bool>(found->second);
    }
    return options;
}

extern const LockEntry qspinlock_entry;
const LockEntry qspinlock_entry = exclusive_lock<CmpxchgQueuedSpinlock>(
    "the kernel's queued spinlock (4.2): a pending bit, then a queue of per-CPU nodes: FIFO", "locks/qspinlock.hpp");

}  // namespace locks
