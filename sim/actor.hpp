#pragma once
// An actor is a source of events: an execution context, a cache line's server, a timer, an injected event. It has a
// number for life, and at most one pending event.

#include <cstdint>

#include "sim/time.hpp"

namespace sim {

class Fiber;

class Actor {
public:
    /// What an event does: runs on whichever fiber popped it, must not block, and names the fiber to resume (or
    /// null: go on with the next event). A plain function pointer, so that the queue needs no virtual call.
    using Fire = Fiber* (*)(Actor& self);

    Actor(std::uint64_t number, Fire fire) : fire_(fire), number_(number) {}
    Actor(const Actor&) = delete;
    Actor& operator=(const Actor&) = delete;

    std::uint64_t number() const { return number_; }
    bool pending() const { return position_ != not_queued; }
    Time pending_at() const { return at_; }  ///< meaningful while pending()

private:
    friend class EventQueue;
    friend class Engine;
    static constexpr std::uint32_t not_queued = ~std::uint32_t{0};
    static constexpr std::uint32_t near = not_queued - 1;  // among the next few

    Fire fire_;
    std::uint64_t number_;
    Time at_{};
    std::uint32_t position_ = not_queued;  // in the event queue
};

}  // namespace sim
