#pragma once
// Hierarchical ticket spinlock.
//
// WHAT      A ticket lock for each node and one above them: who leads its node's queue takes a global ticket, and the
//           global lock is handed on inside the node, up to a bound.
// WHO       Dice, Marathe & Shavit, PPoPP 2012 (lock cohorting, C-TKT-TKT); David, Guerraoui & Trigonakis, SOSP 2013
//           (hticket), a little simpler.
// WHEN      Use: contended from several nodes, data that the section touches stays in one. Avoid: few CPUs, one node.
// FAIRNESS  FIFO among nodes and inside each. Between them a waiter sees up to `bound` + 1 sections in a row of each
//           other node.
// SPACE     64 bytes per lock + 64 bytes per node; node numbers from 16 on share places.
// COST      Uncontended: 2 fetch_adds, 5 loads and 2 stores, on two lines. Hand-over inside a node: a broadcast and up
//           to n re-reads in the node. From node to node: both tickets.
// STATE     Each ticket word as in ticket. inherited = k > 0: the node has the global lock since k hand-overs.
// INVARIANT Who holds a node's ticket lock alone reads or writes `inherited`. The global lock belongs to a node as
//           long as its local owner changes by inheritance.
// NOT HERE  Proportional back-off in both.

#include "locks/ticket.hpp"

namespace locks {
using namespace smp;

class HierarchicalTicketSpinlock {
public:
    using Context = NoContext;

    static constexpr std::int32_t max_nodes = 16;
    static constexpr LockTraits traits{.name = "hticket",
                                       .fairness = Fairness::bounded,
                                       .spins_on = SpinsOn::lock_word,
                                       .lock_bytes = 64 * (1 + max_nodes),
                                       .context_bytes = 0};

    struct Options {
        std::int64_t bound = 64;

        static std::vector<model::ParameterSpec> parameters();
        static Options from(const model::ParameterValues& values);
    };

    void lock(Context& context, const Options&) {
        Node& node = this_node();
        node.ticket.lock(context);
        if (read_once(node.inherited) == 0) { global_.ticket.lock(context); }
    }
    void unlock(Context& context, const Options& options) {
        Node& node = this_node();
        const std::uint32_t inherited = read_once(node.inherited);
        if (inherited < static_cast<std::uint64_t>(options.bound) && node.ticket.is_contended()) {
            write_once(node.inherited, inherited + 1);
        } else {
            if (inherited != 0) { write_once(node.inherited, 0u); }
            global_.ticket.unlock(context);
        }
        node.ticket.unlock(context);
    }

    bool quiescent() const {
        bool idle = global_.ticket.quiescent();
        for (const Node& node : nodes_) { idle = idle && node.ticket.quiescent() && *node.inherited.word() == 0; }
        return idle;
    }

private:
    struct alignas(cache_line_bytes) Node {
        TicketSpinlock ticket;
        Atomic<std::uint32_t> inherited;
    };
    Node& this_node() { return nodes_[numa_node_id() % max_nodes]; }

    Node global_;
    Node nodes_[max_nodes];
};

static_assert(TunedUnlock<HierarchicalTicketSpinlock>);
static_assert(sizeof(HierarchicalTicketSpinlock) == HierarchicalTicketSpinlock::traits.lock_bytes);

}  // namespace locks
