// All machine files: each loads, and two CPUs of every distance class exchange a line in the time that the file says.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "model/machine/clock.hpp"
#include "model/scenario/reading/loader.hpp"
#include "model/scenario/reading/machine_reader.hpp"
#include "tests/catch.hpp"
#include "tests/model/machines.hpp"

using namespace model;
using namespace model::test;
using namespace smp;

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

/// For each distance class the first two CPUs of different cores that are so far apart; none: {-1, -1}.
std::vector<std::pair<std::int32_t, std::int32_t>> pairs_of(const MachineConfig& machine) {
    const Topology topology(machine);
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs(machine.distances.size(), {-1, -1});
    for (std::int32_t a = 0; a < topology.cpus(); ++a) {
        for (std::int32_t b = a + 1; b < topology.cpus(); ++b) {
            if (topology.core_of(a) == topology.core_of(b)) { continue; }
            auto& pair =
                pairs[static_cast<std::size_t>(topology.distance(topology.domain_of(a), topology.domain_of(b)))];
            if (pair.first < 0) { pair = {a, b}; }
        }
    }
    return pairs;
}

double ns(const CoreConfig& core, Span span) { return sim::to_nanoseconds(Clock(core.frequency).length(span).time()); }

/// How long a compare-and-swap of `to` takes on a line that `from` has written and left alone.
double hand_over_ns(const MachineConfig& machine, std::int32_t from, std::int32_t to) {
    Cpus cpus(machine);
    auto& word = cpus.word_of(from);
    Time begin{};
    Time end{};
    cpus.add(
        to,
        [&](Context&) {
            begin = cpus.now();
            cmpxchg(word, std::uint64_t{0}, std::uint64_t{1});
            end = cpus.now();
        },
        sim::microseconds(1));
    cpus.run();
    return sim::to_nanoseconds(end - begin);
}

/// One way of a ping-pong: both spin on a compare-and-swap until it succeeds.
double ping_pong_ns(const MachineConfig& machine, std::int32_t a, std::int32_t b) {
    constexpr std::uint64_t rounds = 1'000;
    Cpus cpus(machine);
    auto& word = cpus.word();
    const auto player = [&](std::uint64_t first) {
        return [&word, first](Context&) {
            for (std::uint64_t n = first; n < 2 * rounds; n += 2) {
                while (!try_cmpxchg(word, n, n + 1)) {}
            }
        };
    };
    cpus.add(a, player(0));
    cpus.add(b, player(1));
    cpus.run();
    return sim::to_nanoseconds(cpus.now()) / static_cast<double>(2 * rounds);
}

/// What the file says that `hand_over_ns` should be.
double said_ns(const MachineConfig& machine, const DistanceConfig& distance, const CoreConfig& core) {
    const auto& whole = distance.latency.at(AccessKind::atomic, LineState::modified);
    if (whole) { return ns(core, *whole); }
    const double moved = sim::to_nanoseconds(distance.transfer) + ns(core, core.rmw);
    return machine.atomics == Atomics::near ? moved : moved + sim::to_nanoseconds(distance.far_occupancy);
}

}  // namespace

TEST_CASE("every machine file hands a written line over in the time that it says", "[timing]") {
    for (const std::string& name : machine_files()) {
        MachineConfig machine = load_machine(name, configs);
        machine.rmw_by = RmwBy::instruction;  // a loop would be two transfers
        const Topology topology(machine);
        const auto pairs = pairs_of(machine);
        for (std::size_t c = 0; c < pairs.size(); ++c) {
            const auto& [distance, numbers] = machine.distances[c];
            INFO(name << ", " << distance);
            const auto [a, b] = pairs[c];
            REQUIRE(a >= 0);  // a distance that no two cores have is a slip
            const double said = said_ns(machine, numbers, core_of(machine, topology, b));
            CHECK(hand_over_ns(machine, a, b) == Catch::Approx(said).margin(0.01));
        }
    }
}

TEST_CASE("the latencies between cores come out as they were published", "[published]") {
    std::ifstream in(configs + "/published/core_to_core.csv");
    REQUIRE(in);
    int rows = 0;
    for (std::string line; std::getline(in, line);) {
        std::stringstream cells(line);
        std::string name, distance, published;
        std::getline(cells, name, ',');
        std::getline(cells, distance, ',');
        std::getline(cells, published, ',');
        if (line.starts_with('#') || name == "machine") { continue; }
        INFO(line);
        MachineConfig machine = load_machine(name, configs);
        machine.load_exclusive = LoadExclusive::shared;  // loops in user space do not prefetch for a store
        const auto found = std::find_if(machine.distances.begin(), machine.distances.end(),
                                        [&](const auto& d) { return d.first == distance; });
        REQUIRE(found != machine.distances.end());
        const auto [a, b] = pairs_of(machine)[static_cast<std::size_t>(found - machine.distances.begin())];
        const bool loops = machine.rmw_by == RmwBy::llsc;  // published were the two transfers of a spinning loop
        const double ours = loops ? ping_pong_ns(machine, a, b) : hand_over_ns(machine, a, b);
        CHECK(ours == Catch::Approx(std::stod(published)).epsilon(0.02));
        ++rows;
    }
    CHECK(rows >= 27);
}
