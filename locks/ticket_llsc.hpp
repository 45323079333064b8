#pragma once
// Ticket spinlock by load-exclusive and store-exclusive.
//
// WHAT      The ticket lock as arm64 without single-instruction atomics takes it: load-exclusive the word, add a
// ticket,
//           store-exclusive, again until it succeeds. Waiting is by WFE where the machine waits so.
// WHO       arm64 Linux until its queued spinlocks; W. Deacon and others, arch/arm64.
// WHEN      Use: to see what LL/SC does to a fair lock. Avoid: CPUs of different speed: the retry has no bound.
// FAIRNESS  FIFO by order of the store-exclusive that succeeds. Until then a thread has no place in the queue, and one
//           whose store is always overtaken waits for ever: the fairness begins after the starvation.
// SPACE     4 bytes per lock; at most 65,535 waiters.
// COST      Uncontended: 1 load-exclusive, 1 store-exclusive, 1 store. Contended: as `ticket`, plus the retries.
// STATE     (owner, next): owner = next: free.  owner < next: ticket `owner` holds, owner+1 .. next-1 wait.
// INVARIANT owner is written by the holder alone. Tickets count modulo 2^16.
// NOT HERE  The one-instruction form (see ticket).

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class TicketLlscSpinlock {
public:
    using Context = NoContext;

    static constexpr LockTraits traits{.name = "ticket-llsc",
                                       .fairness = Fairness::fifo,
                                       .spins_on = SpinsOn::lock_word,
                                       .lock_bytes = 4,
                                       .context_bytes = 0};

    /// After each `retry_after` failed store-exclusives in a row, relax `retry_relaxes` times; with `retry_doubling`,
    /// twice as often each time, up to `retry_cap`. Z. Bouska, 24 Mar 2023: after 100, 50 times. ARC HS38: doubling.
    struct Options {
        std::int64_t retry_after = 1;
        std::int64_t retry_relaxes = 0;
        bool retry_doubling = false;
        std::int64_t retry_cap = 256;

        static std::vector<model::ParameterSpec> parameters();
        static Options from(const model::ParameterValues& values);
    };

    void lock(Context&, const Options& options) {
        std::uint32_t old;
        std::int64_t failures = 0;
        std::int64_t relaxes = options.retry_relaxes;
        for (;;) {
            old = ldaxr(word_);
            if (stxr(word_, old + one_ticket)) { break; }  // (o, n) -> (o, n+1)
            if (++failures % options.retry_after != 0) { continue; }
            for (std::int64_t i = 0; i < relaxes; ++i) { cpu_relax(); }
            if (options.retry_doubling) { relaxes = relaxes < options.retry_cap ? relaxes * 2 : options.retry_cap; }
        }
        const auto mine = next_of(old);
        if (owner_of(old) == mine) { return; }
        smp_cond_load_acquire(low_half(word_), [mine](auto owner) { return owner == mine; });
    }
    void unlock(Context&) {
        const std::uint16_t owner = read_once(low_half(word_));
        smp_store_release(low_half(word_), static_cast<std::uint16_t>(owner + 1));  // (o, n) -> (o+1, n)
    }

    bool quiescent() const { return owner_of(*word_.word()) == next_of(*word_.word()); }

private:
    static constexpr std::uint32_t one_ticket = 1u << 16;
    static std::uint16_t owner_of(std::uint32_t word) { return static_cast<std::uint16_t>(word); }
    static std::uint16_t next_of(std::uint32_t word) { return static_cast<std::uint16_t>(word >> 16); }

    Atomic<std::uint32_t> word_;  // owner in the low half, next in the high half
};

static_assert(TunedLock<TicketLlscSpinlock>);
static_assert(sizeof(TicketLlscSpinlock) == TicketLlscSpinlock::traits.lock_bytes);

}  // namespace locks
