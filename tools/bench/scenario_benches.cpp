// What a scenario costs the host besides its steps: start-up and memory.

#include <malloc.h>
#include <unistd.h>

#include <fstream>

#include "locks/catalogue.hpp"
#include "model/scenario/running/runner.hpp"
#include "model/scenario/running/simulation.hpp"
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

double resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    double size = 0, resident = 0;
    statm >> size >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

/// From a scenario in memory to its first steps, and down again.
Row measure_start(std::int32_t cpus, const Effort& effort) {
    const model::Scenario scenario = contended_lock(cpus, sim::microseconds(2));
    const auto starts_ns = [&] {
        const double begin = cpu_time_ns();
        for (std::int64_t n = 0; n < effort.starts; ++n) { model::run(scenario, locks::catalogue()); }
        return (cpu_time_ns() - begin) / static_cast<double>(effort.starts);
    };
    std::vector<double> samples;
    for (int n = 0; n < effort.repeats; ++n) { samples.push_back(starts_ns()); }
    Row row;
    row.ns = median(samples);
    row.budget = {Budget::Judged::ns, 20e6, std::nullopt};
    return row;
}

/// After a run in which every thread has waited for the lock and held it.
Row measure_memory(std::int32_t cpus, const Effort&) {
    malloc_trim(0);  // what earlier benchmarks have freed does not count as there
    const double before = resident_bytes();
    const model::Scenario scenario = contended_lock(cpus, sim::microseconds(20) * cpus);
    model::Simulation simulation(scenario, locks::catalogue(), {});
    simulation.run();
    Row row;
    row.bytes = (resident_bytes() - before) / cpus;
    row.budget = {Budget::Judged::bytes, 128.0 * 1024, std::nullopt};
    return row;
}

}  // namespace bench
