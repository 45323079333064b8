#pragma once
// Machines built in code for the tests, and a machine whose CPUs run lambdas. All times come out round: at 1 GHz a
// cycle is a nanosecond.

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "model/machine/machine.hpp"
#include "model/smp.hpp"
#include "sim/random.hpp"

namespace model::test {

using sim::nanoseconds;
using sim::picoseconds;
using sim::Time;

constexpr Frequency mhz(std::int64_t n) { return {n * 1'000'000}; }

/// One cluster at 1 GHz. An isolated transfer of 100 ns is 10 request, 20 wires, 20 snoop, 20 wires, 30 response.
inline MachineConfig round_machine(std::int32_t cpus = 4) {
    MachineConfig m;
    m.preset = "round";
    m.clusters = {{"cpus", {.cpus = cpus, .distance = "near", .core = {}}}};
    m.clusters[0].second.core = {.frequency = mhz(1'000),
                                 .hit = cycles(1),
                                 .rmw = cycles(5),
                                 .fence = cycles(2),
                                 .relax = cycles(3),
                                 .loop = cycles(0)};
    m.distances = {{"near",
                    {.transfer = nanoseconds(100),
                     .forward = nanoseconds(40),
                     .read_occupancy = nanoseconds(10),
                     .far_occupancy = nanoseconds(9)}}};
    m.across = "near";
    m.request_path_cycles = 10;
    m.snoop_path_cycles = 20;
    m.response_path_cycles = 30;
    m.memory = nanoseconds(200);
    m.arbitration = Arbitration::fixed;
    return m;
}

/// The same with so many clusters of so many CPUs each, 300 ns (forward 140, read occupancy 50) apart.
inline MachineConfig clustered_machine(std::int32_t clusters, std::int32_t cpus_each) {
    MachineConfig m = round_machine(cpus_each);
    const ClusterConfig cluster = m.clusters[0].second;
    m.clusters.clear();
    for (std::int32_t n = 0; n < clusters; ++n) { m.clusters.emplace_back(fmt::format("c{}", n), cluster); }
    m.distances.emplace_back("across", DistanceConfig{.transfer = nanoseconds(300),
                                                      .forward = nanoseconds(140),
                                                      .read_occupancy = nanoseconds(50),
                                                      .far_occupancy = nanoseconds(9)});
    m.across = "across";
    return m;
}

/// No memory system: lines move in no time, every instruction takes a cycle of 0.1 ns, as configs/machines/ideal.toml.
inline MachineConfig ideal_machine(std::int32_t cpus = 64) {
    MachineConfig m;
    m.preset = "ideal";
    m.clusters = {{"cpus", {.cpus = cpus, .distance = "none", .core = {}}}};
    m.clusters[0].second.core = {.frequency = mhz(10'000),
                                 .hit = cycles(1),
                                 .rmw = cycles(1),
                                 .fence = cycles(1),
                                 .relax = cycles(1),
                                 .loop = cycles(0)};
    m.distances = {{"none", {}}};
    m.across = "none";
    m.arbitration = Arbitration::fixed;
    return m;
}

/// Anything a machine file may say, in up to three clusters.
inline MachineConfig random_machine(sim::RandomStream& random, std::int32_t cpus) {
    const auto ns = [&](std::int64_t low, std::int64_t high) {
        return picoseconds(random.uniform(low * 1'000, high * 1'000));
    };
    const auto any_span = [&](std::int64_t most) {
        return random.below(4) == 0 ? span(picoseconds(random.uniform(200, most * 500)))
                                    : cycles(random.uniform(1, most));
    };
    MachineConfig m;
    m.preset = "random";
    for (std::int32_t left = cpus; left > 0;) {
        ClusterConfig cluster;
        cluster.cpus = m.clusters.size() == 2 ? left : static_cast<std::int32_t>(random.uniform(1, left));
        left -= cluster.cpus;
        cluster.distance = fmt::format("inside{}", m.clusters.size());
        cluster.core = {.frequency = {random.uniform(100'000'000, 4'000'000'000)},
                        .hit = cycles(random.uniform(1, 5)),
                        .rmw = any_span(20),
                        .fence = any_span(10),
                        .relax = any_span(40),
                        .loop = cycles(0)};
        if (random.below(2) == 0) { cluster.core.loop = any_span(30); }
        m.distances.emplace_back(
            cluster.distance,
            DistanceConfig{
                .transfer = ns(5, 100), .forward = ns(1, 50), .read_occupancy = ns(0, 20), .far_occupancy = ns(1, 20)});
        m.clusters.emplace_back(fmt::format("c{}", m.clusters.size()), cluster);
    }
    m.distances.emplace_back(
        "across",
        DistanceConfig{
            .transfer = ns(50, 400), .forward = ns(20, 200), .read_occupancy = ns(0, 60), .far_occupancy = ns(1, 20)});
    m.across = "across";
    m.request_path_cycles = random.uniform(0, 20);
    m.snoop_path_cycles = random.uniform(0, 20);
    m.response_path_cycles = random.uniform(0, 20);
    m.retention = ns(0, 12);
    m.memory = ns(20, 150);
    m.arbitration = random.below(2) == 0 ? Arbitration::drawn : Arbitration::fixed;
    m.discipline = static_cast<Discipline>(random.below(4));
    m.overtake_bound = static_cast<std::int32_t>(random.uniform(1, 16));
    m.atomics = random.below(4) == 0 ? static_cast<Atomics>(random.below(3)) : Atomics::near;
    m.cas_failure = random.below(2) == 0 ? CasFailure::exclusive : CasFailure::shared;
    m.rmw_by = random.below(3) == 0 ? RmwBy::llsc : RmwBy::instruction;
    m.load_exclusive = random.below(3) == 0 ? LoadExclusive::exclusive : LoadExclusive::shared;
    m.llsc_hold_cycles = random.below(3) == 0 ? random.uniform(0, 30) : 0;
    m.waiting = random.below(3) == 0 ? Waiting::wfe : Waiting::poll;
    if (random.below(2) == 0) { m.event_stream = ns(1'000, 20'000); }
    if (random.below(2) == 0) { m.tick = {.period = ns(3'000, 20'000), .length = ns(10, 1'500), .skew = ns(0, 3'000)}; }
    return m;
}

/// A machine whose CPUs run lambdas. They must not throw: they log, and the test checks after run().
class Cpus {
public:
    using Body = std::function<void(Context&)>;

    explicit Cpus(const MachineConfig& config, Machine::Options options = {}) : machine(config, with_room(options)) {}

    Context& add(std::int32_t cpu, Body body, Time start = {}) {
        Job& job = jobs_.emplace_back(Job{std::move(body), nullptr});
        job.context = &machine.add_context(cpu, fmt::format("cpu{}", cpu), run_job, &job, start);
        return *job.context;
    }
    sim::Ending run(Time until = sim::seconds(1)) { return machine.run(until); }

    /// A word in memory that no cache has, and one that a CPU owns.
    Atomic<std::uint64_t>& word(std::string_view name = "word") {
        return machine.arena().make<Atomic<std::uint64_t>>(name);
    }
    Atomic<std::uint64_t>& word_of(std::int32_t cpu, std::string_view name = "word") {
        auto& made = word(name);
        machine.memory().place(machine.arena().slots().back(), cpu);
        return made;
    }
    Time now() { return machine.engine().now(); }
    std::uint64_t digest() { return machine.engine().digest().value(); }

    Machine machine;

private:
    struct Job {
        Body body;
        Context* context;
    };
    static void run_job(void* argument) {
        auto& job = *static_cast<Job*>(argument);
        job.body(*job.context);
    }
    static Machine::Options with_room(Machine::Options options) {
        if (options.contexts == Machine::Options{}.contexts) { options.contexts = 64; }
        return options;
    }
    std::deque<Job> jobs_;
};

}  // namespace model::test
