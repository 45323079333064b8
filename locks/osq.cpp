// The catalogue row and the parameters of osq. The algorithm is in osq.hpp.

#include "locks/osq.hpp"

namespace locks {

std::vector<model::ParameterSpec> OptimisticSpinQueue::Options::parameters() {
    const Options preset;
    return {{.name = "patience",
             .preset = preset.patience,
             .doc = "polls after which a waiter leaves the queue; 0: it stays"},
            {.name = "away", .preset = preset.away, .doc = "then it queues again after this time"}};
}

OptimisticSpinQueue::Options OptimisticSpinQueue::Options::from(const model::ParameterValues& values) {
    Options options;
    options.patience = std::get<std::int64_t>(values.at("patience"));
    options.away = std::get<model::Span>(values.at("away"));
    return options;
}

extern const LockEntry osq_entry;
const LockEntry osq_entry = exclusive_lock<OptimisticSpinQueue>(
    "the kernel's queue of optimistic spinners: MCS by CPU numbers, from which a waiter may leave", "locks/osq.hpp");

}  // namespace locks
