#pragma once
// Cohort spinlock: MCS in each node, test-and-set with back-off above them.
//
// WHAT      Waiters queue in their node's MCS lock; its head takes the global lock, which is then handed on down the
//           queue, up to a bound, and only after that given back.
// WHO       Dice, Marathe & Shavit, "Lock cohorting", PPoPP 2012 and ACM TOPC 1(2), 2015: C-BO-MCS.
// WHEN      Use: the most local of the cohort locks; throughput alone counts. Avoid: where every node must get its
//           share.
// FAIRNESS  None between nodes: the global lock is a test-and-set lock, and the node that gave it back tries again
//           first. FIFO inside a node.
// SPACE     64 bytes per lock + 64 bytes per node + 64 bytes per thread that holds or waits; node numbers from 16 on
//           share places.
// COST      Uncontended: 2 xchgs, 1 cmpxchg, on the global, the node's and the own line. Hand-over inside a node: as
//           mcs, and the node's line with the tail and the count.
// STATE     global: as tas. A queue node's `granted`: wait -> inherited (with the global lock) or local (without).
// INVARIANT Only the owner of the node's MCS lock tries for the global lock, so that it has one contender per node.
//           Who gives the global lock back does so before it hands on its node's: the next one need not wait for it.
// NOT HERE  Time-outs (A-C-BO-CLH), a fair global lock (C-TKT-MCS).

#include "locks/backoff.hpp"

namespace locks {
using namespace smp;

class CohortBoMcsSpinlock {
public:
    struct alignas(cache_line_bytes) QueueNode {
        Atomic<QueueNode*> next;
        Atomic<std::uint32_t> granted;  // one of the three below
    };
    using Context = QueueNode;

    static constexpr std::int32_t max_nodes = 16;
    static constexpr LockTraits traits{.name = "c-bo-mcs",
                                       .fairness = Fairness::none,
                                       .spins_on = SpinsOn::own_node,
                                       .lock_bytes = 64 * (1 + max_nodes),
                                       .context_bytes = 64};

    struct Options : BackoffOptions {
        std::int64_t bound = 64;

        static std::vector<model::ParameterSpec> parameters();
        static Options from(const model::ParameterValues& values);
    };

    void lock(QueueNode& mine, const Options& options) {
        Node& node = this_node();
        write_once(mine.next, nullptr);
        write_once(mine.granted, wait);
        QueueNode* predecessor = xchg(node.tail, &mine);
        if (predecessor != nullptr) {
            write_once(predecessor->next, &mine);
            if (smp_cond_load_acquire(mine.granted, [](auto how) { return how != wait; }) == inherited) { return; }
        }
        Backoff backoff(options);
        while (xchg_acquire(global_.locked, 1u) != 0) { backoff.wait(); }
    }

    void unlock(QueueNode& mine, const Options& options) {
        Node& node = this_node();
        QueueNode* successor = read_once(mine.next);
        const std::uint32_t passed = read_once(node.passed);
        if (successor != nullptr && passed < static_cast<std::uint64_t>(options.bound)) {
            write_once(node.passed, passed + 1);
            smp_store_release(successor->granted, inherited);
            return;
        }
        if (passed != 0) { write_once(node.passed, 0u); }
        smp_store_release(global_.locked, 0u);
        if (successor == nullptr) {
            if (try_cmpxchg_release(node.tail, &mine, nullptr)) { return; }
            successor = smp_cond_load_relaxed(mine.next, [](QueueNode* n) { return n != nullptr; });
        }
        smp_store_release(successor->granted, local);
    }

    bool quiescent() const {
        bool idle = *global_.locked.word() == 0;
        for (const Node& node : nodes_) { idle = idle && *node.tail.word() == nullptr && *node.passed.word() == 0; }
        return idle;
    }

private:
    static constexpr std::uint32_t wait = 0, inherited = 1, local = 2;

    struct alignas(cache_line_bytes) Global {
        Atomic<std::uint32_t> locked;
    };
    struct alignas(cache_line_bytes) Node {
        Atomic<QueueNode*> tail;
        Atomic<std::uint32_t> passed;  // hand-overs in a row inside the node; written by the holder alone
    };
    Node& this_node() { return nodes_[numa_node_id() % max_nodes]; }

    Global global_;
    Node nodes_[max_nodes];
};

static_assert(TunedUnlock<CohortBoMcsSpinlock>);
static_assert(sizeof(CohortBoMcsSpinlock) == CohortBoMcsSpinlock::traits.lock_bytes);
static_assert(sizeof(CohortBoMcsSpinlock::QueueNode) == CohortBoMcsSpinlock::traits.context_bytes);

}  // namespace locks
