#pragma once
// Test-and-set spinlock with exponential back-off.
//
// WHAT      A failed exchange is followed by a pause that grows with each failure, up to a cap.
// WHO       T. Anderson, IEEE TPDS 1(1), 1990 (delay after every try, Ethernet style); Mellor-Crummey & Scott, TOCS
//           9(1), 1991, algorithm 1.
// WHEN      Use: one word, more CPUs than tas can bear. Avoid: where waiting must be fair, or sections differ much in
//           length: the right cap depends on them.
// FAIRNESS  None, and worse than tas: whoever has waited long also looks seldom.
// SPACE     4 bytes per lock.
// COST      Uncontended: 1 xchg + 1 store. Contended: an exchange a try, hence fewer the longer one waits; a free lock
//           may lie idle for up to `cap` cycles.
// STATE     locked = 0: free.  locked = 1: held.
// INVARIANT Only the owner writes 0.
// NOT HERE  Jitter (see backoff.hpp), the back-off that goes on from where the last acquisition left it.

#include "locks/backoff.hpp"

namespace locks {
using namespace smp;

class TasBackoffSpinlock {
public:
    using Context = NoContext;

    static constexpr LockTraits traits{.name = "tas-backoff",
                                       .fairness = Fairness::none,
                                       .spins_on = SpinsOn::lock_word,
                                       .lock_bytes = 4,
                                       .context_bytes = 0};

    struct Options : BackoffOptions {
        static Options from(const model::ParameterValues& values);
    };

    void lock(Context&, const Options& options) {
        Backoff backoff(options);
        while (xchg_acquire(locked_, 1u) != 0) { backoff.wait(); }
    }
    bool try_lock(Context&) { return xchg_acquire(locked_, 1u) == 0; }
    void unlock(Context&) { smp_store_release(locked_, 0u); }

    bool quiescent() const { return *locked_.word() == 0; }

private:
    Atomic<std::uint32_t> locked_;
};

static_assert(TunedLock<TasBackoffSpinlock>);
static_assert(TryLock<TasBackoffSpinlock>);
static_assert(sizeof(TasBackoffSpinlock) == TasBackoffSpinlock::traits.lock_bytes);

}  // namespace locks
