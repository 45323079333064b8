#pragma once
// Array queue spinlock.
//
// WHAT      Take a number; each number has a slot of its own, on a line of its own, in a ring; unlock opens the next.
// WHO       T. Anderson, IEEE TPDS 1(1), 1990; Graunke & Thakkar's, IEEE Computer 23(6), 1990, is akin.
// WHEN      Use: FIFO where memory is cheap: a hand-over concerns one waiter. Avoid: many locks (the ring is per
//           lock), an unknown number of waiters.
// FAIRNESS  FIFO by order of the fetch_add.
// SPACE     64 bytes per lock + 64 bytes per slot, in every lock. `slots` of them are used; there is room for the
//           largest machine.
// COST      Uncontended: 1 fetch_add, 1 load, 2 stores; slots go round, so that even one CPU alone meets a line it
//           last had `slots` acquisitions ago. Contended hand-over: the releaser's store takes the slot's line from
//           the successor, whose re-read fetches it back, and whose store takes it whole.
// STATE     next = t, slot[t mod n].open: free.  Some slot[k mod n], k < t, is taken and none open: k holds, k+1 ..
//           t-1 wait.
// INVARIANT At most one slot is open. A slot has one waiter: with more threads at the lock than `slots`, two wait at
//           one, and both may enter; nothing in the algorithm prevents it.
// NOT HERE  A try (a number cannot be given back), the wrap of `next` where 2^32 is no multiple of `slots`.

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class ArraySpinlock {
public:
    struct Context {
        std::uint32_t place = 0;  // of the thread's acquisition, in the ring; private to it
    };

    static constexpr LockTraits traits{.name = "array",
                                       .fairness = Fairness::fifo,
                                       .spins_on = SpinsOn::own_node,
                                       .lock_bytes = 64 * (1 + max_cpus),
                                       .context_bytes = 4};

    struct Options {
        std::int64_t slots = 0;

        static std::vector<model::ParameterSpec> parameters();
        static Options from(const model::ParameterValues& values);
        std::uint32_t size() const { return static_cast<std::uint32_t>(slots > 0 ? slots : nr_cpu_ids()); }
    };

    void lock(Context& context, const Options& options) {
        context.place = fetch_add(next_, 1u) % options.size();
        Slot& mine = slots_[context.place];
        smp_cond_load_acquire(mine.open, [](auto open) { return open != 0; });
        write_once(mine.open, 0u);  // for whoever comes round to it
    }
    void unlock(Context& context, const Options& options) {
        smp_store_release(slots_[(context.place + 1) % options.size()].open, 1u);
    }

    bool quiescent() const {
        std::uint32_t open = 0;
        for (const Slot& slot : slots_) { open += *slot.open.word(); }
        return open == 1;
    }

private:
    struct alignas(cache_line_bytes) Slot {
        constexpr Slot() = default;
        constexpr explicit Slot(std::uint32_t initial) : open(initial) {}
        Atomic<std::uint32_t> open;  // 1: whoever has this place may enter
    };

    alignas(cache_line_bytes) Atomic<std::uint32_t> next_;
    Slot slots_[max_cpus] = {Slot(1)};
};

static_assert(TunedUnlock<ArraySpinlock>);
static_assert(sizeof(ArraySpinlock) == ArraySpinlock::traits.lock_bytes);
static_assert(sizeof(ArraySpinlock::Context) == ArraySpinlock::traits.context_bytes);

}  // namespace locks
