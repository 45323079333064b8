// Planted for `verify`: as stack-backoff, but only after 1000 acquisitions, when thousands of steps have been the same.

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class LateBackoffSpinlock {
public:
    using Context = NoContext;

    static constexpr LockTraits traits{.name = "late-backoff",
                                       .fairness = Fairness::none,
                                       .spins_on = SpinsOn::lock_word,
                                       .lock_bytes = 8,
                                       .context_bytes = 0};

    void lock(Context&) {
        volatile int local = 0;
        const bool late = ++acquisitions_ > 1000;
        const std::uintptr_t backoff = late ? reinterpret_cast<std::uintptr_t>(&local) / 16 % 31 : 5;
        while (xchg_acquire(locked_, 1u) != 0) {
            for (std::uintptr_t i = 0; i < backoff; ++i) { cpu_relax(); }
        }
    }
    void unlock(Context&) { smp_store_release(locked_, 0u); }

    bool quiescent() const { return *locked_.word() == 0; }

private:
    Atomic<std::uint32_t> locked_;
    std::uint32_t acquisitions_;  // the host's own, no simulated access
};

extern const LockEntry late_backoff_entry;
const LockEntry late_backoff_entry =
    exclusive_lock<LateBackoffSpinlock>("a stack address decides, but late", "late-backoff.cpp");

}  // namespace locks
