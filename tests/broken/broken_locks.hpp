#pragma once
// Locks that are broken on purpose, one mistake each, and a catalogue that has them beside the sound ones. Positive
// controls: a harness that cannot fail proves nothing.

#include "locks/catalogue.hpp"
#include "locks/lock.hpp"
#include "locks/mcs.hpp"
#include "tests/broken/broken_workloads.hpp"

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

protected:
    Atomic<Node*> tail_;
};

/// MISTAKE: is none.
class NoLock {
public:
    using Context = NoContext;
    static constexpr LockTraits traits{.name = "no-lock", .lock_bytes = 4};
    void lock(Context&) {}
    void unlock(Context&) {}
    bool quiescent() const { return true; }

private:
    [[maybe_unused]] Atomic<std::uint32_t> unused_;
};

/// MISTAKE: every sixteenth release writes the word back as it was.
class DropsReleases : public TwoWordTicket {
public:
    static constexpr LockTraits traits{.name = "drops-releases", .lock_bytes = 8};
    void unlock(Context&) {
        const std::uint32_t owner = read_once(owner_);
        smp_store_release(owner_, owner % 16 == 15 ? owner : owner + 1);
    }
};

/// No mistake: its release only takes long, as one that flushes or hands work over does.
class SlowRelease : public TwoWordTicket {
public:
    static constexpr LockTraits traits{.name = "slow-release", .lock_bytes = 8};
    void unlock(Context&) {
        const std::uint32_t owner = read_once(owner_);
        delay(model::span(sim::milliseconds(1)));
        smp_store_release(owner_, owner + 1);
    }
};

/// MISTAKE: an MCS lock whose release lets in the next waiter and the one behind it.
class GrantsTwice : public McsWithoutLinkWait {
public:
    static constexpr LockTraits traits{.name = "grants-twice", .lock_bytes = 8, .context_bytes = 64};
    void unlock(Node& node) {
        Node* successor = read_once(node.next);
        if (successor == nullptr) {
            if (try_cmpxchg_release(tail_, &node, nullptr)) { return; }
            successor = smp_cond_load_relaxed(node.next, [](Node* n) { return n != nullptr; });
        }
        Node* behind = read_once(successor->next);
        smp_store_release(successor->locked, 1u);
        if (behind != nullptr) { smp_store_release(behind->locked, 1u); }
    }
};

/// MISTAKE: an MCS lock that hands over to its own node.
class WakesItself : public McsWithoutLinkWait {
public:
    static constexpr LockTraits traits{.name = "wakes-itself", .lock_bytes = 8, .context_bytes = 64};
    void unlock(Node& node) {
        if (read_once(node.next) == nullptr) {
            if (try_cmpxchg_release(tail_, &node, nullptr)) { return; }
            smp_cond_load_relaxed(node.next, [](Node* n) { return n != nullptr; });
        }
        smp_store_release(node.locked, 1u);
    }
};

/// MISTAKE: an MCS lock that hands over to the waiter behind the next, where there is one.
class WakesTheSecond : public McsWithoutLinkWait {
public:
    static constexpr LockTraits traits{.name = "wakes-the-second", .lock_bytes = 8, .context_bytes = 64};
    void unlock(Node& node) {
        Node* successor = read_once(node.next);
        if (successor == nullptr) {
            if (try_cmpxchg_release(tail_, &node, nullptr)) { return; }
            successor = smp_cond_load_relaxed(node.next, [](Node* n) { return n != nullptr; });
        }
        Node* behind = read_once(successor->next);
        smp_store_release((behind != nullptr ? behind : successor)->locked, 1u);
    }
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

/// The tree's catalogue and what is broken.
inline const model::Catalogue& catalogue() {
    static const model::LockEntry rows[] = {
        locks::exclusive_lock<LookThenTake>("", ""),   locks::exclusive_lock<ForgetsToHandOver>("", ""),
        locks::exclusive_lock<NarrowTicket>("", ""),   locks::exclusive_lock<LosesTickets>("", ""),
        locks::exclusive_lock<StaticPriority>("", ""), locks::exclusive_lock<McsWithoutLinkWait>("", ""),
        locks::exclusive_lock<NoLock>("", ""),         locks::exclusive_lock<DropsReleases>("", ""),
        locks::exclusive_lock<GrantsTwice>("", ""),    locks::exclusive_lock<WakesItself>("", ""),
        locks::exclusive_lock<WakesTheSecond>("", ""), locks::exclusive_lock<SlowRelease>("", "")};
    static const model::WorkloadEntry workloads[] = {
        workload_row<AfterYou>("after-you"), workload_row<UnwatchedCounter>("unwatched-counter"),
        workload_row<ForgetfulPath>("forgetful-path"), workload_row<Stranger>("stranger")};
    static const model::Catalogue all = [] {
        model::Catalogue made = locks::catalogue();
        for (const auto& row : rows) { made.locks.push_back(&row); }
        for (const auto& row : workloads) { made.workloads.push_back(&row); }
        return made;
    }();
    return all;
}

}  // namespace broken
