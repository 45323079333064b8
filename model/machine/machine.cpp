// See machine.hpp.

#include "model/machine/machine.hpp"

#include <cstdio>

namespace model {

using sim::Time;

namespace {

// Numbers of actors: at one instant, frequency changes come before contexts, contexts before lines.
constexpr std::uint64_t first_change_number = 1;
constexpr std::uint64_t first_tick_number = std::uint64_t{1} << 18;
constexpr std::uint64_t first_context_number = std::uint64_t{1} << 20;

}  // namespace

struct Machine::FrequencyChange final : sim::Actor {
    FrequencyChange(Machine& m, std::uint64_t number, std::int32_t c, Frequency f)
        : Actor(number, fire), machine(m), cpu(c), frequency(f) {}
    static sim::Fiber* fire(sim::Actor& actor) {
        auto& self = static_cast<FrequencyChange&>(actor);
        // A change that falls into an interrupt takes effect at its end.
        sim::Engine& engine = self.machine.engine_;
        if (const Time until = self.machine.cpu(self.cpu).interrupted_until(); until > engine.now()) {
            engine.schedule(self, until);
        } else {
            self.machine.set_frequency(self.cpu, self.frequency);
        }
        return nullptr;
    }
    Machine& machine;
    std::int32_t cpu;
    Frequency frequency;
};

/// The timer interrupts of one CPU.
struct Machine::Tick final : sim::Actor {
    Tick(Machine& m, std::int32_t c)
        : Actor(first_tick_number + static_cast<std::uint64_t>(c), fire), machine(m), cpu(c) {}
    static sim::Fiber* fire(sim::Actor& actor) {
        auto& self = static_cast<Tick&>(actor);
        sim::Engine& engine = self.machine.engine_;
        const TickConfig& tick = self.machine.config_.tick;
        engine.digest().add(static_cast<std::uint32_t>(Hashed::tick), static_cast<std::uint32_t>(self.cpu),
                            engine.now().ps, 0, 0);
        engine.schedule(self, engine.now() + tick.period);
        if (Context* context = self.machine.context_on_cpu_[static_cast<std::size_t>(self.cpu)]) {
            context->interrupt(tick.length);
        }
        return nullptr;
    }
    Machine& machine;
    std::int32_t cpu;
};

Machine::Machine(const MachineConfig& config, const Options& options)
    : config_(config),
      options_(options),
      topology_(config_),
      costs_(config_, topology_, options.latency_noise),
      engine_({.seeded_ties = options.seeded_ties, .seed = options.seed, .monitor = options.monitor}),
      arena_(static_cast<std::size_t>(config_.line_bytes)),
      stacks_(Arena::stacks_base, options.contexts),
      memory_(engine_, arena_, costs_, options.seed) {
    for (std::int32_t n = 0; n < topology_.cpus(); ++n) {
        cpus_.emplace_back(n, topology_.domain_of(n), core_of(config_, topology_, n), config_.request_path_cycles);
    }
    for (Cpu& cpu : cpus_) { cpu.reservation.cpu = cpu.number(); }
    if (config_.cpu_relax == CpuRelax::wfe_after) {
        for (Cpu& cpu : cpus_) {
            const std::string name = "cpu_relax.cpu" + std::to_string(cpu.number());
            cpu.relax_calls = &arena_.make<std::uint64_t>(name);
        }
    }
    context_on_cpu_.resize(cpus_.size());
    start_ticks();
    crash_report_ = std::make_unique<sim::CrashReport>(stacks_, engine_, describe, this);
}

void Machine::start_ticks() {
    const TickConfig& tick = config_.tick;
    if (tick.period.ps == 0) { return; }
    for (Cpu& cpu : cpus_) {
        const auto own = config_.cpus.find(cpu.number());
        const bool has_offset = own != config_.cpus.end() && own->second.tick_offset.has_value();
        const Time first = has_offset ? *own->second.tick_offset : tick.skew * cpu.number();
        engine_.schedule(ticks_.emplace_back(*this, cpu.number()), first);
    }
}

Machine::~Machine() { current = nullptr; }

Context& Machine::add_context(std::int32_t cpu_number, std::string name, Context::Body body, void* argument,
                              Time start) {
    const std::size_t index = contexts_.size();
    Context& context = contexts_.emplace_back(*this, cpu(cpu_number), first_context_number + index, index,
                                              std::move(name), body, argument);
    context_on_cpu_[static_cast<std::size_t>(cpu_number)] = &context;
    context.start(start);
    ++live_;
    return context;
}

void Machine::change_frequency_at(Time at, std::int32_t cpu_number, Frequency f) {
    const std::uint64_t number = first_change_number + frequency_changes_.size();
    engine_.schedule(frequency_changes_.emplace_back(*this, number, cpu_number, f), at);
}

void Machine::set_frequency(std::int32_t cpu_number, Frequency f) {
    Cpu& changed = cpu(cpu_number);
    const Cpu before = changed;
    changed.set_frequency(f);
    costs_.set_frequency(cpu_number, f);
    engine_.digest().add(static_cast<std::uint32_t>(Hashed::frequency), static_cast<std::uint32_t>(cpu_number),
                         engine_.now().ps, static_cast<std::uint64_t>(f.hz), 0);
    if (Context* context = context_on_cpu_[static_cast<std::size_t>(cpu_number)]) { context->retime(before); }
}

sim::Ending Machine::run(Time until) {
    const sim::Ending ending = engine_.run(until);
    current = nullptr;
    return ending;
}

void Machine::context_settled() {
    if (++settled_ != live_) { return; }
    deadlocked_ = true;
    engine_.stop_at_next_event();
}

void Machine::context_finished() {
    --live_;
    if (live_ == 0) {
        engine_.stop_at_next_event();
    } else if (settled_ == live_) {
        deadlocked_ = true;
        engine_.stop_at_next_event();
    }
}

void Machine::describe(const void* machine, long index, char* out, std::size_t size) {
    const auto& self = *static_cast<const Machine*>(machine);
    const Context* who = current;
    if (index >= 0 && static_cast<std::size_t>(index) < self.contexts_.size()) {
        who = &self.contexts_[static_cast<std::size_t>(index)];
    }
    if (who == nullptr) {
        std::snprintf(out, size, "no thread (set-up or report)");
        return;
    }
    std::snprintf(out, size, "thread %s at %lld ps, last access at %s:%d (seed %llu)", who->name().c_str(),
                  static_cast<long long>(self.engine_.now().ps), who->last_site().file, who->last_site().line,
                  static_cast<unsigned long long>(self.options_.seed));
}

}  // namespace model
