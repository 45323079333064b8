#pragma once
// Test-and-test-and-set spinlock.
//
// WHAT      Waiters read until the word is 0, and only then try to exchange 1 for it.
// WHO       Rudolph & Segall, ISCA 1984.
// WHEN      Use: few CPUs, short sections, when a word is all one can afford. Avoid: many waiters: each
//           release sends all of them for the line at once.
// FAIRNESS  None.
// SPACE     4 bytes per lock.
// COST      Uncontended: 1 load + 1 xchg + 1 store. Contended: a release invalidates all copies, n reads follow, and
//           as many exchanges as saw the lock free.
// STATE     locked = 0: free.  locked = 1: held.
// INVARIANT Only the owner writes 0.
// NOT HERE  Back-off.

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class TtasSpinlock {
public:
    using Context = NoContext;

    static constexpr LockTraits traits{.name = "ttas",
                                       .fairness = Fairness::none,
                                       .spins_on = SpinsOn::lock_word,
                                       .lock_bytes = 4,
                                       .context_bytes = 0};

    void lock(Context&) {
        do {
            smp_cond_load_relaxed(locked_, [](auto locked) { return locked == 0; });
        } while (xchg_acquire(locked_, 1u) != 0);  // someone was faster: look again
    }
    bool try_lock(Context&) { return read_once(locked_) == 0 && xchg_acquire(locked_, 1u) == 0; }
    void unlock(Context&) { smp_store_release(locked_, 0u); }

    bool quiescent() const { return *locked_.word() == 0; }

private:
    Atomic<std::uint32_t> locked_;
};

static_assert(TryLock<TtasSpinlock>);
static_assert(sizeof(TtasSpinlock) == TtasSpinlock::traits.lock_bytes);

}  // namespace locks
