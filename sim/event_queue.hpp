#pragma once
// Pending events in total order (time, order), where `order` is the actor's number or a seeded hash of it: when
// something was pushed never matters. The earliest event may stand apart, before a 4-ary heap of the others: two usual
// cases then touch no more than they must. An event that schedules one which is due before all others (a line that is
// handed over) leaves the heap alone; an actor that fires and schedules itself again costs one sift, since pop() leaves
// a hole at the root which the next push fills. The heap keeps each actor's place in the actor, so that an event can be
// moved.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/actor.hpp"

namespace sim {

/// A place in the total order of a run.
struct EventKey {
    Time at{};
    std::uint64_t order = 0;
    friend bool operator<(const EventKey& a, const EventKey& b) {
        return a.at.ps < b.at.ps || (a.at.ps == b.at.ps && a.order < b.order);
    }
};

class EventQueue {
public:
    EventQueue() { heap_.reserve(64); }

    bool empty() const { return size() == 0; }
    std::size_t size() const { return heap_.size() - (hole_ ? 1 : 0) + (first_ != nullptr ? 1 : 0); }

    /// Key of the earliest event; {Time::max(), all ones} if there is none.
    const EventKey& front() const { return front_; }

    /// The actor must not be pending.
    [[gnu::always_inline]] void push(Actor& actor, EventKey key) {
        actor.at_ = key.at;
        if (key < front_) {
            if (first_ != nullptr) { insert(*first_, front_); }
            put_first(actor, key);
        } else {
            insert(actor, key);
        }
    }

    /// The actor must be pending.
    [[gnu::noinline]] void move(Actor& actor, EventKey key) {
        if (&actor == first_) {
            remove(actor);
            push(actor, key);
            return;
        }
        actor.at_ = key.at;
        close_hole();
        const std::size_t at = actor.position_;
        if (key < heap_[at].key) {
            sift_up(at, {key, &actor});
        } else {
            sift_down(at, {key, &actor});
        }
        heap_front_ = heap_.front().key;
        if (heap_front_ < front_ && first_ != nullptr) {  // `actor` has overtaken the first
            insert(*first_, front_);
            first_ = nullptr;
        }
        refresh_front();
    }

    /// The actor must be pending.
    void remove(Actor& actor) {
        if (&actor == first_) {
            first_ = nullptr;
        } else {
            close_hole();
            take_out(actor.position_);
            refresh_heap_front();
        }
        actor.position_ = Actor::not_queued;
        refresh_front();
    }

    /// The queue must not be empty.
    Actor& pop() {
        Actor* actor = first_;
        if (actor != nullptr) {
            first_ = nullptr;
        } else {
            close_hole();
            actor = heap_.front().actor;
            hole_ = true;
            refresh_heap_front();
        }
        actor->position_ = Actor::not_queued;
        front_ = heap_front_;
        return *actor;
    }

private:
    struct Entry {
        EventKey key;
        Actor* actor = nullptr;
    };
    static constexpr std::size_t arity = 4;
    static constexpr EventKey nothing{Time::max(), ~std::uint64_t{0}};

    void put_first(Actor& actor, EventKey key) {
        first_ = &actor;
        front_.at = key.at;  // one by one: copied as a pair, they would be loaded from where they are just being stored
        front_.order = key.order;
        actor.position_ = Actor::queued_first;
    }
    void refresh_front() {
        if (first_ == nullptr) { front_ = heap_front_; }
    }

    // The heap.
    [[gnu::noinline]] void insert(Actor& actor, EventKey key) {
        if (hole_) {
            hole_ = false;
            if (key < heap_front_) {
                place(0, {key, &actor});
            } else {
                sift_down(0, {key, &actor});
            }
        } else {
            heap_.emplace_back();
            sift_up(heap_.size() - 1, {key, &actor});
        }
        if (key < heap_front_) {
            heap_front_ = key;
            refresh_front();
        }
    }
    void place(std::size_t at, const Entry& entry) {
        heap_[at] = entry;
        entry.actor->position_ = static_cast<std::uint32_t>(at);
    }
    void sift_up(std::size_t at, const Entry& entry) {
        while (at > 0) {
            const std::size_t parent = (at - 1) / arity;
            if (!(entry.key < heap_[parent].key)) { break; }
            place(at, heap_[parent]);
            at = parent;
        }
        place(at, entry);
    }
    std::size_t least_child(std::size_t at) const {  // or size() if there is none
        const std::size_t first = at * arity + 1;
        if (first >= heap_.size()) { return heap_.size(); }
        const std::size_t last = first + arity < heap_.size() ? first + arity : heap_.size();
        std::size_t least = first;
        for (std::size_t i = first + 1; i < last; ++i) {
            if (heap_[i].key < heap_[least].key) { least = i; }
        }
        return least;
    }
    void sift_down(std::size_t at, const Entry& entry) {
        for (;;) {
            const std::size_t child = least_child(at);
            if (child == heap_.size() || !(heap_[child].key < entry.key)) { break; }
            place(at, heap_[child]);
            at = child;
        }
        place(at, entry);
    }
    void take_out(std::size_t at) {
        const Entry last = heap_.back();
        heap_.pop_back();
        if (at == heap_.size()) { return; }
        if (at > 0 && last.key < heap_[(at - 1) / arity].key) {
            sift_up(at, last);
        } else {
            sift_down(at, last);
        }
    }
    void close_hole() {
        if (!hole_) { return; }
        hole_ = false;
        take_out(0);
    }
    void refresh_heap_front() {
        const std::size_t root = hole_ ? least_child(0) : 0;
        heap_front_ = root < heap_.size() ? heap_[root].key : nothing;
    }

    std::vector<Entry> heap_;
    EventKey front_ = nothing;       // of first_, else of the heap
    Actor* first_ = nullptr;         // the earliest event, where it is not in the heap
    EventKey heap_front_ = nothing;  // the earliest in the heap
    bool hole_ = false;              // heap_[0] has fired and is free for the next insertion
};

}  // namespace sim
