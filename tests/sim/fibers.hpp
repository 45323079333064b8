#pragma once
// What the engine's tests share: an engine, actors that do something, and fibers that run lambdas. Fibers must not
// throw, so tests log what happens and check afterwards.

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "sim/engine.hpp"
#include "sim/stack_pool.hpp"

namespace sim::test {

inline constexpr std::uintptr_t stacks_address = 0x300000000000;  // free natively and under ASan

/// An event that runs a lambda on whichever fiber pops it.
class Event final : public Actor {
public:
    Event(std::uint64_t number, std::function<void()> action) : Actor(number, fire), action_(std::move(action)) {}

private:
    static Fiber* fire(Actor& self) {
        static_cast<Event&>(self).action_();
        return nullptr;
    }
    std::function<void()> action_;
};

/// A fiber with an actor of its own.
class Runner final : public Actor {
public:
    using Body = std::function<void(Runner&)>;
    Runner(Engine& engine, std::uint64_t number, std::span<std::byte> stack, Body body)
        : Actor(number, fire), engine_(engine), fiber_(stack, enter, this), body_(std::move(body)) {}

    /// Lets time pass, as a context of the model does.
    void go_on_to(Time at) {
        if (engine_.run_ahead(*this, at)) { return; }
        engine_.schedule(*this, at);
        engine_.wait();
    }
    bool ended() const { return ended_; }
    Fiber& fiber() { return fiber_; }

private:
    static Fiber* fire(Actor& self) { return &static_cast<Runner&>(self).fiber_; }
    static void enter(void* self) {
        auto& runner = *static_cast<Runner*>(self);
        runner.body_(runner);
        runner.ended_ = true;
        for (;;) { runner.engine_.wait(); }
    }

    Engine& engine_;
    Fiber fiber_;
    Body body_;
    bool ended_ = false;
};

class Rig {
public:
    explicit Rig(const Engine::Options& options = {}) : stacks(stacks_address, room), engine(options) {}

    Event& event(std::uint64_t number, Time at, std::function<void()> action) {
        Event& made = events_.emplace_back(number, std::move(action));
        engine.schedule(made, at);
        return made;
    }
    Runner& runner(std::uint64_t number, Time at, Runner::Body body) {
        Runner& made = runners_.emplace_back(engine, number, stacks.stack(runners_.size()), std::move(body));
        engine.schedule(made, at);
        return made;
    }

    static constexpr std::size_t room = 64;
    StackPool stacks;
    Engine engine;

private:
    std::deque<Event> events_;
    std::deque<Runner> runners_;
};

}  // namespace sim::test
