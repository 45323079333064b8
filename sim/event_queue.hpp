#pragma once
// Pending events in total order (time, order), where `order` is the actor's number or a seeded hash of it: when
// something was pushed never matters. A 4-ary heap with the actor's place kept in the actor, so that an event can be
// moved. The usual case (the actor that just fired schedules itself again) costs one sift: pop() leaves a hole at the
// root, which the next push fills.

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
    std::size_t size() const { return heap_.size() - (hole_ ? 1 : 0); }

    /// Key of the earliest event; {Time::max(), all ones} if there is none.
    const EventKey& front() const { return front_; }

    /// The actor must not be pending.
    void push(Actor& actor, const EventKey& key) {
        if (hole_) {
            hole_ = false;
            if (key < front_) {
                place(0, {key, &actor});
            } else {
                sift_down(0, {key, &actor});
            }
        } else {
            heap_.emplace_back();
            sift_up(heap_.size() - 1, {key, &actor});
        }
        actor.at_ = key.at;
        if (key < front_) { front_ = key; }
    }

    /// The actor must be pending.
    void move(Actor& actor, const EventKey& key) {
        close_hole();
        const std::size_t at = actor.position_;
        const bool earlier = key < heap_[at].key;
        if (earlier) {
            sift_up(at, {key, &actor});
        } else {
            sift_down(at, {key, &actor});
        }
        actor.at_ = key.at;
        front_ = heap_.front().key;
    }

    /// The actor must be pending.
    void remove(Actor& actor) {
        close_hole();
        take_out(actor.position_);
        actor.position_ = Actor::not_queued;
        refresh_front();
    }

    /// The queue must not be empty.
    Actor& pop() {
        close_hole();
        Actor& actor = *heap_.front().actor;
        actor.position_ = Actor::not_queued;
        hole_ = true;
        refresh_front();
        return actor;
    }

private:
    struct Entry {
        EventKey key;
        Actor* actor = nullptr;
    };
    static constexpr std::size_t arity = 4;

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
    void refresh_front() {
        static constexpr EventKey nothing{Time::max(), ~std::uint64_t{0}};
        if (!hole_) {
            front_ = heap_.empty() ? nothing : heap_.front().key;
            return;
        }
        const std::size_t child = least_child(0);
        front_ = child == heap_.size() ? nothing : heap_[child].key;
    }

    std::vector<Entry> heap_;
    EventKey front_{Time::max(), ~std::uint64_t{0}};
    bool hole_ = false;  // heap_[0] has fired and is free for the next push
};

}  // namespace sim
