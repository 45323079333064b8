// See coherence_costs.hpp.

#include "model/machine/coherence_costs.hpp"

#include <algorithm>

#include "model/machine/clock.hpp"

namespace model {

using sim::Time;

CoherenceCosts::CoherenceCosts(const MachineConfig& config, const Topology& topology, Share latency_noise)
    : config_(config), topology_(topology), latency_noise_(latency_noise), domains_(topology.domains()) {
    for (const auto& [name, cluster] : config.clusters) { nominal_.push_back(paths(cluster.core.frequency)); }
    for (std::int32_t a = 0; a < topology.domains(); ++a) {
        for (std::int32_t b = 0; b < topology.domains(); ++b) { pairs_.push_back(pair_of(a, b)); }
    }
    for (std::int32_t n = 0; n < topology.cpus(); ++n) {
        now_.push_back(paths(core_of(config, topology, n).frequency));
    }
}

CoherenceCosts::CpuPaths CoherenceCosts::paths(Frequency f) const {
    const Clock clock(f);
    return {clock.cycles(config_.request_path_cycles).time(), clock.cycles(config_.snoop_path_cycles).time(),
            clock.cycles(config_.response_path_cycles).time()};
}

void CoherenceCosts::set_frequency(std::int32_t cpu, Frequency f) { now_[static_cast<std::size_t>(cpu)] = paths(f); }

CoherenceCosts::Pair CoherenceCosts::pair_of(std::int32_t requester_domain, std::int32_t holder_domain) const {
    const DistanceConfig& distance = between(requester_domain, holder_domain);
    const CpuPaths& requester = nominal(requester_domain);
    const Time in_clocks = requester.request + nominal(holder_domain).snoop + requester.response;
    return {std::max(Time{}, distance.transfer - in_clocks), std::max(Time{}, distance.forward - requester.response),
            distance.read_occupancy, topology_.distance(requester_domain, holder_domain)};
}

Time CoherenceCosts::from_memory(std::int32_t requester) const {
    const CpuPaths& own = nominal(topology_.domain_of(requester));
    return std::max(Time{}, config_.memory - own.request - own.response) + cpu(requester).response;
}

Time CoherenceCosts::far_occupancy(std::int32_t requester) const {
    const std::int32_t domain = topology_.domain_of(requester);
    return between(domain, domain).far_occupancy;
}

}  // namespace model
