// Sound, beside the planted ones: a bounded wait by a loop of its own, which polls the same number of times in every
// run.

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class FixedBackoffSpinlock {
public:
    using Context = NoContext;

    static constexpr LockTraits traits{.name = "fixed-backoff",
                                       .fairness = Fairness::none,
                                       .spins_on = SpinsOn::lock_word,
                                       .lock_bytes = 4,
                                       .context_bytes = 0};

    void lock(Context&) {
        while (xchg_acquire(locked_, 1u) != 0) {
            for (int looks = 0; looks < 3 && read_once(locked_) != 0; ++looks) { cpu_relax(); }
        }
    }
    void unlock(Context&) { smp_store_release(locked_, 0u); }

    bool quiescent() const { return *locked_.word() == 0; }

private:
    Atomic<std::uint32_t> locked_;
};

extern const LockEntry fixed_backoff_entry;
const LockEntry fixed_backoff_entry =
    exclusive_lock<FixedBackoffSpinlock>("test-and-set that counts its own polls", "fixed-backoff.cpp");

}  // namespace locks
