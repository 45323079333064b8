#pragma once
// Ticket spinlock with proportional back-off.
//
// WHAT      The ticket lock; a waiter reads the owner's number only every so often: a pause for each ticket that is
//           served before its own.
// WHO       Mellor-Crummey & Scott, TOCS 9(1), 1991, section 2.2; later measured again by David, Guerraoui &
//           Trigonakis, SOSP 2013, who on the Opteron also ask for the line to write before each access (`prefetchw`):
//           there a write to a line that others share is dearer than one to a line that a single CPU has.
// WHEN      Use: FIFO on one word with more than a few waiters, sections of known length. Avoid: sections that differ:
//           a pause longer than a section leaves the lock idle, a shorter one reads in vain.
// FAIRNESS  FIFO by order of the fetch_add.
// SPACE     4 bytes per lock; at most 65,535 waiters.
// COST      Uncontended: 1 fetch_add + 1 store. Contended hand-over: the re-reads of those who happen to look; the
//           successor is up to `multiplier` (or `next`) cycles late.
// STATE     (owner, next): owner = next: free.  owner < next: ticket `owner` holds, owner+1 .. next-1 wait.
// INVARIANT owner is written by the holder alone. Tickets count modulo 2^16.
// NOT HERE  A pause that learns how long sections are.

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class TicketBackoffSpinlock {
public:
    using Context = NoContext;

    static constexpr LockTraits traits{.name = "ticket-backoff",
                                       .fairness = Fairness::fifo,
                                       .spins_on = SpinsOn::lock_word,
                                       .lock_bytes = 4,
                                       .context_bytes = 0};

    struct Options {
        std::int64_t multiplier = 50;  ///< cycles for each ticket that is served before; about a short section
        std::int64_t next = 0;         ///< cycles where only the holder's is; 0: as for the others
        bool prefetchw = false;        ///< ask for the line to write it before each access, reads too

        static std::vector<model::ParameterSpec> parameters();
        static Options from(const model::ParameterValues& values);
    };

    void lock(Context&, const Options& options) {
        fetch_line(options);
        const std::uint32_t old = fetch_add_acquire(word_, one_ticket);  // (o, n) -> (o, n+1)
        const auto mine = next_of(old);
        for (std::uint16_t owner = owner_of(old); owner != mine; owner = read_once(low_half(word_))) {
            const auto before = static_cast<std::uint16_t>(mine - owner);
            delay(model::cycles(before == 1 && options.next > 0 ? options.next : before * options.multiplier));
            fetch_line(options);
        }
    }
    bool try_lock(Context&) {
        const std::uint32_t old = read_once(word_);
        return owner_of(old) == next_of(old) && try_cmpxchg_acquire(word_, old, old + one_ticket);
    }
    void unlock(Context&, const Options& options) {
        fetch_line(options);
        const std::uint16_t owner = read_once(low_half(word_));
        smp_store_release(low_half(word_), static_cast<std::uint16_t>(owner + 1));  // (o, n) -> (o+1, n)
    }

    bool quiescent() const { return owner_of(*word_.word()) == next_of(*word_.word()); }

private:
    static constexpr std::uint32_t one_ticket = 1u << 16;
    void fetch_line(const Options& options) {
        if (options.prefetchw) { prefetchw(word_); }
    }
    static std::uint16_t owner_of(std::uint32_t word) { return static_cast<std::uint16_t>(word); }
    static std::uint16_t next_of(std::uint32_t word) { return static_cast<std::uint16_t>(word >> 16); }

    Atomic<std::uint32_t> word_;  // owner in the low half, next in the high half
};

static_assert(TunedLock<TicketBackoffSpinlock>);
static_assert(TryLock<TicketBackoffSpinlock>);
static_assert(sizeof(TicketBackoffSpinlock) == TicketBackoffSpinlock::traits.lock_bytes);

}  // namespace locks
