// See topology.hpp.

#include "model/machine/topology.hpp"

#include <fmt/format.h>

#include "sim/failure.hpp"

namespace model {

namespace {

std::int32_t class_index(const MachineConfig& config, const std::string& name) {
    for (std::size_t i = 0; i < config.distances.size(); ++i) {
        if (config.distances[i].first == name) { return static_cast<std::int32_t>(i); }
    }
    throw sim::InternalError(fmt::format("machine {} has no distance class \"{}\"", config.preset, name));
}

}  // namespace

Topology::Topology(const MachineConfig& config) : domains_(static_cast<std::int32_t>(config.clusters.size())) {
    for (std::int32_t a = 0; a < domains_; ++a) {
        const ClusterConfig& cluster = config.clusters[static_cast<std::size_t>(a)].second;
        domain_of_.insert(domain_of_.end(), static_cast<std::size_t>(cluster.cpus), a);
        for (std::int32_t b = 0; b < domains_; ++b) {
            classes_.push_back(class_index(config, a == b ? cluster.distance : config.across));
        }
    }
}

CoreConfig core_of(const MachineConfig& config, const Topology& topology, std::int32_t cpu) {
    CoreConfig core = config.clusters[static_cast<std::size_t>(topology.domain_of(cpu))].second.core;
    const auto found = config.cpus.find(cpu);
    if (found == config.cpus.end()) { return core; }
    const CpuOverride& own = found->second;
    core.frequency = own.frequency.value_or(core.frequency);
    core.hit = own.hit.value_or(core.hit);
    core.rmw = own.rmw.value_or(core.rmw);
    core.fence = own.fence.value_or(core.fence);
    core.relax = own.relax.value_or(core.relax);
    core.loop = own.loop.value_or(core.loop);
    core.wfe_wake = own.wfe_wake.value_or(core.wfe_wake);
    core.ll_to_sc = own.ll_to_sc.value_or(core.ll_to_sc);
    return core;
}

}  // namespace model
