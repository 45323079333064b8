#pragma once
// Ticket spinlock.
//
// WHAT      Take a number, wait until it is called. Both counters are halves of one word.
// WHO       Reed & Kanodia, CACM 22(2), 1979 (eventcounts and sequencers); Mellor-Crummey & Scott 1991; x86 Linux
//           from 2.6.25 (2008) to 4.1 as one xadd on the word.
// WHEN      Use: few CPUs, when fairness matters. Avoid: long queues (each hand-over makes all waiters
//           read the line again, one after the other), overcommitted vCPUs (the next in line may be off).
// FAIRNESS  FIFO by order of the fetch_add.
// SPACE     4 bytes per lock; at most 65,535 waiters.
// COST      Uncontended: 1 fetch_add + 1 store. Contended hand-over: 1 broadcast + up to n serialized reads.
// STATE     (owner, next): owner = next: free.  owner < next: ticket `owner` holds, owner+1 .. next-1 wait.
// INVARIANT owner is written by the holder alone, so a plain store will do. Tickets count modulo 2^16.
// NOT HERE  Proportional back-off, the LL/SC form.

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class TicketSpinlock {
public:
    using Context = NoContext;

    static constexpr LockTraits traits{.name = "ticket",
                                       .fairness = Fairness::fifo,
                                       .spins_on = SpinsOn::lock_word,
                                       .lock_bytes = 4,
                                       .context_bytes = 0};

    void lock(Context&) {
        const std::uint32_t old = fetch_add_acquire(word_, one_ticket);  // (o, n) -> (o, n+1)
        const auto mine = next_of(old);
        if (owner_of(old) == mine) { return; }  // it was free
        smp_cond_load_acquire(low_half(word_), [mine](auto owner) { return owner == mine; });
    }
    bool try_lock(Context&) {
        const std::uint32_t old = read_once(word_);
        return owner_of(old) == next_of(old) && try_cmpxchg_acquire(word_, old, old + one_ticket);
    }
    void unlock(Context&) {
        const std::uint16_t owner = read_once(low_half(word_));
        smp_store_release(low_half(word_), static_cast<std::uint16_t>(owner + 1));  // (o, n) -> (o+1, n)
    }

    /// For its holder: whether anybody waits.
    bool is_contended() const {
        const std::uint32_t word = read_once(word_);
        return static_cast<std::uint16_t>(next_of(word) - owner_of(word)) > 1;
    }

    bool quiescent() const { return owner_of(*word_.word()) == next_of(*word_.word()); }

private:
    static constexpr std::uint32_t one_ticket = 1u << 16;
    static std::uint16_t owner_of(std::uint32_t word) { return static_cast<std::uint16_t>(word); }
    static std::uint16_t next_of(std::uint32_t word) { return static_cast<std::uint16_t>(word >> 16); }

    Atomic<std::uint32_t> word_;  // owner in the low half, next in the high half
};

static_assert(TryLock<TicketSpinlock>);
static_assert(sizeof(TicketSpinlock) == TicketSpinlock::traits.lock_bytes);

}  // namespace locks
