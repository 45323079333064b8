#pragma once
// Pending events in total order (time, order), where `order` is the actor's number or a seeded hash of it: when
// something was pushed never matters. Two stores:
//
//   near    the earliest events, few, sorted by hand: the usual event is due among the next few, and the next one is
//           simply the last of the array
//   far     the others, in a 4-ary heap: all are due after all of the near ones
//
// An actor knows its place in the heap, so that an event can be moved or cancelled.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/actor.hpp"

namespace sim {

/// A place in the total order of a run. Times are not negative.
struct EventKey {
    Time at{};
    std::uint64_t order = 0;
    friend bool operator<(const EventKey& a, const EventKey& b) { return a.word() < b.word(); }
    /// The same, where the times hardly ever agree and the answer is nearly always yes.
    bool is_likely_before(const EventKey& b) const { return at.ps < b.at.ps || (at.ps == b.at.ps && order < b.order); }

private:
    __extension__ using Word = unsigned __int128;  // compared without a branch: which is earlier can seldom be guessed
    Word word() const { return static_cast<Word>(static_cast<std::uint64_t>(at.ps)) << 64 | order; }
};

class EventQueue {
public:
    EventQueue() {
        heap_.reserve(64);
        reset_near();
    }

    bool empty() const { return near_count() == 0; }
    std::size_t size() const { return near_count() + heap_.size(); }

    /// Key of the earliest event; {Time::max(), all ones} if there is none.
    const EventKey& front() const { return front_; }

    /// The actor must not be pending.
    void push(Actor& actor, EventKey key) {
        actor.at_ = key.at;
        if (near_count() == 0) {
            ++first_;
            set_near(first_, key, &actor);
        } else if (near_key(first_) < key) {
            push_behind(actor, key);
            return;
        } else {
            if (first_ == room - 1) [[unlikely]] { centre(); }
            set_near(++first_, key, &actor);
        }
        actor.position_ = Actor::near;
        front_.at = key.at;
        front_.order = key.order;
    }

    /// The actor must be pending.
    void move(Actor& actor, EventKey key) {
        remove(actor);
        push(actor, key);
    }

    /// The actor must be pending.
    [[gnu::noinline]] void remove(Actor& actor) {
        if (actor.position_ == Actor::near) {
            std::size_t at = first_;
            while (near_actor_[at] != &actor) { --at; }
            for (; at < first_; ++at) { copy_near(at + 1, at); }
            --first_;
        } else {
            take_out(actor.position_);
        }
        actor.position_ = Actor::not_queued;
        if (near_count() == 0) { refill(); }
        refresh_front();
    }

    /// The queue must not be empty.
    Actor& pop() {
        Actor& actor = *near_actor_[first_--];
        actor.position_ = Actor::not_queued;
        if (near_count() == 0) [[unlikely]] { refill(); }
        refresh_front();
        return actor;
    }

private:
    static constexpr std::size_t room = 256;
    static constexpr std::size_t near_most = 96;
    static constexpr std::size_t near_few = 32;
    static constexpr std::size_t arity = 4;
    static constexpr EventKey nothing{Time::max(), ~std::uint64_t{0}};
    struct Entry {
        EventKey key;
        Actor* actor = nullptr;
    };

    // --- near: a sorted stretch of an array, from last_ (the latest) up to first_ (the earliest), that grows and
    // shrinks at both ends. Three arrays, because an entry just stored is soon moved, and a host that has stored three
    // words cannot quickly load them as one.

    std::size_t near_count() const { return first_ + 1 - last_; }
    void refresh_front() {
        front_.at = near_at_[first_];
        front_.order = near_order_[first_];
    }
    EventKey near_key(std::size_t i) const { return {near_at_[i], near_order_[i]}; }
    void set_near(std::size_t i, EventKey key, Actor* actor) {
        near_at_[i] = key.at;
        near_order_[i] = key.order;
        near_actor_[i] = actor;
    }
    void copy_near(std::size_t from, std::size_t to) { set_near(to, near_key(from), near_actor_[from]); }
    void reset_near() {
        first_ = room / 2;
        last_ = first_ + 1;
        set_near(first_, nothing, nullptr);
    }
    /// Puts the stretch into the middle of the array.
    [[gnu::noinline]] void centre() {
        const std::size_t count = near_count();
        const std::size_t to = (room - count) / 2;
        if (to < last_) {
            for (std::size_t i = 0; i < count; ++i) { copy_near(last_ + i, to + i); }
        } else {
            for (std::size_t i = count; i-- > 0;) { copy_near(last_ + i, to + i); }
        }
        last_ = to;
        first_ = to + count - 1;
    }
    /// What comes after all of the near ones is one of them only while they are few and nothing far is earlier.
    [[gnu::noinline]] void push_behind(Actor& actor, EventKey key) {
        if (near_key(last_) < key && (near_count() >= near_few || heap_front_ < key)) {
            insert_far(actor, key);
            return;
        }
        if (near_count() == near_most) {
            spill();
            if (near_key(last_) < key) {
                insert_far(actor, key);
                return;
            }
        }
        if (first_ == room - 1 || last_ == 0) { centre(); }
        std::size_t i;
        if (key < near_key(last_ + near_count() / 2)) {  // nearer to the earliest
            for (i = ++first_; near_key(i - 1) < key; --i) { copy_near(i - 1, i); }
        } else if (near_key(last_) < key) {
            i = --last_;
        } else {
            for (i = --last_; key < near_key(i + 1); ++i) { copy_near(i + 1, i); }
        }
        set_near(i, key, &actor);
        actor.position_ = Actor::near;
    }
    /// The later ones go to the heap.
    void spill() {
        while (near_count() > near_few) {
            insert_far(*near_actor_[last_], near_key(last_));
            ++last_;
        }
    }
    [[gnu::noinline]] void refill() {
        reset_near();
        if (heap_.empty()) { return; }
        first_ = last_ + near_few - 1 < room ? last_ + near_few - 1 : room - 1;
        last_ = first_ + 1;
        for (std::size_t n = near_few; n > 0 && !heap_.empty(); --n) {
            const Entry earliest = heap_.front();
            take_out(0);
            set_near(--last_, earliest.key, earliest.actor);
            earliest.actor->position_ = Actor::near;
        }
    }

    // --- far

    void place(std::size_t at, const Entry& entry) {
        heap_[at] = entry;
        entry.actor->position_ = static_cast<std::uint32_t>(at);
    }
    [[gnu::noinline]] void insert_far(Actor& actor, EventKey key) {
        heap_.emplace_back();
        sift_up(heap_.size() - 1, {key, &actor});
        heap_front_ = heap_.front().key;
    }
    void take_out(std::size_t at) {
        const Entry last = heap_.back();
        heap_.pop_back();
        if (at != heap_.size()) {
            if (at > 0 && last.key < heap_[(at - 1) / arity].key) {
                sift_up(at, last);
            } else {
                sift_down(at, last);
            }
        }
        heap_front_ = heap_.empty() ? nothing : heap_.front().key;
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

    EventKey front_ = nothing;  // of the first: hits look at nothing else
    std::array<Time, room> near_at_;
    std::array<std::uint64_t, room> near_order_;
    std::array<Actor*, room> near_actor_;
    std::size_t first_;
    std::size_t last_;
    EventKey heap_front_ = nothing;
    std::vector<Entry> heap_;
};

}  // namespace sim
