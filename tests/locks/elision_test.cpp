// Parking spinners changes nothing: the same digest, end and measures with and without, for every lock on random
// machines with everything that may fall inside a parked wait.
#include <vector>

#include "tests/locks/scenarios.hpp"

using namespace model;
using namespace model::test;

namespace {

/// A random machine and scenario for one lock: 1 to 16 CPUs, several groups, noise, changes of the clocks, seeded ties.
Scenario random_scenario(const std::string& type, std::uint64_t seed) {
    sim::RandomStream random(seed, "scenario");
    const auto n = static_cast<std::int32_t>(random.uniform(1, 16));
    Scenario s = scenario(random_machine(random, n), type, n, {}, picoseconds(random.uniform(20'000'000, 60'000'000)));
    s.seed = seed;
    s.tie_break = random.below(2) == 0 ? TieBreak::actor : TieBreak::seeded;
    if (random.below(2) == 0) { s.noise.work = s.noise.latency = {20'000}; }
    if (random.below(3) == 0) { s.noise.start_phase = constant(Time{}); }
    const auto amount = [&] {
        const std::int64_t high = random.uniform(1, 1'500);
        switch (random.below(3)) {
            case 0: return constant(cycles(high));
            case 1: return constant(nanoseconds(high));
            default: return exponential(nanoseconds(high));
        }
    };
    s.lines = {{"data", 128, -1}};
    const auto first = static_cast<std::int32_t>(random.uniform(0, n));
    std::vector<Step> plain = section(amount(), amount());
    plain.insert(plain.begin() + 1, step(Step::Kind::write, "data"));
    std::vector<Step> trying{try_acquire(3, amount()), work(amount()), release(), step(Step::Kind::read, "data"),
                             think(amount())};
    s.groups.clear();
    if (first > 0) { s.groups.push_back(group("plain", cpus(0, first), plain, random.below(3) == 0 ? 20 : 0)); }
    if (first < n) {
        s.groups.push_back(group("other", cpus(first, n - first), random.below(3) == 0 ? trying : plain));
    }
    for (auto left = random.below(12); left > 0; --left) {
        EventConfig change;
        change.at = picoseconds(random.uniform(0, s.duration.ps));
        change.cpu = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(n)));
        change.frequency = {random.uniform(50'000'000, 4'000'000'000)};
        s.events.push_back(change);
    }
    if (random.below(2) == 0) { s.warmup = s.duration / 4; }
    return s;
}

void check_same(Scenario s) {
    s.spin_elision = true;
    const RunResult parked = run_of(s);
    s.spin_elision = false;
    const RunResult walked = run_of(s);
    INFO("seed " << s.seed << ": " << story(parked) << " / " << story(walked));
    REQUIRE(parked.digest == walked.digest);
    REQUIRE(parked.simulated_ns == walked.simulated_ns);
    REQUIRE(parked.accesses == walked.accesses);  // symptom: polls of a wait that had not ended were not counted
    REQUIRE(parked.verdict().kind == walked.verdict().kind);
    REQUIRE(parked.locks[0].acquisitions == walked.locks[0].acquisitions);
    REQUIRE(parked.locks[0].wait_ns.mean == walked.locks[0].wait_ns.mean);
    for (std::size_t i = 0; i < parked.cpus.size(); ++i) {
        REQUIRE(parked.cpus[i].time_ns.spin == walked.cpus[i].time_ns.spin);
        REQUIRE(parked.cpus[i].time_ns.stall == walked.cpus[i].time_ns.stall);
    }
}

}  // namespace

TEST_CASE("parking spinners changes nothing on random machines", "[determinism]") {
    const std::string type = GENERATE(from_range(lock_types()));
    INFO(type);
    for (std::uint64_t seed = 1; seed <= 300; ++seed) { check_same(random_scenario(type, seed)); }
}

TEST_CASE("parking spinners changes nothing on very many random machines", "[determinism][slow]") {
    const std::string type = GENERATE(from_range(lock_types()));
    INFO(type);
    for (std::uint64_t seed = 1'000; seed < 2'500; ++seed) { check_same(random_scenario(type, seed)); }
}

TEST_CASE("a run repeats to the last event, and another seed gives another", "[determinism]") {
    const std::string type = GENERATE(from_range(lock_types()));
    INFO(type);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Scenario s = random_scenario(type, seed);
        const RunResult once = run_of(s);
        const RunResult again = run_of(s);
        REQUIRE(once.digest == again.digest);
        REQUIRE(once.events == again.events);
    }
    Scenario s = counter_scenario(round_machine(), type, 4, exponential(nanoseconds(50)), exponential(nanoseconds(50)),
                                  microseconds(50));
    const std::uint64_t first = run_of(s).digest;
    s.seed = 2;
    CHECK(run_of(s).digest != first);
    s.seed = 1;
    CHECK(run_of(s, locks::catalogue(), 2).digest != first);
}

TEST_CASE("all of a CPU's time adds up to the run", "[determinism]") {
    const std::string type = GENERATE(from_range(lock_types()));
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const RunResult r = run_of(random_scenario(type, seed));
        INFO(type << ", seed " << seed);
        for (const CpuResult& cpu : r.cpus) {
            const CpuTime& t = cpu.time_ns;
            REQUIRE(t.work + t.critical + t.spin + t.stall + t.interrupt + t.preempted + t.halted + t.switching +
                        t.idle ==
                    Catch::Approx(r.simulated_ns).epsilon(1e-12));
        }
    }
}
