#pragma once
// The discrete-event engine: one total order of events (time, actor), fibers that run ahead while nobody precedes
// them, and direct switches between them. It knows no CPU and no lock.
//
// A running fiber is always at its place in the total order: now() is its time. It lets time pass with run_ahead()
// where nothing else is due before, and else by scheduling its actor and calling wait().

#include <cstdint>
#include <string>

#include "sim/actor.hpp"
#include "sim/digest.hpp"
#include "sim/event_queue.hpp"
#include "sim/fiber.hpp"
#include "sim/time.hpp"

namespace sim {

/// Asked now and then while a run goes on, in host time. Returning false gives the run up.
class Monitor {
public:
    virtual ~Monitor() = default;
    virtual bool keep_going(Time now) = 0;
};

/// How a run ended.
enum class Ending {
    time_up,  ///< the time given to run() was reached
    drained,  ///< no event is left
    stopped,  ///< someone called stop()
    given_up  ///< the monitor said so
};

class Engine {
public:
    struct Options {
        bool seeded_ties = false;  ///< order equal times by hash(seed, actor, time) instead of by actor
        std::uint64_t seed = 1;    ///< of the tie order
        Monitor* monitor = nullptr;
        std::uint64_t steps_at_one_instant = 10'000'000;  ///< more end the run with InternalError
    };

    explicit Engine(const Options& options);
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    Time now() const { return now_; }
    Digest& digest() { return digest_; }
    std::uint64_t events() const { return events_; }      ///< popped from the queue
    std::uint64_t steps() const { return steps_; }        ///< events and run-aheads
    std::uint64_t switches() const { return switches_; }  ///< between fibers

    /// The place of an actor's event in the total order.
    EventKey key(const Actor& actor, Time at) const {
        if (options_.seeded_ties) [[unlikely]] { return {at, seeded_order(actor, at)}; }
        return {at, actor.number()};
    }

    /// Sets the actor's pending event to `at` (not before now()), whether or not it has one.
    [[gnu::always_inline]] void schedule(Actor& actor, Time at) {
        const EventKey when = key(actor, at);
        if (actor.pending()) {
            queue_.move(actor, when);
        } else {
            queue_.push(actor, when);
        }
    }
    void cancel(Actor& actor) {
        if (actor.pending()) { queue_.remove(actor); }
    }

    /// Is nothing due before (at, actor)?
    bool is_next(const Actor& actor, Time at) const { return key(actor, at) < queue_.front(); }

    /// The running fiber, which acts for `actor`, goes on to `at` if nothing is due before; else returns false.
    bool run_ahead(const Actor& actor, Time at) {
        const EventKey when = key(actor, at);
        if (!when.is_likely_before(queue_.front())) { return false; }
        if ((++steps_ & poll_mask) == 0) [[unlikely]] { poll_monitor(); }
        enter(when.at, when.order);
        return true;
    }

    /// Suspends the running fiber until some event names it. Inline, so that the switch is made in the caller's own
    /// frame: the host mispredicts every return that follows a switch.
    [[gnu::always_inline]] void wait() {
        Fiber& self = *running_;
        Fiber& next = next_fiber();
        if (&next != &self) {
            running_ = &next;
            ++switches_;
            Fiber::switch_to(self, next);
        }
    }

    /// Has the total order already passed (at, actor)? For an actor whose event, had it been scheduled in time, would
    /// have fired: decides what an elided event has done when another event changes its world at the same instant.
    bool has_passed(const Actor& actor, Time at) const {
        if (at != now_) { return at < now_; }
        return key(actor, at).order <= instant_mark_;
    }

    /// From the main fiber: runs until `until`, until no event is left, or until stop(). Throws InternalError.
    Ending run(Time until);

    /// From any fiber or event: the run ends here. From a fiber it does not return.
    void stop_at_next_event() { stopping_ = true; }
    [[noreturn]] void stop();
    /// From any fiber: run() throws InternalError with this message. Does not return.
    [[noreturn]] void fail(std::string message);

    const Fiber* running() const { return running_; }

private:
    static constexpr std::uint64_t poll_mask = 0xFFFF;
    static constexpr std::uint64_t end_order = 0;  // at one instant, the end comes first

    void enter(Time at, std::uint64_t order) {
        if (at == now_) {
            if (order > instant_mark_) { instant_mark_ = order; }
            if (++steps_here_ > options_.steps_at_one_instant) [[unlikely]] { fail_at_one_instant(); }
        } else {
            now_ = at;
            instant_mark_ = order;
            steps_here_ = 0;
        }
    }

    Fiber& next_fiber();
    std::uint64_t seeded_order(const Actor& actor, Time at) const {
        if (actor.number() == end_order) { return end_order; }
        return Digest::mix(Digest::mix(options_.seed ^ static_cast<std::uint64_t>(at.ps)) ^ actor.number()) | 1;
    }
    void poll_monitor();
    [[noreturn]] void fail_at_one_instant();
    [[noreturn]] void leave_to_main();

    Options options_;
    EventQueue queue_;
    std::uint64_t steps_ = 0;
    Time now_{};
    std::uint64_t instant_mark_ = 0;  // the greatest order that this instant has reached
    std::uint64_t steps_here_ = 0;
    std::uint64_t events_ = 0;  // apart from steps_: added to together, they would be loaded as one, just after a store
    std::uint64_t switches_ = 0;
    Digest digest_;
    Fiber main_;
    Fiber* running_ = &main_;
    Ending ending_ = Ending::stopped;
    bool stopping_ = false;
    std::string failure_;
    struct End : Actor {
        explicit End(Engine& e) : Actor(end_order, fire), engine(e) {}
        static Fiber* fire(Actor& self);
        Engine& engine;
    } end_{*this};
};

}  // namespace sim
