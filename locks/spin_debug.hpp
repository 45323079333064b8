#pragma once
// Debug spinlock: a ticket lock, taken by trying.
//
// WHAT      Try, wait a fixed time, try again; the lock that is tried is a ticket lock. With `tries`, after so many it
//           joins the queue. Made so that somebody who waits too long can be reported.
// WHO       Linux lib/spinlock_debug.c: for ever until 2012, since then a second of tries and into the queue (commit
//           214f766ea090, "lib/spinlock_debug: avoid livelock in do_raw_spin_lock()"; configs/cases/spindbg.toml).
// WHEN      Use: to find a lockup. Avoid: everywhere else; a debug build changes who gets the lock.
// FAIRNESS  None: whoever tries while it is free. A trier has no place in a queue, and one whose period fits the
//           holder's sees the lock held every time. With `tries`: FIFO from the last of them on.
// SPACE     4 bytes per lock.
// COST      Uncontended: 1 load, 1 cmpxchg, 1 store. Contended: 1 transfer a try.
// STATE     As ticket.
// INVARIANT As ticket.
// NOT HERE  The checks (owner, CPU, magic number) and the report that the kernel's prints.

#include "locks/ticket.hpp"

namespace locks {
using namespace smp;

class SpinDebugLock {
public:
    using Context = NoContext;

    static constexpr LockTraits traits{.name = "spin-debug",
                                       .fairness = Fairness::none,
                                       .spins_on = SpinsOn::lock_word,
                                       .lock_bytes = 4,
                                       .context_bytes = 0};

    struct Options {
        model::Span every = model::span(sim::nanoseconds(100));
        std::int64_t tries = 0;

        static std::vector<model::ParameterSpec> parameters();
        static Options from(const model::ParameterValues& values);
    };

    void lock(Context& context, const Options& options) {
        for (std::int64_t n = 0; options.tries == 0 || n < options.tries; ++n) {
            if (ticket_.try_lock(context)) { return; }
            delay(options.every);
        }
        ticket_.lock(context);
    }
    bool try_lock(Context& context) { return ticket_.try_lock(context); }
    void unlock(Context& context) { ticket_.unlock(context); }

    bool quiescent() const { return ticket_.quiescent(); }

private:
    TicketSpinlock ticket_;
};

static_assert(TunedLock<SpinDebugLock>);
static_assert(TryLock<SpinDebugLock>);
static_assert(sizeof(SpinDebugLock) == SpinDebugLock::traits.lock_bytes);

}  // namespace locks
