#pragma once
// Hierarchical CLH queue spinlock.
//
// WHAT      A CLH queue per node, and one of them all. The first of a node's queue splices it, as far as it has grown,
//           to the end of the global one; each spins on its predecessor's node, as in clh.
// WHO       Luchangco, Nussbaum & Shavit, Euro-Par 2006; Herlihy & Shavit, The Art of Multiprocessor Programming, 7.8.
// WHEN      Use: several nodes with many waiters each; FIFO enough. Avoid: short queues: a batch is then one thread.
// FAIRNESS  FIFO inside a node, and by batches among them: who is in the queue of its node can be served after a later
//           arrival elsewhere, until its batch is spliced, which takes no longer than the leader's cmpxchg; from then
//           on nobody comes before it.
// SPACE     128 bytes per lock + 64 bytes per node + 128 bytes per thread that holds or waits; node numbers from 16 on
//           share places.
// COST      Uncontended: 2 stores, 1 xchg, 5 loads, 1 cmpxchg, 1 fetch_or. Inside a batch: as clh. For a batch: its
//           global cmpxchg, and the node at its end is marked.
// STATE     Of a queue node: (wait, spliced, numa node). wait = 1: its owner holds or waits. spliced = 1: it ends a
//           batch: who finds it in the local queue leads the next one.
// INVARIANT The end of a batch is marked before its leader can have the lock, so before anyone could see the end's
//           `wait` cleared: a local successor never takes a lock that a global successor was given.
// NOT HERE  A try, time-outs, the pause of a leader that lets a batch grow.

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class HierarchicalClhSpinlock {
public:
    struct alignas(cache_line_bytes) Node {
        Atomic<std::uint32_t> state;
    };
    struct Context {
        Node own;  // the first one; later it belongs to whoever came behind
        // Private to the thread, as a per-CPU variable would be.
        Node* node = &own;
        Node* predecessor = nullptr;
    };

    static constexpr std::int32_t max_nodes = 16;
    static constexpr LockTraits traits{.name = "hclh",
                                       .fairness = Fairness::bounded,
                                       .spins_on = SpinsOn::own_node,
                                       .lock_bytes = 64 * (2 + max_nodes),
                                       .context_bytes = 128};

    void lock(Context& context) {
        const auto here = static_cast<std::uint32_t>(numa_node_id() % max_nodes);
        Local& local = locals_[here];
        write_once(context.node->state, wait | here);
        Node* before = xchg(local.tail, context.node);
        if (before != nullptr) {
            // Until it is our turn, or we lead: the one before ended a batch, and may since serve another node.
            const std::uint32_t seen = smp_cond_load_acquire(before->state, [here](auto state) {
                return (state & wait) == 0 || (state & spliced) != 0 || (state & numa_node) != here;
            });
            if (seen == here) {  // (0, 0, our node)
                context.predecessor = before;
                return;
            }
        }
        Node* last;
        do {
            before = read_once(tail_);
            last = read_once(local.tail);
        } while (!try_cmpxchg(tail_, before, last));  // our batch: from us to `last`
        fetch_or(last->state, spliced);
        smp_cond_load_acquire(before->state, [](auto state) { return (state & wait) == 0; });
        context.predecessor = before;
    }

    void unlock(Context& context) {
        Node* released = context.node;
        context.node = context.predecessor;  // nobody else will ask for the lock behind it
        const std::uint32_t state = read_once(released->state);
        smp_store_release(released->state, state & ~wait);
    }

    bool quiescent() const { return (*(*tail_.word())->state.word() & wait) == 0; }

private:
    static constexpr std::uint32_t wait = 1u << 31, spliced = 1u << 30, numa_node = 0xFF;

    struct alignas(cache_line_bytes) Local {
        Atomic<Node*> tail;
    };

    Node first_;
    Atomic<Node*> tail_{&first_};
    Local locals_[max_nodes];
};

static_assert(Lock<HierarchicalClhSpinlock>);
static_assert(sizeof(HierarchicalClhSpinlock) == HierarchicalClhSpinlock::traits.lock_bytes);
static_assert(sizeof(HierarchicalClhSpinlock::Context) == HierarchicalClhSpinlock::traits.context_bytes);

}  // namespace locks
