#pragma once
// MCS queue spinlock.
//
// WHAT      Waiters form a linked queue; each spins on a flag in its own node; unlock passes it on.
// WHO       Mellor-Crummey & Scott, TOCS 9(1), 1991. Ancestor of osq and qspinlock.
// WHEN      Use: long queues, many CPUs. Avoid: short uncontended sections (one extra read-modify-write on unlock),
//           overcommitted vCPUs (a preempted waiter stalls everyone behind it).
// FAIRNESS  FIFO by order of the xchg on `tail`. No barging, no time-out.
// SPACE     8 bytes per lock + 64 bytes per thread that holds or waits.
// COST      Uncontended: 1 xchg + 1 cmpxchg. Contended hand-over: the successor's node line moves to the releaser (the
//           store) and back (the spinner's re-read), whatever the number of waiters.
// STATE     tail = null: free.  tail = n: held; the queue is head -> ... -> n by next.
// INVARIANT Until unlock(node) returns, others may write the node: the predecessor its `locked`, the successor its
//           `next`. After that nobody has a reference to it.
// NOT HERE  Nesting counts and interrupt levels (see qspinlock).

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class McsSpinlock {
public:
    struct alignas(cache_line_bytes) Node {
        Atomic<Node*> next;
        Atomic<std::uint32_t> locked;  // 1: the lock was handed to this node
    };
    using Context = Node;

    static constexpr LockTraits traits{
        .name = "mcs", .fairness = Fairness::fifo, .spins_on = SpinsOn::own_node, .lock_bytes = 8, .context_bytes = 64};

    void lock(Node& node) {
        write_once(node.next, nullptr);
        write_once(node.locked, 0u);

        Node* predecessor = xchg(tail_, &node);
        if (predecessor == nullptr) { return; }  // free -> held by us

        write_once(predecessor->next, &node);  // from here the predecessor's unlock() can find us
        smp_cond_load_acquire(node.locked, [](auto locked) { return locked != 0; });
    }

    bool try_lock(Node& node) {
        write_once(node.next, nullptr);
        write_once(node.locked, 0u);
        return read_once(tail_) == nullptr && try_cmpxchg_acquire(tail_, nullptr, &node);
    }

    void unlock(Node& node) {
        Node* successor = read_once(node.next);
        if (successor == nullptr) {
            if (try_cmpxchg_release(tail_, &node, nullptr)) { return; }  // held by us -> free
            // Someone has swapped tail_ but not linked yet: wait for the link.
            successor = smp_cond_load_relaxed(node.next, [](Node* n) { return n != nullptr; });
        }
        smp_store_release(successor->locked, 1u);  // pairs with the wait in lock()
    }

    bool quiescent() const { return *tail_.word() == nullptr; }

private:
    Atomic<Node*> tail_;
};

static_assert(TryLock<McsSpinlock>);
static_assert(sizeof(McsSpinlock) == McsSpinlock::traits.lock_bytes);
static_assert(sizeof(McsSpinlock::Node) == McsSpinlock::traits.context_bytes);

}  // namespace locks
