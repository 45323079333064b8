#pragma once
// Queued spinlock with a pending bit.
//
// WHAT      A 32-bit word: the second CPU spins on it behind the pending bit, the third and later ones queue as in MCS
//           on nodes of their CPUs; the head of the queue waits for owner and pending.
// WHO       W. Long & P. Zijlstra, Linux 4.2, 2015 (kernel/locking/qspinlock.c): pending set by a loop of cmpxchg. W.
//           Deacon, 4.18, 2018: by one fetch_or, see qspinlock_fetch_or.hpp.
// WHEN      Use: the default of a kernel. Avoid: overcommitted vCPUs (its paravirtual form is for them).
// FAIRNESS  FIFO: the pending CPU came first, then the queue by order of the xchg on the tail.
// SPACE     4 bytes per lock + 64 bytes per CPU, for all locks together: 4 nodes of 16 bytes (task, softirq, hardirq,
//           NMI).
// COST      Uncontended: 1 cmpxchg + 1 byte store. Two CPUs: all on the word, no node. More: MCS and one more look at
//           the word by the head, whose line it shares with the owner.
// STATE     (tail, pending, locked): (0,0,0) free, (0,0,1) held, (0,1,1) and one waits, (0,1,0) it may enter, (n,*,1)
//           and a queue up to n waits, (n,*,0) a hand-over.
//             lock, slow:  (0,0,1) -> (0,1,1) ... (*,1,0) -> (*,0,1)   pending
//             queue:       (p,*,*) -> (n,*,*) ... (n,0,0) -> (0,0,1)   alone in the queue
//                                                 (*,0,0) -> (*,0,1)   with others behind it
//             unlock:      (*,*,1) -> (*,*,0)
// INVARIANT With a tail nobody sets pending for good, so that only the head of the queue takes the word from (*,0,0).
//           tail = (CPU + 1, nesting level); 0 means no tail. A node is in use from queueing until it holds the lock.
// NOT HERE  Paravirtual waiting, lock events, machines with more than 16,383 CPUs (no pending byte, no half words).

#include "locks/lock.hpp"

namespace locks {
using namespace smp;

/// A CPU's queue nodes: one line.
struct QspinlockNodes {
    struct Node {
        Atomic<Node*> next;
        Atomic<std::uint32_t> locked;  // 1: this node is the head of the queue
        Atomic<std::uint32_t> count;   // of the first node: how many of the CPU's are in use
    };
    static constexpr std::uint32_t levels = 4;
    Node level[levels];
};

enum class PendingBy { cmpxchg, fetch_or };

struct QspinlockOptions {
    std::int64_t pending_polls = 0;  // how often to look whether (0,1,0) passes; 0: until it does
    bool emulated = false;           // PendingBy::fetch_or: as a loop of cmpxchg

    static std::vector<model::ParameterSpec> parameters(PendingBy by);
    static QspinlockOptions from(const model::ParameterValues& values);
};

template <PendingBy by>
class QueuedSpinlock {
public:
    using Nodes = QspinlockNodes;
    using Node = Nodes::Node;
    using Context = PerCpu<Nodes>;
    static constexpr std::string_view per_cpu_slot = "qspinlock.nodes";  // as in the kernel: one table for all locks

    static constexpr LockTraits traits{.name = by == PendingBy::cmpxchg ? "qspinlock" : "qspinlock-fetch-or",
                                       .fairness = Fairness::fifo,
                                       .spins_on = SpinsOn::own_node,
                                       .lock_bytes = 4,
                                       .context_bytes = 64,
                                       .context_per_cpu = true};

    struct Options : QspinlockOptions {
        static std::vector<model::ParameterSpec> parameters() { return QspinlockOptions::parameters(by); }
        static Options from(const model::ParameterValues& values) { return {QspinlockOptions::from(values)}; }
    };

    void lock(Context& nodes, const Options& options) {
        const std::uint32_t seen = cmpxchg(word_, 0u, locked);  // (0,0,0) -> (0,0,1)
        if (seen == 0 || wait_behind_pending(seen, options)) { return; }
        queue(nodes);
    }
    bool try_lock(Context&) { return read_once(word_) == 0 && try_cmpxchg_acquire(word_, 0u, locked); }
    void unlock(Context&) { smp_store_release(byte_of(word_, 0), 0); }  // (*,*,1) -> (*,*,0)

    bool quiescent() const { return *word_.word() == 0; }

private:
    static constexpr std::uint32_t locked = 1;
    static constexpr std::uint32_t pending = 1u << 8;
    static constexpr std::uint32_t locked_pending = 0xFFFF;

    /// True if it has the lock; false: there is a queue, or somebody pending.
    bool wait_behind_pending(std::uint32_t seen, const Options& options) {
        if (seen == pending) {  // (0,1,0), a hand-over: worth waiting for its end, for a while
            const auto passed = [](auto word) { return word != pending; };
            const auto polls = static_cast<std::uint64_t>(options.pending_polls);
            seen = polls == 0 ? smp_cond_load_relaxed(word_, passed) : smp_cond_load_bounded(word_, polls, passed);
        }
        if constexpr (by == PendingBy::cmpxchg) {
            std::uint32_t wanted;
            do {
                if ((seen & ~locked) != 0) { return false; }
                wanted = seen == 0 ? locked : locked | pending;
            } while (!try_cmpxchg(word_, &seen, wanted));  // (0,0,0) -> (0,0,1), (0,0,1) -> (0,1,1)
            if (wanted == locked) { return true; }
        } else {
            if ((seen & ~locked) != 0) { return false; }
            seen = set_pending(options);  // (*,*,*) -> (*,1,*)
            if ((seen & ~locked) != 0) {
                if ((seen & pending) == 0) { write_once(byte_of(word_, 1), 0); }  // ours: (n,1,*) -> (n,0,*)
                return false;
            }
        }
        smp_cond_load_acquire(byte_of(word_, 0), [](auto owner) { return owner == 0; });
        write_once(low_half(word_), static_cast<std::uint16_t>(locked));  // (*,1,0) -> (*,0,1)
        return true;
    }

    std::uint32_t set_pending(const Options& options) {
        if (!options.emulated) { return fetch_or_acquire(word_, pending); }
        std::uint32_t seen = read_once(word_);
        while (!try_cmpxchg(word_, &seen, seen | pending)) {}
        return seen;
    }

    void queue(Context& nodes) {
        Nodes& mine = nodes.of(smp_processor_id());
        Atomic<std::uint32_t>& count = mine.level[0].count;
        const std::uint32_t level = read_once(count);
        write_once(count, level + 1);
        if (level < Nodes::levels) {
            queue_with(nodes, mine.level[level], level);
        } else {  // an NMI in an NMI: no node left
            while (!try_lock(nodes)) { cpu_relax(); }
        }
        write_once(count, level);
    }

    void queue_with(Context& nodes, Node& node, std::uint32_t level) {
        write_once(node.locked, 0u);
        write_once(node.next, nullptr);
        if (try_lock(nodes)) { return; }  // it has become free while we touched the node's cold line

        const auto cpu = static_cast<std::uint32_t>(smp_processor_id());
        const auto tail = static_cast<std::uint16_t>((cpu + 1) * Nodes::levels + level);
        const std::uint16_t before = xchg(high_half(word_), tail);  // (p,*,*) -> (n,*,*)
        if (before != 0) {
            Node& predecessor = nodes.of(before / Nodes::levels - 1).level[before % Nodes::levels];
            write_once(predecessor.next, &node);
            smp_cond_load_acquire(node.locked, [](auto head) { return head != 0; });
        }

        const std::uint32_t word =
            smp_cond_load_acquire(word_, [](auto value) { return (value & locked_pending) == 0; });
        if (word == std::uint32_t{tail} << 16 && try_cmpxchg(word_, word, locked)) { return; }  // (n,0,0) -> (0,0,1)
        write_once(byte_of(word_, 0), static_cast<std::uint8_t>(locked));                       // (*,0,0) -> (*,0,1)
        Node* next = smp_cond_load_relaxed(node.next, [](Node* n) { return n != nullptr; });
        smp_store_release(next->locked, 1u);
    }

    Atomic<std::uint32_t> word_;  // byte 0 locked, byte 1 pending, high half tail
};

using CmpxchgQueuedSpinlock = QueuedSpinlock<PendingBy::cmpxchg>;
static_assert(TryLock<CmpxchgQueuedSpinlock>);
static_assert(sizeof(CmpxchgQueuedSpinlock) == CmpxchgQueuedSpinlock::traits.lock_bytes);
static_assert(sizeof(CmpxchgQueuedSpinlock::Nodes) == CmpxchgQueuedSpinlock::traits.context_bytes);

}  // namespace locks
