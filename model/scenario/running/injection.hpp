#pragma once
// [[events]] of a scenario: clocks that change, CPUs that stand still, threads that die, at a time or when a thread
// begins a labelled step.

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "model/machine/machine.hpp"
#include "model/metrics/run_result.hpp"
#include "model/scenario/scenario.hpp"

namespace model {

class Simulation;
class Thread;

class Injection {
public:
    Injection(Simulation& simulation, const std::vector<EventConfig>& events);

    /// Does any event wait for a step with this label?
    bool watches(const Step& step) const;
    /// The thread begins a step that is watched: an event that waited for it happens now, before the step does
    /// anything that takes time.
    void step_begins(const Step& step, const Thread& thread);
    /// At the end of the run, `now`.
    std::vector<NeverHappened> never_happened(sim::Time now) const;

private:
    struct Event final : sim::Actor {
        Event(Injection& i, std::uint64_t number, const EventConfig& c)
            : Actor(number, fire), injection(i), config(c) {}
        static sim::Fiber* fire(sim::Actor& actor);
        Injection& injection;
        const EventConfig& config;
        std::int64_t passed = 0;  ///< so often the labelled step has begun
        std::int32_t cpu = -1;
        Thread* victim = nullptr;  ///< of kill
        bool happened = false;
    };
    void happen(Event& event);
    void change_frequency(const Event& event);
    void stall(const Event& event);
    Thread* thread_named(const std::string& name);

    Simulation& simulation_;
    std::deque<Event> events_;
    std::map<std::int32_t, Interrupts::Source*> stalls_;  // by CPU
};

}  // namespace model
