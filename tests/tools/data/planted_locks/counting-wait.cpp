// Planted for `verify`: a wait that gives up when its predicate has been asked three times. How often a predicate is
// asked is the simulator's own affair: with spin elision only when the word may have changed.

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class CountingWaitSpinlock {
public:
    using Context = NoContext;

    static constexpr LockTraits traits{.name = "counting-wait",
                                       .fairness = Fairness::none,
                                       .spins_on = SpinsOn::lock_word,
                                       .lock_bytes = 4,
                                       .context_bytes = 0};

    void lock(Context&) {
        while (xchg_acquire(locked_, 1u) != 0) {
            int looks = 0;
            smp_cond_load_relaxed(locked_, [&looks](auto locked) { return locked == 0 || ++looks == 3; });
        }
    }
    void unlock(Context&) { smp_store_release(locked_, 0u); }

    bool quiescent() const { return *locked_.word() == 0; }

private:
    Atomic<std::uint32_t> locked_;
};

extern const LockEntry counting_wait_entry;
const LockEntry counting_wait_entry =
    exclusive_lock<CountingWaitSpinlock>("a wait whose predicate counts", "counting-wait.cpp");

}  // namespace locks
