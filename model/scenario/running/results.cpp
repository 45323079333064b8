// Reads a finished simulation out into a RunResult.

#include "model/scenario/reading/loader.hpp"
#include "model/scenario/running/simulation.hpp"

namespace model {

using sim::Time;
using sim::to_nanoseconds;

RunResult Simulation::results(double host_seconds) {
    RunResult r;
    r.title = scenario_.title;
    r.file = scenario_.file;
    r.config_digest = scenario_.config_digest;
    r.variant = scenario_.variant;
    r.seed = scenario_.seed;
    r.phase = options_.phase;
    r.phases = scenario_.phases;
    r.digest = machine_->engine().digest().value();
    r.events = machine_->engine().events();
    r.switches = machine_->engine().switches();
    r.simulated_ns = to_nanoseconds(now());
    r.window_ns = window_open_ ? to_nanoseconds(now() - window_begin_) : 0;
    r.host_seconds = host_seconds;
    r.machine_preset = scenario_.machine.preset;
    r.machine_estimated = scenario_.machine.estimated;
    r.machine_numbers = count_numbers(scenario_.machine);
    r.machine_estimated_numbers = count_estimated(scenario_.machine);
    r.memory_order = scenario_.machine.store_buffer > 0 ? "tso" : "sc";
    r.never_happened = injection_->never_happened(now());
    r.verdicts = verdicts_;

    std::uint64_t acquisitions = 0;
    for (LockInstance& lock : locks_) {
        r.locks.push_back(lock_result(lock));
        acquisitions += r.locks.back().acquisitions;
    }
    if (acquisitions > 0) { r.ns_per_acquisition = r.window_ns / static_cast<double>(acquisitions); }
    for (Thread& thread : threads_) {
        r.threads.push_back(thread_result(thread));
        r.accesses += thread.context->accesses();
    }
    for (Context& context : machine_->contexts()) { context.count_stall_under_way(); }
    for (std::int32_t n = 0; n < machine_->topology().cpus(); ++n) { r.cpus.push_back(cpu_result(n)); }
    return r;
}

LockResult Simulation::lock_result(LockInstance& lock) {
    LockResult r = lock.monitor().result(now(), thread_names_);
    r.name = lock.name();
    r.type = lock.config().type;
    const std::span<const std::uint64_t> transfers = machine_->memory().transfers(lock.account);
    const double per = r.acquisitions > 0 ? 1.0 / static_cast<double>(r.acquisitions) : 0;
    const auto& classes = scenario_.machine.distances;
    for (std::size_t c = 0; c < classes.size(); ++c) {
        r.transfers_per_acquisition.emplace_back(classes[c].first, static_cast<double>(transfers[c + 1]) * per);
    }
    r.transfers_per_acquisition.emplace_back("memory", static_cast<double>(transfers[0]) * per);
    return r;
}

ThreadResult Simulation::thread_result(Thread& thread) {
    ThreadResult r;
    r.name = thread.name();
    r.group = thread.group().name;
    r.cpu = thread.cpu();
    r.operations = thread.operations;
    r.acquisitions = thread.acquisitions;
    r.wait_ns = thread.waits.summary(1e3);
    Time longest = thread.longest_wait;
    Time since = thread.longest_wait_since;
    for (const LockInstance& lock : locks_) {
        const WaitRecord wait = lock.monitor().wait_under_way(thread.index(), now());
        if (wait.thread >= 0 && wait.length > longest) {
            longest = wait.length;
            since = wait.since;
        }
    }
    r.longest_wait_ns = to_nanoseconds(longest);
    r.longest_wait_at_ns = to_nanoseconds(since);
    r.handler = thread.handles_interrupts();
    r.cas_success = thread.context->cas_successes();
    r.cas_fail = thread.context->cas_failures();
    r.sc_success = thread.context->sc_successes();
    r.sc_fail = thread.context->sc_failures();
    r.finished = thread.finished && !thread.killed;
    r.finished_at_ns = to_nanoseconds(thread.finished_at);
    return r;
}

CpuResult Simulation::cpu_result(std::int32_t number) {
    Cpu& cpu = machine_->cpu(number);
    cpu.become(cpu.activity(), now());
    const auto spent = [&](Activity a) { return to_nanoseconds(cpu.spent()[static_cast<std::size_t>(a)]); };
    CpuResult r;
    r.cpu = number;
    r.time_ns = {.work = spent(Activity::work),
                 .critical = spent(Activity::critical),
                 .spin = spent(Activity::spin),
                 .stall = spent(Activity::stall),
                 .interrupt = spent(Activity::interrupt),
                 .preempted = spent(Activity::preempted),
                 .halted = spent(Activity::halted),
                 .switching = spent(Activity::switching),
                 .idle = spent(Activity::idle)};
    return r;
}

}  // namespace model
