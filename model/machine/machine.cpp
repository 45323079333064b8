// See machine.hpp.

#include "model/machine/machine.hpp"

#include <cstdio>

namespace model {

using sim::Time;

namespace {

// Numbers of actors: at one instant, frequency changes come before ticks, ticks before the other events of interrupts,
// these before contexts, contexts before lines.
constexpr std::uint64_t first_change_number = 1;
constexpr std::uint64_t first_tick_number = std::uint64_t{1} << 17;
constexpr std::uint64_t first_interrupt_number = std::uint64_t{1} << 18;
constexpr std::uint64_t first_context_number = std::uint64_t{1} << 20;
constexpr std::uint64_t first_slot_number = std::uint64_t{1} << 24;  // of store buffers: below 2^32 with 4096 x 1028

std::uint64_t interrupt_number(std::int32_t cpu) {
    return first_interrupt_number + Interrupts::numbers * static_cast<std::uint64_t>(cpu);
}

}  // namespace

struct Machine::FrequencyChange final : sim::Actor {
    FrequencyChange(Machine& m, std::uint64_t number, std::int32_t c, Frequency f)
        : Actor(number, fire), machine(m), cpu(c), frequency(f) {}
    static sim::Fiber* fire(sim::Actor& actor) {
        auto& self = static_cast<FrequencyChange&>(actor);
        self.machine.change_frequency(self.cpu, self.frequency);
        return nullptr;
    }
    Machine& machine;
    std::int32_t cpu;
    Frequency frequency;
};

/// The timer of one CPU.
struct Machine::Tick final : sim::Actor {
    Tick(Machine& m, std::int32_t cpu)
        : Actor(first_tick_number + static_cast<std::uint64_t>(cpu), fire),
          machine(m),
          source(m.interrupts(cpu).add_source()) {
        source.length = m.config_.tick.length;
        source.recurs = true;
        source.name = "tick";
    }
    static sim::Fiber* fire(sim::Actor& actor) {
        auto& self = static_cast<Tick&>(actor);
        sim::Engine& engine = self.machine.engine_;
        engine.schedule(self, engine.now() + self.machine.config_.tick.period);
        self.source.owner().raise(self.source);
        return nullptr;
    }
    Machine& machine;
    Interrupts::Source& source;
};

Machine::Machine(const MachineConfig& config, const Options& options)
    : config_(config),
      options_(options),
      topology_(config_),
      costs_(config_, topology_, options.latency_noise),
      engine_({.seeded_ties = options.seeded_ties,
               .seed = options.tie_seed.value_or(options.seed),
               .monitor = options.monitor}),
      arena_(static_cast<std::size_t>(config_.line_bytes)),
      stacks_(Arena::stacks_base, options.contexts),
      memory_(engine_, arena_, costs_, options.seed, options.noise_seed.value_or(options.seed)) {
    for (std::int32_t n = 0; n < topology_.cpus(); ++n) {
        cpus_.emplace_back(n, topology_, core_of(config_, topology_, n), config_.request_path_cycles);
    }
    for (Cpu& cpu : cpus_) {
        cpu.reservation.cpu = cpu.number();
        cpu.observer = options.observer;
    }
    if (options.observer != nullptr) { memory_.remember_causes(); }
    if (config_.cpu_relax == CpuRelax::wfe_after) {
        for (Cpu& cpu : cpus_) {
            const std::string name = "cpu_relax.cpu" + std::to_string(cpu.number());
            cpu.relax_calls = &arena_.make<std::uint64_t>(name);
        }
    }
    make_store_buffers();
    for (Cpu& cpu : cpus_) { interrupts_.emplace_back(*this, cpu, interrupt_number(cpu.number())); }
    context_on_cpu_.resize(cpus_.size());
    start_ticks();
    crash_report_ = std::make_unique<sim::CrashReport>(stacks_, engine_, describe, this);
}

void Machine::make_store_buffers() {
    const auto slots = static_cast<std::uint64_t>(config_.store_buffer + StoreBuffer::prefetches);
    for (Cpu& cpu : cpus_) {
        const std::uint64_t number = first_slot_number + slots * static_cast<std::uint64_t>(cpu.number());
        cpu.store_buffer = &store_buffers_.emplace_back(engine_, memory_, cpu, config_, number);
        cpu.shares_core = topology_.has_siblings();
    }
    if (config_.store_buffer > 0 || topology_.has_siblings()) { memory_.start_merging(); }
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

Context& Machine::emplace_context(std::int32_t cpu_number, std::string name, Context::Body body, void* argument) {
    const std::size_t index = contexts_.size();
    return contexts_.emplace_back(*this, cpu(cpu_number), first_context_number + index, index, std::move(name), body,
                                  argument);
}

Context& Machine::add_context(std::int32_t cpu_number, std::string name, Context::Body body, void* argument,
                              Time start) {
    Context& context = emplace_context(cpu_number, std::move(name), body, argument);
    context_on_cpu_[static_cast<std::size_t>(cpu_number)] = &context;
    interrupts(cpu_number).set_thread(context);
    context.start(start);
    ++live_;
    return context;
}

Context& Machine::add_handler(std::int32_t cpu_number, std::string name, Context::Body body, void* argument) {
    Context& context = emplace_context(cpu_number, std::move(name), body, argument);
    context.handler_ = true;
    context.state_ = Context::State::idle;
    has_handlers_ = true;
    return context;
}

void Machine::handle_ticks(std::int32_t cpu_number, Context& handler, bool nests) {
    Interrupts::Source& source = ticks_[static_cast<std::size_t>(cpu_number)].source;
    source.handler = &handler;
    source.nests = nests;
}

void Machine::change_frequency_at(Time at, std::int32_t cpu_number, Frequency f) {
    const std::uint64_t number = first_change_number + frequency_changes_.size();
    engine_.schedule(frequency_changes_.emplace_back(*this, number, cpu_number, f), at);
}

void Machine::change_frequency(std::int32_t cpu_number, Frequency f) {
    if (interrupts(cpu_number).busy()) {
        interrupts(cpu_number).change_frequency_afterwards(f);
    } else {
        set_frequency(cpu_number, f);
    }
}

void Machine::set_frequency(std::int32_t cpu_number, Frequency f) {
    Cpu& changed = cpu(cpu_number);
    Context* context = context_on_cpu_[static_cast<std::size_t>(cpu_number)];
    if (context != nullptr) { context->note_request_begun(); }
    const Cpu before = changed;
    changed.set_frequency(f);
    costs_.set_frequency(cpu_number, f);
    engine_.digest().add(static_cast<std::uint32_t>(Hashed::frequency), static_cast<std::uint32_t>(cpu_number),
                         engine_.now().ps, static_cast<std::uint64_t>(f.hz), 0);
    observe_event("frequency", cpu_number, static_cast<std::uint64_t>(before.clock().frequency().hz),
                  static_cast<std::uint64_t>(f.hz));
    if (context != nullptr) { context->retime(before); }
}

void Machine::observe_event(const char* operation, std::int32_t cpu_number, std::uint64_t before, std::uint64_t after,
                            const char* label) {
    if (options_.observer == nullptr) { return; }
    sim::Step event;
    event.at = engine_.now();
    event.cpu = cpu_number;
    event.operation = operation;
    event.label = label;
    event.old_value = before;
    event.new_value = after;
    options_.observer->on_step(event);
}

sim::Ending Machine::run(Time until) {
    const sim::Ending ending = engine_.run(until);
    current = nullptr;
    return ending;
}

void Machine::context_settled() {
    ++settled_;
    look_for_standstill();
}

void Machine::stores_drained() {
    if (live_ == 0) {
        engine_.stop_at_next_event();
    } else if (settled_ == live_ || has_handlers_) {
        look_for_standstill();
    }
}

void Machine::context_finished() {
    --live_;
    if (live_ == 0) {
        if (memory_.stores_under_way() == 0) { engine_.stop_at_next_event(); }
    } else {
        look_for_standstill();
    }
}

/// Can nothing ever change any more? Without code in interrupts: all live contexts are stuck. With it each CPU must be
/// looked at: what runs there is stuck, and no interrupt that runs code will be taken.
void Machine::look_for_standstill() {
    if (memory_.stores_under_way() != 0) { return; }
    if (!has_handlers_) {
        if (settled_ != live_) { return; }
    } else {
        if (!stands_still(moving_cpu_)) { return; }
        for (std::size_t cpu = 0; cpu < cpus_.size(); ++cpu) {
            if (stands_still(cpu)) { continue; }
            moving_cpu_ = cpu;
            return;
        }
    }
    deadlocked_ = true;
    engine_.stop_at_next_event();
}

bool Machine::stands_still(std::size_t cpu) const {
    const Interrupts& interrupts = interrupts_[cpu];
    const Context* context = interrupts.code();
    return (context == nullptr || context->stuck()) && !interrupts.will_run_code();
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
