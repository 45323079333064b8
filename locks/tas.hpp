#pragma once
// Test-and-set spinlock.
//
// WHAT      One word; whoever exchanges 1 for a 0 has the lock. Waiters exchange without looking first.
// WHO       As old as the instruction. Mellor-Crummey & Scott, TOCS 9(1), 1991, section 2.1, measure it.
// WHEN      Use: never under contention; as the baseline that every paper has. Avoid: more than two CPUs.
// FAIRNESS  None. The last owner still has the line and may take the lock again before anyone sees it free.
// SPACE     4 bytes per lock.
// COST      Uncontended: 1 xchg + 1 store. Contended: every waiter's xchg takes the line away from the
//           others, the owner's releasing store queues behind them: a hand-over costs O(n) transfers.
// STATE     locked = 0: free.  locked = 1: held.
// INVARIANT Only the owner writes 0.
// NOT HERE  Back-off.

#include "locks/lock.hpp"

namespace locks {
using namespace smp;  // the lock-writer's vocabulary

class TasSpinlock {
public:
    using Context = NoContext;

    static constexpr LockTraits traits{
        .name = "tas", .fairness = Fairness::none, .spins_on = SpinsOn::lock_word, .lock_bytes = 4, .context_bytes = 0};

    void lock(Context&) {
        while (xchg_acquire(locked_, 1u) != 0) {}  // an honest loop: every try takes the line
    }
    bool try_lock(Context&) { return xchg_acquire(locked_, 1u) == 0; }
    void unlock(Context&) { smp_store_release(locked_, 0u); }

    bool quiescent() const { return *locked_.word() == 0; }

private:
    Atomic<std::uint32_t> locked_;
};

static_assert(TryLock<TasSpinlock>);
static_assert(sizeof(TasSpinlock) == TasSpinlock::traits.lock_bytes);

}  // namespace locks
