// Did behaviour change? Digests of a few scenarios per lock, against the approved ones in golden_digests.txt. They are
// equal for every compiler, optimization and sanitizer, so that a difference is a difference in behaviour.
//
// After an intended change: tests/approve_golden.sh [BUILD FOLDER], and say in the commit why traces change.
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/locks/scenarios.hpp"

using namespace model;
using namespace model::test;

namespace {

const std::string approved_file = LOCKSIM_SOURCE_DIR "/tests/locks/golden_digests.txt";

std::vector<std::pair<std::string, Scenario>> golden_scenarios(const std::string& type) {
    std::vector<std::pair<std::string, Scenario>> all;
    const auto add = [&](const char* name, const Scenario& s) { all.emplace_back(name, s); };
    const Distribution hold = constant(cycles(40));
    const Distribution outside = exponential(nanoseconds(300));
    add("ideal", counter_scenario(ideal_machine(8), type, 8, constant(nanoseconds(50)), exponential(nanoseconds(200)),
                                  microseconds(100)));
    add("round", counter_scenario(round_machine(), type, 4, hold, outside, microseconds(300)));

    MachineConfig drawn = clustered_machine(2, 4);
    drawn.arbitration = Arbitration::drawn;
    drawn.retention = nanoseconds(6);
    drawn.discipline = Discipline::by_domain;
    Scenario noisy = counter_scenario(drawn, type, 8, hold, outside, microseconds(300));
    noisy.noise.work = noisy.noise.latency = {10'000};
    noisy.tie_break = TieBreak::seeded;
    add("clustered, noise, seeded ties", noisy);

    MachineConfig slow_and_fast = clustered_machine(2, 2);
    slow_and_fast.clusters[0].second.core.frequency = mhz(300);
    slow_and_fast.discipline = Discipline::nearest_first;
    slow_and_fast.overtake_bound = 3;
    Scenario throttled = counter_scenario(slow_and_fast, type, 4, hold, outside, microseconds(300));
    throttled.events = {{.at = microseconds(100), .cpu = 3, .frequency = mhz(433)},
                        {.at = microseconds(200), .cpu = 3, .frequency = mhz(1'000)},
                        {.at = microseconds(150), .cpu = 0, .frequency = mhz(777)}};
    add("slow and fast, changing clocks, nearest first", throttled);

    MachineConfig far = round_machine(6);
    far.atomics = Atomics::far;
    far.discipline = Discipline::random;
    add("far atomics, random service", counter_scenario(far, type, 6, hold, outside, microseconds(300)));
    return all;
}

std::map<std::string, std::string> approved() {
    std::map<std::string, std::string> digests;
    std::ifstream in(approved_file);
    for (std::string line; std::getline(in, line);) {
        if (line.size() > 17 && line[0] != '#') { digests[line.substr(17)] = line.substr(0, 16); }
    }
    return digests;
}

}  // namespace

TEST_CASE("every lock behaves as approved, to the last event", "[golden]") {
    const bool approve = std::getenv("LOCKSIM_APPROVE") != nullptr;
    const auto expected = approved();
    std::ostringstream table;
    table << "# Digest, lock, scenario of tests/locks/golden_test.cpp. Written by tests/approve_golden.sh.\n";
    for (const std::string& type : lock_types()) {
        for (const auto& [name, s] : golden_scenarios(type)) {
            const std::string row = fmt::format("{}: {}", type, name);
            const std::string digest = fmt::format("{:016x}", run_of(s).digest);
            table << digest << " " << row << "\n";
            if (approve) { continue; }
            INFO(row);
            CHECK(expected.count(row) == 1);
            if (expected.count(row) == 1) { CHECK(digest == expected.at(row)); }
        }
    }
    if (approve) { std::ofstream(approved_file) << table.str(); }
}
