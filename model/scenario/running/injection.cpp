// See injection.hpp.

#include "model/scenario/running/injection.hpp"

#include <fmt/format.h>

#include "model/scenario/reading/units.hpp"
#include "model/scenario/running/simulation.hpp"

namespace model {

namespace {

constexpr std::uint64_t first_injection_number = std::uint64_t{1} << 16;  // of actors: before ticks and contexts

}  // namespace

Injection::Injection(Simulation& simulation, const std::vector<EventConfig>& events) : simulation_(simulation) {
    for (const EventConfig& config : events) {
        Event& event = events_.emplace_back(*this, first_injection_number + events_.size(), config);
        event.cpu = config.cpu.value_or(-1);
        if (config.at) { simulation.machine().engine().schedule(event, *config.at); }
    }
}

bool Injection::watches(const Step& step) const {
    for (const Event& event : events_) {
        if (event.config.on && *event.config.on == step.label) { return true; }
    }
    return false;
}

void Injection::step_begins(const Step& step, const Thread& thread) {
    for (Event& event : events_) {
        const EventConfig& config = event.config;
        if (!config.on || *config.on != step.label) { continue; }
        if (config.thread && *config.thread != thread.name()) { continue; }
        if (++event.passed != config.nth) { continue; }
        if (event.cpu < 0) { event.cpu = thread.cpu(); }
        if (config.kill && !config.thread) { event.victim = thread_named(thread.name()); }
        sim::Engine& engine = simulation_.machine().engine();
        engine.schedule(event, engine.now());
    }
}

sim::Fiber* Injection::Event::fire(sim::Actor& actor) {
    auto& self = static_cast<Event&>(actor);
    self.injection.happen(self);
    return nullptr;
}

std::vector<NeverHappened> Injection::never_happened(sim::Time now) const {
    std::vector<NeverHappened> result;
    for (const Event& event : events_) {
        if (event.happened) { continue; }
        const EventConfig& config = event.config;
        const std::string where = fmt::format("{}:{}", config.position.file, config.position.line);
        if (config.at) {
            result.push_back(
                {where, fmt::format("at = \"{}\": the run ended at {}", format_time(*config.at), format_time(now))});
        } else {
            const std::string who = config.thread && !config.kill ? fmt::format(" in thread {}", *config.thread) : "";
            result.push_back({where, fmt::format("on = \"{}\", nth = {}: this step began {} times{}", *config.on,
                                                 config.nth, event.passed, who)});
        }
    }
    return result;
}

void Injection::happen(Event& event) {
    event.happened = true;
    if (event.config.frequency) {
        change_frequency(event);
    } else if (event.config.stall) {
        stall(event);
    } else {
        Thread* victim = event.victim != nullptr ? event.victim : thread_named(*event.config.thread);
        if (victim != nullptr) { simulation_.kill(*victim); }
    }
}

/// A step of known length that is under way ends at another time. (One that an interrupt has frozen is not looked at.)
void Injection::change_frequency(const Event& event) {
    simulation_.machine().change_frequency(event.cpu, *event.config.frequency);
    for (const Thread& thread : simulation_.threads()) {
        if (thread.cpu() != event.cpu || !thread.in_step || thread.finished || thread.context->frozen()) { continue; }
        const sim::Time now = simulation_.now();
        simulation_.progress().definite_step(now, thread.context->busy_until() - now);
    }
}

/// Of known length, too: who does not execute is not livelocked.
void Injection::stall(const Event& event) {
    Interrupts& interrupts = simulation_.machine().interrupts(event.cpu);
    Interrupts::Source*& source = stalls_[event.cpu];
    if (source == nullptr) { source = &interrupts.add_source(); }
    source->stands_still = true;
    source->length = *event.config.stall;
    simulation_.progress().definite_step(simulation_.now(), source->length);
    interrupts.raise(*source);
}

Thread* Injection::thread_named(const std::string& name) {
    for (Thread& thread : simulation_.threads()) {
        if (thread.name() == name) { return &thread; }
    }
    return nullptr;
}

}  // namespace model
