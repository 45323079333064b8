#pragma once
// CLH queue spinlock.
//
// WHAT      Waiters form a queue by swapping their node into `tail`; each spins on the node of the one before it. A
//           release clears the own node and takes over the predecessor's for the next acquisition.
// WHO       T. Craig, University of Washington TR 93-02-02, 1993; Landin & Hagersten, IPPS 1994, independently.
// WHEN      Use: long queues, coherent caches. Avoid: machines where a CPU's nodes must stay in its own memory (the
// nodes
//           wander; use mcs there), overcommitted vCPUs.
// FAIRNESS  FIFO by order of the xchg on `tail`.
// SPACE     128 bytes per lock (`tail`, and the node that a free lock points to) + 128 bytes per (CPU x nested
//           acquisition): a node, and which node is whose.
// COST      Uncontended: 1 store, 1 xchg, 1 load, 1 store; the release asks no question. Contended hand-over: the
//           releaser's store takes its node's line from the successor, whose re-read fetches it back.
// STATE     tail = n, n.busy = 0: free.  n.busy = 1: held or waited for; the queue is known to its members only, each
//           of whom knows its predecessor.
// INVARIANT A node has one writer (who queued with it) and one spinner (its successor) at a time. From release(n) on, n
//           belongs to the successor, and the releaser owns the node it waited on.
// NOT HERE  A try (a node in the queue cannot be taken back, and `tail` may have left and come again), time-outs.

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class ClhSpinlock {
public:
    struct alignas(cache_line_bytes) Node {
        Atomic<std::uint32_t> busy;  // 1: its owner holds the lock or waits for it
    };
    struct Context {
        Node own;  // the first one; later it belongs to whoever came behind
        // Private to the thread, as a per-CPU variable would be.
        Node* node = &own;
        Node* predecessor = nullptr;
    };

    static constexpr LockTraits traits{.name = "clh",
                                       .fairness = Fairness::fifo,
                                       .spins_on = SpinsOn::own_node,
                                       .lock_bytes = 128,
                                       .context_bytes = 128};

    void lock(Context& context) {
        write_once(context.node->busy, 1u);
        context.predecessor = xchg(tail_, context.node);
        smp_cond_load_acquire(context.predecessor->busy, [](auto busy) { return busy == 0; });
    }

    void unlock(Context& context) {
        Node* released = context.node;
        context.node = context.predecessor;  // nobody else refers to it
        smp_store_release(released->busy, 0u);
    }

    bool quiescent() const { return *(*tail_.word())->busy.word() == 0; }

private:
    Node first_;
    Atomic<Node*> tail_{&first_};
};

static_assert(Lock<ClhSpinlock>);
static_assert(sizeof(ClhSpinlock) == ClhSpinlock::traits.lock_bytes);
static_assert(sizeof(ClhSpinlock::Context) == ClhSpinlock::traits.context_bytes);

}  // namespace locks
