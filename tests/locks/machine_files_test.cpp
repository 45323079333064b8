// All machine files run: two locks, contended by CPUs from all over the machine, parked and walked.
#include <algorithm>
#include <filesystem>

#include "model/machine/topology.hpp"
#include "model/scenario/reading/loader.hpp"
#include "model/scenario/reading/machine_reader.hpp"
#include "tests/locks/scenarios.hpp"

using namespace model;
using namespace model::test;

namespace {

const std::string configs = std::string(LOCKSIM_SOURCE_DIR) + "/configs";

std::vector<std::string> machine_files() {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(configs + "/machines")) {
        if (file.path().extension() == ".toml") { names.push_back(file.path().stem().string()); }
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// So many CPUs of different cores, from the first to the last.
std::vector<std::int32_t> spread(const MachineConfig& machine) {
    const Topology topology(machine);
    const std::int32_t cores = topology.cores();
    const std::int32_t count = std::min(cores, 12);
    std::vector<std::int32_t> chosen;
    for (std::int32_t cpu = 0; cpu < topology.cpus(); ++cpu) {
        const auto next = static_cast<std::int32_t>(chosen.size()) * (cores - 1) / (count - 1);
        if (topology.core_of(cpu) == next) { chosen.push_back(cpu); }
    }
    return chosen;
}

}  // namespace

TEST_CASE("a contended lock runs on every machine file, and everybody gets it", "[conformance]") {
    const auto names = machine_files();
    CHECK(names.size() >= 20);
    for (const std::string& name : names) {
        const MachineConfig machine = load_machine(name, configs);
        for (const std::string type : {"ticket", "mcs"}) {
            Scenario s =
                scenario(machine, type, 1, section(constant(sim::nanoseconds(50)), constant(sim::nanoseconds(100))),
                         microseconds(100));
            s.groups[0].cpus = spread(machine);
            const RunResult result = run_of(s);
            INFO(name << ", " << type << ": " << story(result));
            CHECK(result.verdict().kind == VerdictKind::ok);
            for (const auto& thread : result.threads) { CHECK(thread.acquisitions >= 2); }
            // Parking changes nothing: where a core has two threads, a spinner once asked for the copy of another core,
            // requested its line twice, and the line's queue broke.
            s.spin_elision = false;
            CHECK(run_of(s).digest == result.digest);
        }
    }
}
