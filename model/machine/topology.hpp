#pragma once
// Where the CPUs are. From the inside out: hardware threads of a core share its cache; the cores of a cluster share a
// cache (a cache domain); clusters make a NUMA node, nodes a socket, sockets the machine. Every two domains have a
// distance class: the cluster's own, `across_clusters` in a node, `across_nodes` in a socket, else `across`, unless a
// class lists the pair of nodes itself (hops of an interconnect that no tree describes).

#include <cstdint>
#include <string>
#include <vector>

#include "model/machine/config.hpp"

namespace model {

class Topology {
public:
    explicit Topology(const MachineConfig& config);

    std::int32_t cpus() const { return static_cast<std::int32_t>(core_of_.size()); }
    std::int32_t cores() const { return static_cast<std::int32_t>(domain_of_core_.size()); }
    std::int32_t domains() const { return domains_; }
    std::int32_t nodes() const { return (domains_ + clusters_per_node_ - 1) / clusters_per_node_; }
    std::int32_t core_of(std::int32_t cpu) const { return core_of_[static_cast<std::size_t>(cpu)]; }
    std::int32_t domain_of_core(std::int32_t core) const { return domain_of_core_[static_cast<std::size_t>(core)]; }
    std::int32_t domain_of(std::int32_t cpu) const { return domain_of_core(core_of(cpu)); }
    std::int32_t node_of_domain(std::int32_t domain) const { return domain / clusters_per_node_; }
    std::int32_t node_of(std::int32_t cpu) const { return node_of_domain(domain_of(cpu)); }
    std::int32_t socket_of(std::int32_t cpu) const { return node_of(cpu) / nodes_per_socket_; }
    std::int32_t first_domain_of_node(std::int32_t node) const { return node * clusters_per_node_; }
    /// Index into MachineConfig::clusters.
    std::int32_t cluster_of_domain(std::int32_t domain) const { return cluster_of_[static_cast<std::size_t>(domain)]; }
    /// Index into MachineConfig::distances.
    std::int32_t distance(std::int32_t domain_a, std::int32_t domain_b) const {
        return classes_[static_cast<std::size_t>(domain_a) * static_cast<std::size_t>(domains_) +
                        static_cast<std::size_t>(domain_b)];
    }
    bool has_siblings() const { return cores() != cpus(); }

private:
    std::int32_t level_of(const MachineConfig& config, std::int32_t domain_a, std::int32_t domain_b) const;

    std::int32_t domains_ = 0;
    std::int32_t clusters_per_node_;
    std::int32_t nodes_per_socket_;
    std::vector<std::int32_t> core_of_;         // by CPU
    std::vector<std::int32_t> domain_of_core_;  // by core
    std::vector<std::int32_t> cluster_of_;      // by domain
    std::vector<std::int32_t> classes_;
};

/// What the core of a CPU costs: its cluster's numbers, with the overrides for this CPU.
CoreConfig core_of(const MachineConfig& config, const Topology& topology, std::int32_t cpu);

/// "A-B" as a pair of NUMA nodes; false: it is none.
bool parse_node_pair(const std::string& text, std::int32_t& a, std::int32_t& b);

}  // namespace model
