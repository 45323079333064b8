#pragma once
// Compact NUMA-aware spinlock.
//
// WHAT      MCS with a second queue: the releaser hands to the first waiter of its own node, and moves those it passes
//           over, in their order, to a list that the holder keeps and hands on in its queue node.
// WHO       Dice & Kogan, EuroSys 2019; proposed for the kernel's qspinlock since 2019 (A. Kogan).
// WHEN      Use: as the cohort locks, in one word. Avoid: queues of many nodes and few of each: each release walks
//           them.
// FAIRNESS  After `bound` hand-overs in a row inside a node the second queue goes first, in order of arrival; with
//           bound 0 it waits as long as the node has waiters. Inside a node FIFO.
// SPACE     8 bytes per lock, whatever the number of nodes, + 64 bytes per thread that holds or waits.
// COST      Uncontended: as mcs, 3 stores and 1 load. Contended hand-over: as mcs and 2 stores into the same line, and
//           a read of a line for each waiter that is looked at.
// STATE     As mcs. `grant` of the holder: 1: no second queue; else the first node of it, whose `second_tail` is its
//           last.
// INVARIANT Only the holder reads or changes the lists behind its node, up to the tail; those who wait spin on `grant`
//           alone. The first node of the second queue knows the last.
// NOT HERE  The random number that ends a node's turn in the paper (here a count, which goes on with the lock), the
//           shuffling only now and then.

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class CnaSpinlock {
public:
    struct alignas(cache_line_bytes) Node {
        Atomic<Node*> next;
        Atomic<std::uintptr_t> grant;  // 0: wait; 1: the lock; else the lock and this second queue
        Atomic<Node*> second_tail;
        Atomic<std::int32_t> numa_node;
        Atomic<std::uint32_t> passed;  // hand-overs in a row inside the holder's node
    };
    using Context = Node;

    static constexpr LockTraits traits{.name = "cna",
                                       .fairness = Fairness::bounded,
                                       .spins_on = SpinsOn::own_node,
                                       .lock_bytes = 8,
                                       .context_bytes = 64};

    struct Options {
        std::int64_t bound = 64;

        static std::vector<model::ParameterSpec> parameters();
        static Options from(const model::ParameterValues& values);
    };

    void lock(Node& node, const Options&) {
        write_once(node.next, nullptr);
        write_once(node.grant, 0);
        write_once(node.numa_node, numa_node_id());
        Node* predecessor = xchg(tail_, &node);
        if (predecessor == nullptr) {
            write_once(node.grant, alone);
            write_once(node.passed, 0u);
            return;
        }
        write_once(predecessor->next, &node);
        smp_cond_load_acquire(node.grant, [](auto grant) { return grant != 0; });
    }

    void unlock(Node& node, const Options& options) {
        Node* next = read_once(node.next);
        std::uintptr_t grant = read_once(node.grant);
        if (next == nullptr) {
            if (grant == alone) {
                if (try_cmpxchg_release(tail_, &node, nullptr)) { return; }
            } else if (Node* last = read_once(first_of(grant)->second_tail); try_cmpxchg(tail_, &node, last)) {
                hand_to(*first_of(grant), alone, 0);  // the second queue is the main one now
                return;
            }
            next = smp_cond_load_relaxed(node.next, [](Node* n) { return n != nullptr; });
        }
        const std::uint32_t passed = read_once(node.passed);
        if (options.bound == 0 || passed < static_cast<std::uint64_t>(options.bound)) {
            if (Node* near = take_near(*next, grant); near != nullptr) {
                hand_to(*near, grant, passed + 1);
                return;
            }
        }
        if (grant == alone) {
            hand_to(*next, alone, 0);
        } else {  // the second queue goes first, the main one behind it
            Node* last = read_once(first_of(grant)->second_tail);
            write_once(last->next, next);
            hand_to(*first_of(grant), alone, 0);
        }
    }

    bool quiescent() const { return *tail_.word() == nullptr; }

private:
    static constexpr std::uintptr_t alone = 1;
    static Node* first_of(std::uintptr_t grant) { return reinterpret_cast<Node*>(grant); }

    void hand_to(Node& node, std::uintptr_t grant, std::uint32_t passed) {
        write_once(node.passed, passed);
        smp_store_release(node.grant, grant);  // pairs with the wait in lock()
    }

    /// The first waiter of this CPU's node, from `first` on, after moving those before it to the end of the second
    /// queue in `grant`; or null, with nothing moved.
    Node* take_near(Node& first, std::uintptr_t& grant) {
        Node* last_passed = nullptr;
        for (Node* n = &first; n != nullptr; n = read_once(n->next)) {
            if (read_once(n->numa_node) == numa_node_id()) {
                if (last_passed != nullptr) { append(grant, first, *last_passed); }
                return n;
            }
            last_passed = n;
        }
        return nullptr;
    }
    void append(std::uintptr_t& grant, Node& first, Node& last) {
        write_once(last.next, nullptr);
        if (grant == alone) {
            grant = reinterpret_cast<std::uintptr_t>(&first);
        } else {
            Node* end = read_once(first_of(grant)->second_tail);
            write_once(end->next, &first);
        }
        write_once(first_of(grant)->second_tail, &last);
    }

    Atomic<Node*> tail_;
};

static_assert(TunedUnlock<CnaSpinlock>);
static_assert(sizeof(CnaSpinlock) == CnaSpinlock::traits.lock_bytes);
static_assert(sizeof(CnaSpinlock::Node) == CnaSpinlock::traits.context_bytes);

}  // namespace locks
