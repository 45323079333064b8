// See engine.hpp.

#include "sim/engine.hpp"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "sim/failure.hpp"

namespace sim {

Engine::Engine(const Options& options) : options_(options) {}

Fiber* Engine::End::fire(Actor& self) {
    Engine& engine = static_cast<End&>(self).engine;
    engine.ending_ = Ending::time_up;
    return &engine.main_;
}

Ending Engine::run(Time until) {
    ending_ = Ending::stopped;
    stopping_ = false;
    schedule(end_, until);
    wait();
    cancel(end_);
    if (!failure_.empty()) { throw InternalError(std::exchange(failure_, {})); }
    return ending_;
}

Fiber& Engine::next_fiber() {
    for (;;) {
        if (stopping_) [[unlikely]] { return main_; }
        const Time at = queue_.front().at;
        const std::uint64_t order = queue_.front().order;
        Actor& actor = queue_.pop();
        if (order == end_order && queue_.empty()) [[unlikely]] {
            ending_ = Ending::drained;
            return main_;
        }
        ++events_;
        if ((++steps_ & poll_mask) == 0) [[unlikely]] { poll_monitor(); }
        enter(at, order);
        if (Fiber* fiber = actor.fire_(actor)) { return *fiber; }
    }
}

void Engine::leave_to_main() {
    stopping_ = true;
    if (running_ == &main_) { std::abort(); }  // events fired by the main fiber must not fail: see fail()
    Fiber& self = *running_;
    running_ = &main_;
    Fiber::switch_to(self, main_);
    std::abort();  // nobody resumes a fiber after the end
}

void Engine::stop() {
    ending_ = Ending::stopped;
    leave_to_main();
}

void Engine::fail(std::string message) {
    if (running_ == &main_) { throw InternalError(message); }
    failure_ = std::move(message);
    leave_to_main();
}

void Engine::poll_monitor() {
    if (options_.monitor != nullptr && !options_.monitor->keep_going(now_)) {
        ending_ = Ending::given_up;
        stopping_ = true;
        if (running_ != &main_) { leave_to_main(); }
    }
}

void Engine::fail_at_one_instant() {
    fail(fmt::format("no time passes: {} steps at {} ps", options_.steps_at_one_instant, now_.ps));
}

}  // namespace sim
