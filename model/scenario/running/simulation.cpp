// See simulation.hpp. Verdicts are in judgement.cpp, measures in results.cpp.

#include "model/scenario/running/simulation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/scenario/running/program.hpp"
#include "sim/failure.hpp"

namespace model {

using sim::Time;

namespace {

/// The caller's monitor, in the engine's terms.
class MonitorAdapter final : public sim::Monitor {
public:
    explicit MonitorAdapter(RunMonitor& inner) : inner_(inner) {}
    bool keep_going(Time now) override { return inner_.keep_going(now); }

private:
    RunMonitor& inner_;
};

constexpr std::uint64_t window_begin_number = std::uint64_t{1} << 19;  // before the contexts, after clock changes

std::size_t count_threads(const Scenario& scenario) {
    std::size_t n = 0;
    for (const GroupConfig& group : scenario.groups) { n += group.cpus.size(); }
    return n;
}

bool marks_progress(const std::vector<Step>& program) {
    return std::any_of(program.begin(), program.end(),
                       [](const Step& step) { return step.progress || marks_progress(step.body); });
}

/// For observers: "acquire timers", "work".
std::string default_label(const Step& step) {
    for (const StepVerb& verb : step_verbs()) {
        if (verb.kind != step.kind) { continue; }
        return step.target.empty() ? std::string(verb.name) : fmt::format("{} {}", verb.name, step.target);
    }
    return {};
}

template <class Items, class NameOf>
std::int32_t index_of(const Items& items, std::string_view name, NameOf name_of) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (name_of(items[i]) == name) { return static_cast<std::int32_t>(i); }
    }
    throw sim::InternalError(fmt::format("the scenario has nothing named \"{}\"", name));
}

}  // namespace

struct Simulation::WindowBegin final : sim::Actor {
    explicit WindowBegin(Simulation& s) : Actor(window_begin_number, fire), simulation(s) {}
    static sim::Fiber* fire(sim::Actor& actor) {
        Simulation& simulation = static_cast<WindowBegin&>(actor).simulation;
        simulation.warmup_over_ = true;
        simulation.begin_window_if_due();
        return nullptr;
    }
    Simulation& simulation;
};

Simulation::Simulation(const Scenario& scenario, const Catalogue& catalogue, const RunOptions& options)
    : scenario_(scenario), options_(options), progress_(scenario.duration) {
    if (options.monitor != nullptr) { monitor_ = std::make_unique<MonitorAdapter>(*options.monitor); }
    Machine::Options machine;
    machine.seed = scenario_.seed;
    machine.noise_seed = options.noise_seed;
    machine.tie_seed = options.tie_seed;
    machine.spin_elision = scenario_.spin_elision;
    machine.walk_in_pieces = options.walk_in_pieces;
    machine.seeded_ties = scenario_.tie_break == TieBreak::seeded;
    machine.latency_noise = scenario_.noise.latency;
    machine.contexts = count_threads(scenario_);
    machine.monitor = monitor_.get();
    machine.observer = options.observer;
    machine_ = std::make_unique<Machine>(scenario_.machine, machine);
    place_data();
    make_locks(catalogue);
    make_threads(catalogue);
    injection_ = std::make_unique<Injection>(*this, scenario_.events);
    for (GroupConfig& group : scenario_.groups) { watch_labels(group.program); }
    window_begin_event_ = std::make_unique<WindowBegin>(*this);
    machine_->engine().schedule(*window_begin_event_, scenario_.warmup);
}

Simulation::~Simulation() = default;

void Simulation::place_data() {
    for (const LineConfig& config : scenario_.lines) {
        void* data = arena().allocate(config.name, static_cast<std::size_t>(config.bytes));
        lines_.push_back({config.name, static_cast<std::byte*>(data), config.bytes});
        if (config.home >= 0) { machine_->memory().place(arena().slots().back(), config.home); }
    }
    for (const FlagConfig& config : scenario_.flags) {
        flags_.push_back({config.name, &arena().make<Atomic<std::int64_t>>(config.name, config.initial)});
    }
}

void Simulation::make_locks(const Catalogue& catalogue) {
    const std::size_t threads = count_threads(scenario_);
    for (const LockConfig& config : scenario_.locks) {
        const LockEntry* entry = catalogue.find_lock(config.type);
        if (entry == nullptr) { throw sim::InternalError(fmt::format("no lock type \"{}\"", config.type)); }
        LockInstance& lock = locks_.emplace_back(static_cast<std::int32_t>(locks_.size()), config, *entry, threads);
        lock.account = arena().open_account(config.name);
        lock.algorithm = entry->make(arena(), config.name, config.parameters);
        arena().close_account();
    }
}

void Simulation::make_threads(const Catalogue& catalogue) {
    for (GroupConfig& group : scenario_.groups) {
        resolve(group.program);
        Workload* workload = nullptr;
        if (!group.workload.empty()) {
            const WorkloadEntry* entry = catalogue.find_workload(group.workload);
            if (entry == nullptr) { throw sim::InternalError(fmt::format("no workload \"{}\"", group.workload)); }
            workload = workloads_.emplace_back(entry->make(*this, group.parameters)).get();
        }
        for (std::size_t i = 0; i < group.cpus.size(); ++i) {
            Thread& thread = threads_.emplace_back(*this, static_cast<std::int32_t>(threads_.size()),
                                                   thread_name(group, i), group, group.cpus[i]);
            thread.workload = workload;
            thread.marks_progress = marks_progress(group.program);
            thread_names_.push_back(thread.name());
        }
    }
    for (Thread& thread : threads_) {
        for (LockInstance& lock : locks_) {
            arena().resume_account(lock.account);
            thread.lock_contexts.push_back(
                lock.algorithm->make_context(arena(), fmt::format("{}.node.{}", lock.name(), thread.name())));
        }
        arena().close_account();
        if (thread.handles_interrupts()) {
            install_handler(thread);
        } else {
            start_thread(thread);
        }
    }
}

void Simulation::start_thread(Thread& thread) {
    const auto index = static_cast<std::uint64_t>(thread.index());
    sim::RandomStream phase(scenario_.seed, fmt::format("start phase {}", options_.phase), index);
    const Distribution& d = scenario_.noise.start_phase;
    const Clock& clock = machine_->cpu(thread.cpu()).clock();
    Time start = clock.length(d.low).time();
    if (d.kind == Distribution::Kind::uniform) { start.ps = phase.uniform(start.ps, clock.length(d.high).time().ps); }
    if (d.kind == Distribution::Kind::exponential) { start.ps = phase.exponential(start.ps); }
    progress_.definite_step({}, start);
    thread.context = &machine_->add_context(thread.cpu(), thread.name(), Thread::run, &thread, start);
}

void Simulation::install_handler(Thread& thread) {
    Context& context = machine_->add_handler(thread.cpu(), thread.name(), Thread::run_handler, &thread);
    thread.context = &context;
    if (thread.group().interrupt == InterruptKind::tick) {
        machine_->handle_ticks(thread.cpu(), context, thread.group().nests);
        return;
    }
    Interrupts::Source& source = machine_->interrupts(thread.cpu()).add_source();
    source.handler = &context;
    source.name = thread.group().name.c_str();
    source.nests = thread.group().nests;
    ipis_.emplace_back(&thread, &source);
}

void Simulation::send_ipi(const Step& step, const Thread& sender) {
    const Time at = now() + machine_->config().ipi.latency;
    for (const auto& [handler, source] : ipis_) {
        if (handler->group().name != step.target) { continue; }
        const bool named = step.value >= 0;
        if (named ? handler->cpu() == step.value : handler->cpu() != sender.cpu()) {
            source->owner().raise_at(*source, at);
        }
    }
}

void Simulation::watch_labels(std::vector<Step>& program) {
    for (Step& step : program) {
        step.place = ++places_;
        step.watched = injection_->watches(step);
        watch_labels(step.body);
    }
}

void Simulation::resolve(std::vector<Step>& program) const {
    for (Step& step : program) {
        if (step.label.empty()) { step.label = default_label(step); }
        switch (step.kind) {
            case Step::Kind::acquire:
            case Step::Kind::try_acquire:
            case Step::Kind::release:
                step.target_index = index_of(locks_, step.target, [](const LockInstance& l) { return l.name(); });
                break;
            case Step::Kind::read:
            case Step::Kind::write:
                step.target_index = index_of(lines_, step.target, [](const SharedLine& l) { return l.name; });
                break;
            case Step::Kind::repeat:
                resolve(step.body);
                if (step.target.empty()) { break; }
                [[fallthrough]];
            case Step::Kind::set:
            case Step::Kind::wait:
                step.target_index = index_of(flags_, step.target, [](const Flag& f) { return f.name; });
                break;
            default: break;
        }
    }
}

LockInstance& Simulation::lock(std::string_view name) {
    return lock(index_of(locks_, name, [](const LockInstance& l) { return l.name(); }));
}
SharedLine& Simulation::line(std::string_view name) {
    return line(index_of(lines_, name, [](const SharedLine& l) { return l.name; }));
}
Flag& Simulation::flag(std::string_view name) {
    return flag(index_of(flags_, name, [](const Flag& f) { return f.name; }));
}

void Simulation::begin_window_if_due() {
    if (window_open_ || !warmup_over_) { return; }
    const auto wanted = static_cast<std::uint64_t>(scenario_.warmup_operations);
    for (const Thread& thread : threads_) {
        if (thread.bodies < wanted && !thread.handles_interrupts()) { return; }
    }
    window_open_ = true;
    window_begin_ = now();
    machine_->memory().forget_transfers();
    for (LockInstance& lock : locks_) { lock.monitor().begin_window(window_begin_); }
    for (Thread& thread : threads_) {
        thread.operations = thread.acquisitions = 0;
        thread.waits.clear();
        thread.longest_wait = {};
        thread.context->forget_counts();
    }
}

void Simulation::body_done(Thread& thread, Time began) {
    ++thread.bodies;
    ++thread.operations;
    // A handler's end is no progress: ticks go on in every livelock.
    const bool counts = !thread.marks_progress && !thread.try_failed && !thread.handles_interrupts();
    progress_.body_done(began, now(), counts);
    if (!window_open_) [[unlikely]] { begin_window_if_due(); }
}

void Simulation::thread_finished(Thread& thread) {
    thread.finished = true;
    thread.finished_at = now();
    if (thread.locks_held > 0) { look_for_deadlock(thread); }
}

void Simulation::kill(Thread& thread) {
    if (thread.finished) { return; }
    thread.finished = thread.killed = true;
    thread.finished_at = now();
    if (thread.waiting_for != nullptr) { thread.waiting_for->monitor().give_up_acquire(thread.index()); }
    thread.context->kill();
    if (thread.locks_held > 0 && closes_deadlock_of_all(thread)) { machine_->engine().stop_at_next_event(); }
}

}  // namespace model
