// Planted for `verify`: a backoff that is drawn from the host address of a local variable, as some seed theirs.

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class StackBackoffSpinlock {
public:
    using Context = NoContext;

    static constexpr LockTraits traits{.name = "stack-backoff",
                                       .fairness = Fairness::none,
                                       .spins_on = SpinsOn::lock_word,
                                       .lock_bytes = 4,
                                       .context_bytes = 0};

    void lock(Context&) {
        volatile int local = 0;
        const std::uintptr_t backoff = reinterpret_cast<std::uintptr_t>(&local) / 16 % 31;
        while (xchg_acquire(locked_, 1u) != 0) {
            for (std::uintptr_t i = 0; i < backoff; ++i) { cpu_relax(); }
        }
    }
    void unlock(Context&) { smp_store_release(locked_, 0u); }

    bool quiescent() const { return *locked_.word() == 0; }

private:
    Atomic<std::uint32_t> locked_;
};

extern const LockEntry stack_backoff_entry;
const LockEntry stack_backoff_entry =
    exclusive_lock<StackBackoffSpinlock>("its backoff is drawn from a stack address", "stack-backoff.cpp");

}  // namespace locks
