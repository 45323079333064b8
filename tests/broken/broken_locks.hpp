#pragma once
// Locks that are broken on purpose, one mistake each, and a catalogue that has them beside the sound ones. Positive
// controls: a harness that cannot fail proves nothing.

#include "locks/catalogue.hpp"
#include "locks/lock.hpp"
#include "locks/mcs.hpp"
#include "model/scenario/running/workload.hpp"

namespace broken {

using namespace smp;
using locks::NoContext;
using model::LockTraits;

/// MISTAKE: looks and takes in two accesses. Two threads may both see the lock free.
class LookThenTake {
public:
    using Context = NoContext;
    static constexpr LockTraits traits{.name = "look-then-take", .lock_bytes = 4};
    void lock(Context&) {
        smp_cond_load_acquire(locked_, [](auto locked) { return locked == 0; });
        write_once(locked_, 1u);
    }
    void unlock(Context&) { smp_store_release(locked_, 0u); }
    bool quiescent() const { return *locked_.word() == 0; }

private:
    Atomic<std::uint32_t> locked_;
};

/// A ticket lock with two whole words, the sound frame of some of the mistakes below.
class TwoWordTicket {
public:
    using Context = NoContext;
    void lock(Context&) {
        const std::uint32_t mine = fetch_add_acquire(next_, 1u);
        smp_cond_load_acquire(owner_, [mine](auto owner) { return owner == mine; });
    }
    bool quiescent() const { return *owner_.word() == *next_.word(); }

protected:
    Atomic<std::uint32_t> owner_;
    Atomic<std::uint32_t> next_;
};

/// MISTAKE: does not hand the lock over when three or more wait.
class ForgetsToHandOver : public TwoWordTicket {
public:
    static constexpr LockTraits traits{.name = "forgets-to-hand-over", .lock_bytes = 8};
    void unlock(Context&) {
        const std::uint32_t owner = read_once(owner_);
        if (read_once(next_) - owner > 3) { return; }
        smp_store_release(owner_, owner + 1);
    }
};

/// MISTAKE: tickets of two bits. The fifth thread has the same as the first.
class NarrowTicket {
public:
    using Context = NoContext;
    static constexpr LockTraits traits{.name = "narrow-ticket", .lock_bytes = 8};
    void lock(Context&) {
        const std::uint32_t mine = fetch_add_acquire(next_, 1u) % 4;
        smp_cond_load_acquire(owner_, [mine](auto owner) { return owner % 4 == mine; });
    }
    void unlock(Context&) {
        const std::uint32_t owner = read_once(owner_);
        smp_store_release(owner_, owner + 1);
    }
    bool quiescent() const { return *owner_.word() == *next_.word(); }

private:
    Atomic<std::uint32_t> owner_;
    Atomic<std::uint32_t> next_;
};

/// MISTAKE: releases by a plain read and write of the whole word, which loses a ticket taken in between.
class LosesTickets {
public:
    using Context = NoContext;
    static constexpr LockTraits traits{.name = "loses-tickets", .lock_bytes = 4};
    void lock(Context&) {
        const std::uint32_t old = fetch_add_acquire(word_, 0x10000u);
        const auto mine = static_cast<std::uint16_t>(old >> 16);
        smp_cond_load_acquire(low_half(word_), [mine](auto owner) { return owner == mine; });
    }
    void unlock(Context&) {
        const std::uint32_t before = read_once(word_);
        smp_store_release(word_, (before & 0xFFFF0000u) | ((before + 1) & 0xFFFFu));
    }
    bool quiescent() const { return (*word_.word() >> 16) == (*word_.word() & 0xFFFF); }

private:
    Atomic<std::uint32_t> word_;
};

/// MISTAKE: an MCS lock that takes "not linked yet" for "nobody waits".
class McsWithoutLinkWait {
public:
    using Node = locks::McsSpinlock::Node;
    using Context = Node;
    static constexpr LockTraits traits{.name = "mcs-without-link-wait", .lock_bytes = 8, .context_bytes = 64};
    void lock(Node& node) {
        write_once(node.next, nullptr);
        write_once(node.locked, 0u);
        Node* predecessor = xchg(tail_, &node);
        if (predecessor == nullptr) { return; }
        write_once(predecessor->next, &node);
        smp_cond_load_acquire(node.locked, [](auto locked) { return locked != 0; });
    }
    void unlock(Node& node) {
        Node* successor = read_once(node.next);
        if (successor == nullptr) {
            try_cmpxchg_release(tail_, &node, nullptr);
            return;
        }
        smp_store_release(successor->locked, 1u);
    }
    bool quiescent() const { return *tail_.word() == nullptr; }

private:
    Atomic<Node*> tail_;
};

/// MISTAKE: CPU 0 stands back as long as anyone else wants the lock.
class StaticPriority {
public:
    using Context = NoContext;
    static constexpr LockTraits traits{.name = "static-priority", .lock_bytes = 8};
    void lock(Context&) {
        const bool low = smp_processor_id() == 0;
        if (!low) { fetch_add(wanted_, 1u); }
        do {
            if (low) {
                smp_cond_load_relaxed(wanted_, [](auto n) { return n == 0; });
            }
            smp_cond_load_relaxed(locked_, [](auto locked) { return locked == 0; });
        } while (xchg_acquire(locked_, 1u) != 0);
        if (!low) { fetch_sub(wanted_, 1u); }
    }
    void unlock(Context&) { smp_store_release(locked_, 0u); }
    bool quiescent() const { return *locked_.word() == 0; }

private:
    Atomic<std::uint32_t> locked_;
    Atomic<std::uint32_t> wanted_;
};

/// MISTAKE: two threads that let each other go first for ever.
class AfterYou final : public model::Workload {
public:
    explicit AfterYou(model::Simulation& simulation)
        : turn_(simulation.arena().make<Atomic<std::uint32_t>>("turn")),
          wants_{&simulation.arena().make<Atomic<std::uint32_t>>("wants 0"),
                 &simulation.arena().make<Atomic<std::uint32_t>>("wants 1")} {}

    void body(model::Thread& thread) override {
        const auto me = static_cast<std::uint32_t>(thread.index());
        const std::uint32_t other = 1 - me;
        write_once(*wants_[me], 1u);
        for (;;) {
            if (read_once(turn_) == me) {
                if (read_once(*wants_[other]) == 0) { break; }
                write_once(turn_, other);
            }
            cpu_relax();
        }
        write_once(*wants_[me], 0u);
    }
    std::string check() override { return {}; }

private:
    Atomic<std::uint32_t>& turn_;
    Atomic<std::uint32_t>* wants_[2];
};

/// A counter under the scenario's first lock, taken behind the back of those that watch it: only the count can tell.
class UnwatchedCounter final : public model::Workload {
public:
    explicit UnwatchedCounter(model::Simulation& simulation)
        : lock_(simulation.lock(0)), value_(simulation.arena().make<Atomic<std::uint64_t>>("counter")) {}

    void body(model::Thread& thread) override {
        void* context = thread.lock_contexts[0];
        lock_.algorithm->lock(context);
        ++begun_;
        const std::uint64_t before = read_once(value_);
        thread.work({.low = model::cycles(20), .high = {}});
        write_once(value_, before + 1);
        ++done_;
        lock_.algorithm->unlock(context);
        thread.think({.low = model::cycles(100), .high = {}});
    }
    std::string check() override {
        const std::uint64_t counted = *value_.word();
        return counted >= done_ && counted <= begun_ ? "" : "the counter lost increments";
    }

private:
    model::LockInstance& lock_;
    Atomic<std::uint64_t>& value_;
    std::uint64_t begun_ = 0;
    std::uint64_t done_ = 0;
};

template <class W>
model::WorkloadEntry workload_row(std::string_view name) {
    model::WorkloadEntry row;
    row.name = name;
    row.make = [](model::Simulation& simulation, const model::ParameterValues&) -> std::unique_ptr<model::Workload> {
        return std::make_unique<W>(simulation);
    };
    return row;
}

/// The tree's catalogue and what is broken.
inline const model::Catalogue& catalogue() {
    static const model::LockEntry rows[] = {
        locks::exclusive_lock<LookThenTake>("", ""),   locks::exclusive_lock<ForgetsToHandOver>("", ""),
        locks::exclusive_lock<NarrowTicket>("", ""),   locks::exclusive_lock<LosesTickets>("", ""),
        locks::exclusive_lock<StaticPriority>("", ""), locks::exclusive_lock<McsWithoutLinkWait>("", "")};
    static const model::WorkloadEntry workloads[] = {workload_row<AfterYou>("after-you"),
                                                     workload_row<UnwatchedCounter>("unwatched-counter")};
    static const model::Catalogue all = [] {
        model::Catalogue made = locks::catalogue();
        for (const auto& row : rows) { made.locks.push_back(&row); }
        for (const auto& row : workloads) { made.workloads.push_back(&row); }
        return made;
    }();
    return all;
}

}  // namespace broken
