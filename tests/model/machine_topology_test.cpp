// Which CPUs share a cache, how far apart they are, and what one CPU's core is.
#include "model/machine/topology.hpp"

#include "sim/failure.hpp"
#include "tests/catch.hpp"
#include "tests/model/machines.hpp"

using namespace model;
using namespace model::test;

TEST_CASE("CPUs are numbered cluster by cluster, each a cache domain", "[unit]") {
    MachineConfig config = clustered_machine(3, 2);
    config.clusters[1].second.cpus = 5;
    const Topology topology(config);
    CHECK(topology.cpus() == 9);
    CHECK(topology.domains() == 3);
    const std::int32_t expected[] = {0, 0, 1, 1, 1, 1, 1, 2, 2};
    for (std::int32_t cpu = 0; cpu < 9; ++cpu) { CHECK(topology.domain_of(cpu) == expected[cpu]); }
}

TEST_CASE("a cluster has its own distance class, and one class lies between clusters", "[unit]") {
    MachineConfig config = clustered_machine(2, 2);
    config.distances.insert(config.distances.begin(), {"tight", {}});
    config.clusters[1].second.distance = "tight";
    const Topology topology(config);
    CHECK(topology.distance(0, 0) == 1);
    CHECK(topology.distance(1, 1) == 0);
    CHECK(topology.distance(0, 1) == 2);
    CHECK(topology.distance(1, 0) == 2);
}

TEST_CASE("a distance class that the machine does not have is an error", "[unit]") {
    MachineConfig config = clustered_machine(2, 2);
    config.across = "mars";
    CHECK_THROWS_AS(Topology(config), sim::InternalError);
}

TEST_CASE("a machine may have 4096 CPUs", "[unit]") {
    const Topology topology(clustered_machine(64, 64));
    CHECK(topology.cpus() == 4'096);
    CHECK(topology.domain_of(4'095) == 63);
}

TEST_CASE("what is set for one CPU replaces its cluster's, the rest stays", "[unit]") {
    MachineConfig config = clustered_machine(2, 2);
    config.cpus[1].frequency = mhz(300);
    config.cpus[1].rmw = cycles(7);
    config.cpus[1].loop = cycles(2);
    const Topology topology(config);
    CoreConfig expected = config.clusters[0].second.core;
    CHECK(core_of(config, topology, 0) == expected);
    CHECK(core_of(config, topology, 2) == expected);
    expected.frequency = mhz(300);
    expected.rmw = cycles(7);
    expected.loop = cycles(2);
    CHECK(core_of(config, topology, 1) == expected);
}

TEST_CASE("sockets hold nodes, nodes hold clusters, and each level has its own distance", "[unit]") {
    MachineConfig config = clustered_machine(1, 4);  // "near" inside, "across" outside
    config.clusters[0].second.count = 8;
    config.clusters[0].second.threads = 2;
    config.clusters_per_node = 2;
    config.nodes_per_socket = 2;
    config.distances.emplace_back("cluster", DistanceConfig{});
    config.distances.emplace_back("node", DistanceConfig{});
    config.distances.emplace_back("far", DistanceConfig{.nodes = {"0-3"}});
    config.across_clusters = "cluster";
    config.across_nodes = "node";
    const Topology t(config);
    CHECK(t.cpus() == 32);
    CHECK(t.cores() == 16);
    CHECK(t.domains() == 8);
    CHECK(t.nodes() == 4);
    CHECK(t.core_of(6) == t.core_of(7));
    CHECK(t.core_of(7) != t.core_of(8));
    CHECK(t.node_of(15) == 1);
    CHECK(t.socket_of(15) == 0);
    CHECK(t.socket_of(16) == 1);
    const auto name = [&](std::int32_t a, std::int32_t b) {
        return config.distances[static_cast<std::size_t>(t.distance(a, b))].first;
    };
    CHECK(name(0, 0) == "near");
    CHECK(name(0, 1) == "cluster");
    CHECK(name(0, 2) == "node");
    CHECK(name(2, 4) == "across");
    CHECK(name(1, 6) == "far");  // nodes 0 and 3
    CHECK(name(7, 0) == "far");
}

TEST_CASE("a pair of nodes is two numbers with a dash", "[unit]") {
    std::int32_t a = -1;
    std::int32_t b = -1;
    CHECK(parse_node_pair("2-13", a, b));
    CHECK(a == 2);
    CHECK(b == 13);
    for (const char* wrong : {"", "3", "3-", "-3", "a-1", "1-2-3", "1 - 2"}) {
        CHECK_FALSE(parse_node_pair(wrong, a, b));
    }
}
