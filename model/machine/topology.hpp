#pragma once
// Which CPUs share a cache (a cache domain: one cluster of the machine file), and the distance class of every pair.
// Today: any number of clusters in one socket, one class between them, one hardware thread a core. Sockets, NUMA nodes
// and SMT siblings will add levels here; callers ask for domains and classes only.

#include <cstdint>
#include <string>
#include <vector>

#include "model/machine/config.hpp"

namespace model {

class Topology {
public:
    explicit Topology(const MachineConfig& config);

    std::int32_t cpus() const { return static_cast<std::int32_t>(domain_of_.size()); }
    std::int32_t domains() const { return domains_; }
    std::int32_t domain_of(std::int32_t cpu) const { return domain_of_[static_cast<std::size_t>(cpu)]; }
    /// Index into MachineConfig::distances.
    std::int32_t distance(std::int32_t domain_a, std::int32_t domain_b) const {
        return classes_[static_cast<std::size_t>(domain_a) * static_cast<std::size_t>(domains_) +
                        static_cast<std::size_t>(domain_b)];
    }

private:
    std::int32_t domains_;
    std::vector<std::int32_t> domain_of_;
    std::vector<std::int32_t> classes_;
};

/// The core of a CPU: its cluster's, with the overrides for this CPU.
CoreConfig core_of(const MachineConfig& config, const Topology& topology, std::int32_t cpu);

}  // namespace model
