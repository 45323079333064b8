// What a scenario costs the host besides its steps: start-up and memory.

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "locks/catalogue.hpp"
#include "model/scenario/running/runner.hpp"
#include "model/scenario/running/simulation.hpp"
#include "sim/failure.hpp"
#include "tools/bench/benches.hpp"
#include "tools/bench/load.hpp"

namespace bench {

namespace {

using model::Step;

model::Scenario contended_lock(std::int32_t cpus, sim::Time duration) {
    model::Scenario scenario;
    scenario.title = "contended ticket lock";
    scenario.duration = duration;
    scenario.machine = server(cpus);
    scenario.locks.emplace_back();
    scenario.locks.back().name = "lock";
    scenario.locks.back().type = "ticket";
    model::GroupConfig& group = scenario.groups.emplace_back();
    group.name = "threads";
    for (std::int32_t cpu = 0; cpu < cpus; ++cpu) { group.cpus.push_back(cpu); }
    group.program.resize(4);
    for (Step& step : group.program) { step.target = "lock"; }
    group.program[0].kind = Step::Kind::acquire;
    group.program[1].kind = Step::Kind::work;
    group.program[1].amount.low = model::cycles(20);
    group.program[2].kind = Step::Kind::release;
    group.program[3].kind = Step::Kind::think;
    group.program[3].amount.low = model::cycles(30);
    return scenario;
}

/// Of this process, without what is mapped from files: Linux counts that page by page as it is touched.
double resident_bytes() {
    std::ifstream status("/proc/self/status");
    double kib = 0;
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("RssAnon:") || line.starts_with("RssShmem:")) {
            kib += std::stod(line.substr(line.find(':') + 1));
        }
    }
    return kib * 1024;
}

/// Of a process of its own that has run a contended lock on so many CPUs, until every thread has waited and held it.
double resident_bytes_after_run(std::int32_t cpus) {
    malloc_trim(0);  // else the child finds room in what earlier benchmarks have freed
    int ends[2];
    if (pipe(ends) != 0) { throw sim::InternalError("pipe() failed"); }
    const pid_t child = fork();
    if (child == 0) {
        double bytes = 0;
        const sim::Time hand_over = std::max(sim::microseconds(20), sim::nanoseconds(10) * cpus);
        model::Simulation simulation(contended_lock(cpus, hand_over * cpus), locks::catalogue(), {});
        simulation.run();
        bytes = resident_bytes();
        _exit(write(ends[1], &bytes, sizeof bytes) == sizeof bytes ? 0 : 1);
    }
    close(ends[1]);
    double bytes = 0;
    const bool told = child > 0 && read(ends[0], &bytes, sizeof bytes) == sizeof bytes;
    close(ends[0]);
    if (child > 0) { waitpid(child, nullptr, 0); }
    if (!told) { throw sim::InternalError("the process that measures memory failed"); }
    return bytes;
}

}  // namespace

/// From a scenario in memory to its first steps, and down again.
Row measure_start(std::int32_t cpus, const Effort& effort) {
    const model::Scenario scenario = contended_lock(cpus, sim::microseconds(2));
    const std::int64_t starts = std::max<std::int64_t>(1, effort.starts * 2 / cpus);
    const auto starts_ns = [&] {
        const double begin = cpu_time_ns();
        for (std::int64_t n = 0; n < starts; ++n) { model::run(scenario, locks::catalogue()); }
        return (cpu_time_ns() - begin) / static_cast<double>(starts);
    };
    std::vector<double> samples;
    samples.reserve(static_cast<std::size_t>(effort.repeats));
    for (int n = 0; n < effort.repeats; ++n) { samples.push_back(starts_ns()); }
    Row row;
    row.ns = least(samples);
    constexpr std::int32_t small = 8;
    if (cpus <= small) { row.budget = {Budget::Judged::ns, 20e6, std::nullopt}; }
    return row;
}

/// What one more CPU costs: a run on many less a run on few.
Row measure_memory(std::int32_t cpus, const Effort&) {
    const std::int32_t few = cpus > 8 ? 8 : 1;
    Row row;
    row.bytes = (resident_bytes_after_run(cpus) - resident_bytes_after_run(few)) / (cpus - few);
    row.budget = {Budget::Judged::bytes, 128.0 * 1024, std::nullopt};
    return row;
}

}  // namespace bench
