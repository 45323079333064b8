#pragma once
// Optimistic spin queue.
//
// WHAT      MCS with a node per CPU, found by its number: the tail is a CPU number, and the list goes both ways, so
//           that a waiter can leave from the middle and queue again at the end.
// WHO       Linux kernel/locking/osq_lock.c (P. Zijlstra, J. Low, 2014), the queue of a mutex's and rwsem's spinners.
// WHEN      Use: inside sleeping locks, for those who spin while the owner runs. Avoid: as a lock that interrupts
//           take, or with two threads on a CPU: they would share the node.
// FAIRNESS  FIFO by order of the xchg on `tail`. With `patience`: FIFO among those who stay.
// SPACE     4 bytes per lock + 64 bytes per CPU. The kernel has one node a CPU for all of them, since it holds none
//           across another; here each lock has its own table.
// COST      Uncontended: 3 stores, 1 xchg, 1 cmpxchg. Contended hand-over: the successor's node line moves to the
//           releaser and back, and an xchg on the own `next`.
// STATE     tail = 0: free.  tail = c: held; the queue is head -> ... -> node of CPU c-1, by next; back by previous.
// INVARIANT Who takes a `next` away by xchg or cmpxchg owns the link: a releaser and a leaver cannot both have it. A
//           leaver takes its predecessor's link first, then its own, then joins the two.
// NOT HERE  need_resched() and preempted vCPUs, for which the kernel leaves the queue, and then sleeps: `patience`, a
//           number of polls, and `away` stand for them. (Without a time away the leavers can keep the releaser from
//           ever finding a link.) Use from interrupts, except by a try.

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

class OptimisticSpinQueue {
public:
    struct Node {
        Atomic<Node*> next;
        Atomic<Node*> previous;
        Atomic<std::uint32_t> locked;  // 1: the lock was handed to this node
        Atomic<std::uint32_t> number;  // of its CPU, from 1 on: what `tail` says
    };
    using Context = PerCpu<Node>;

    static constexpr LockTraits traits{.name = "osq",
                                       .fairness = Fairness::fifo,
                                       .spins_on = SpinsOn::own_node,
                                       .lock_bytes = 4,
                                       .context_bytes = 64,
                                       .context_per_cpu = true};

    struct Options {
        std::int64_t patience = 0;
        model::Span away = model::span(sim::nanoseconds(2'000));  // about a context switch

        static std::vector<model::ParameterSpec> parameters();
        static Options from(const model::ParameterValues& values);
    };

    void lock(Context& nodes, const Options& options) {
        while (!queue(nodes, static_cast<std::uint64_t>(options.patience))) { delay(options.away); }
    }

    bool try_lock(Context& nodes) {
        if (read_once(tail_) != 0) { return false; }
        const std::uint32_t me = prepare(nodes.of(smp_processor_id()));
        return try_cmpxchg_acquire(tail_, 0u, me);
    }

    void unlock(Context& nodes) {
        Node& node = nodes.of(smp_processor_id());
        const std::uint32_t me = number_of_this_cpu();
        if (try_cmpxchg_release(tail_, me, 0u)) { return; }  // held by us -> free
        Node* next = xchg(node.next, nullptr);
        if (next == nullptr) { next = take_next(node, me, 0); }
        if (next != nullptr) { smp_store_release(next->locked, 1u); }
    }

    bool quiescent() const { return *tail_.word() == 0; }

private:
    static std::uint32_t number_of_this_cpu() { return static_cast<std::uint32_t>(smp_processor_id()) + 1; }
    static Node& node_of(Context& nodes, std::uint32_t number) {
        return nodes.of(static_cast<std::int32_t>(number) - 1);
    }

    std::uint32_t prepare(Node& node) {
        const std::uint32_t me = number_of_this_cpu();
        write_once(node.locked, 0u);
        write_once(node.next, nullptr);
        write_once(node.number, me);
        return me;
    }

    bool queue(Context& nodes, std::uint64_t patience) {
        Node& node = nodes.of(smp_processor_id());
        const std::uint32_t me = prepare(node);
        const std::uint32_t old = xchg(tail_, me);
        if (old == 0) { return true; }
        Node& predecessor = node_of(nodes, old);
        write_once(node.previous, &predecessor);
        smp_wmb();  // a leaving predecessor may write `previous` once it sees `next`
        write_once(predecessor.next, &node);

        const auto locked = [](auto value) { return value != 0; };
        if (patience == 0) {
            smp_cond_load_acquire(node.locked, locked);
            return true;
        }
        return locked(smp_cond_load_bounded(node.locked, patience, locked)) || !leave(node, predecessor, me);
    }

    /// False if the lock came meanwhile.
    bool leave(Node& node, Node& first, std::uint32_t me) {
        Node* previous = &first;
        while (!try_cmpxchg(previous->next, &node, nullptr)) {  // our predecessor hands us the lock, or leaves as well
            if (smp_load_acquire(node.locked) != 0) { return false; }
            cpu_relax();
            previous = read_once(node.previous);
        }
        // From here nobody can hand us the lock. Our successor, if there is one, becomes the predecessor's.
        const std::uint32_t tail_without_us = read_once(previous->number);
        Node* next = take_next(node, me, tail_without_us);
        if (next == nullptr) { return true; }
        write_once(next->previous, previous);
        write_once(previous->next, next);
        return true;
    }

    /// The successor, with its link taken away; or null, with `tail` set back to `before` since there is none. It may
    /// be neither for a while: somebody has swapped `tail` but not linked yet, or is leaving.
    Node* take_next(Node& node, std::uint32_t me, std::uint32_t before) {
        for (;;) {
            if (read_once(tail_) == me && try_cmpxchg_acquire(tail_, me, before)) { return nullptr; }
            if (read_once(node.next) != nullptr) {
                if (Node* next = xchg(node.next, nullptr); next != nullptr) { return next; }
            }
            cpu_relax();
        }
    }

    Atomic<std::uint32_t> tail_;
};

static_assert(TunedLock<OptimisticSpinQueue>);
static_assert(TryLock<OptimisticSpinQueue>);
static_assert(sizeof(OptimisticSpinQueue) == OptimisticSpinQueue::traits.lock_bytes);

}  // namespace locks
