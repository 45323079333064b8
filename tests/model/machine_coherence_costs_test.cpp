// What the legs of a transfer cost, and which clock each leg follows.
#include "model/machine/coherence_costs.hpp"

#include "tests/catch.hpp"
#include "tests/model/machines.hpp"

using namespace model;
using namespace model::test;

namespace {

struct Costs {
    explicit Costs(MachineConfig c) : config(std::move(c)), topology(config), costs(config, topology) {}
    /// Request to data of an isolated transfer, as the requester sees it.
    Time whole(std::int32_t requester, std::int32_t holder) const {
        const auto legs = costs.isolated(requester, holder);
        return request(requester) + legs.to_snoop + legs.snoop_to_data;
    }
    Time request(std::int32_t cpu) const {
        return Clock(core_of(config, topology, cpu).frequency).cycles(config.request_path_cycles).time();
    }
    MachineConfig config;
    Topology topology;
    CoherenceCosts costs;
};

}  // namespace

TEST_CASE("at nominal clocks the legs sum to the transfer, for every pair of CPUs", "[timing]") {
    MachineConfig config = clustered_machine(3, 2);
    config.clusters[1].second.core.frequency = mhz(1'700);
    config.clusters[2].second.core.frequency = mhz(2'300);
    const Costs c(config);
    for (std::int32_t a = 0; a < 6; ++a) {
        for (std::int32_t b = 0; b < 6; ++b) {
            CHECK(c.whole(a, b) == nanoseconds(a / 2 == b / 2 ? 100 : 300));
            CHECK(c.request(a) + c.costs.shared_read(a, a / 2, b / 2) == nanoseconds(a / 2 == b / 2 ? 100 : 300));
        }
        CHECK(c.request(a) + c.costs.from_memory(a, 0, AccessKind::load) == nanoseconds(200));
    }
}

TEST_CASE("an isolated transfer is cut where the holder loses the line", "[timing]") {
    const Costs c(round_machine());
    CHECK(c.costs.isolated(0, 1).to_snoop == nanoseconds(40));       // 20 wires, 20 snoop
    CHECK(c.costs.isolated(0, 1).snoop_to_data == nanoseconds(50));  // 20 wires, 30 response
    CHECK(c.costs.shared_read(0, 0, 0) == nanoseconds(90));
    CHECK(c.costs.from_memory(0, 0, AccessKind::load) == nanoseconds(190));
    CHECK(c.costs.forward(0, 0, 0) == nanoseconds(40));  // 10 wires, 30 response
    CHECK(c.costs.read_occupancy(0, 0) == nanoseconds(10));
    CHECK(c.costs.far_occupancy(0) == nanoseconds(9));
    CHECK(c.costs.response(0) == nanoseconds(30));
}

TEST_CASE("another clock of the requester scales its request and response, and nothing else", "[timing]") {
    Costs c(round_machine());
    c.costs.set_frequency(0, mhz(500));  // twice as slow
    CHECK(c.costs.isolated(0, 1).to_snoop == nanoseconds(40));
    CHECK(c.costs.isolated(0, 1).snoop_to_data == nanoseconds(80));
    CHECK(c.costs.shared_read(0, 0, 0) == nanoseconds(120));
    CHECK(c.costs.from_memory(0, 0, AccessKind::load) == nanoseconds(220));
    CHECK(c.costs.forward(0, 0, 0) == nanoseconds(70));
    CHECK(c.costs.read_occupancy(0, 0) == nanoseconds(10));
    CHECK(c.costs.far_occupancy(0) == nanoseconds(9));
}

TEST_CASE("another clock of the holder scales its snoop, and nothing else", "[timing]") {
    Costs c(round_machine());
    c.costs.set_frequency(1, mhz(500));
    CHECK(c.costs.isolated(0, 1).to_snoop == nanoseconds(60));
    CHECK(c.costs.isolated(0, 1).snoop_to_data == nanoseconds(50));
    CHECK(c.costs.shared_read(0, 0, 0) == nanoseconds(90));
    CHECK(c.costs.forward(0, 0, 0) == nanoseconds(40));
    c.costs.set_frequency(1, mhz(1'000));
    CHECK(c.costs.isolated(0, 1).to_snoop == nanoseconds(40));
}

TEST_CASE("a CPU whose own clock differs from its cluster's pays by its own", "[timing]") {
    MachineConfig config = round_machine();
    config.cpus[0].frequency = mhz(250);
    const Costs c(config);
    CHECK(c.whole(0, 1) == nanoseconds(100 + 3 * 10 + 3 * 30));
    CHECK(c.whole(1, 0) == nanoseconds(100 + 3 * 20));
    CHECK(c.whole(1, 2) == nanoseconds(100));
}

TEST_CASE("legs that are longer than the transfer leave no negative wires", "[timing]") {
    MachineConfig config = round_machine();
    config.distances[0].second.transfer = nanoseconds(59);  // the paths are 60
    config.distances[0].second.forward = nanoseconds(29);
    config.memory = nanoseconds(39);
    const Costs c(config);
    CHECK(c.whole(0, 1) == nanoseconds(60));
    CHECK(c.costs.forward(0, 0, 0) == nanoseconds(30));
    CHECK(c.request(0) + c.costs.from_memory(0, 0, AccessKind::load) == nanoseconds(40));
}
