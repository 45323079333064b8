// See coherence_costs.hpp.

#include "model/machine/coherence_costs.hpp"

#include <algorithm>

#include "model/machine/clock.hpp"

namespace model {

using sim::Time;

CoherenceCosts::CoherenceCosts(const MachineConfig& config, const Topology& topology, Share latency_noise)
    : config_(config), topology_(topology), latency_noise_(latency_noise), domains_(topology.domains()) {
    for (std::int32_t d = 0; d < domains_; ++d) {
        const auto cluster = static_cast<std::size_t>(topology.cluster_of_domain(d));
        nominal_.push_back(paths(config.clusters[cluster].second.core.frequency));
    }
    for (std::int32_t a = 0; a < domains_; ++a) {
        for (std::int32_t b = 0; b < domains_; ++b) { pairs_.push_back(pair_of(a, b)); }
    }
    now_.resize(static_cast<std::size_t>(topology.cores()));
    for (std::int32_t n = 0; n < topology.cpus(); ++n) { set_frequency(n, core_of(config, topology, n).frequency); }
    for (const auto& [name, cluster] : config.clusters) {
        for (const auto& [distance, numbers] : config.distances) {
            excess_.push_back(excess_of(cluster.core, numbers));
            for (const auto& kind : numbers.latency.of) {
                for (const auto& entry : kind) { has_tables_ = has_tables_ || entry.has_value(); }
            }
        }
    }
}

CoherenceCosts::CpuPaths CoherenceCosts::paths(Frequency f) const {
    const Clock clock(f);
    return {clock.cycles(config_.request_path_cycles).time(), clock.cycles(config_.snoop_path_cycles).time(),
            clock.cycles(config_.response_path_cycles).time()};
}

void CoherenceCosts::set_frequency(std::int32_t cpu, Frequency f) {
    now_[static_cast<std::size_t>(topology_.core_of(cpu))] = paths(f);
}

CoherenceCosts::Pair CoherenceCosts::pair_of(std::int32_t requester_domain, std::int32_t holder_domain) const {
    const DistanceConfig& distance = between(requester_domain, holder_domain);
    const CpuPaths& requester = nominal(requester_domain);
    const Time in_clocks = requester.request + nominal(holder_domain).snoop + requester.response;
    return {std::max(Time{}, distance.transfer - in_clocks), std::max(Time{}, distance.forward - requester.response),
            distance.read_occupancy, topology_.distance(requester_domain, holder_domain)};
}

CoherenceCosts::Excess CoherenceCosts::excess_of(const CoreConfig& core, const DistanceConfig& distance) const {
    const Clock clock(core.frequency);
    Excess excess{};
    for (std::size_t kind = 0; kind < access_kinds; ++kind) {
        const Span own = kind == static_cast<std::size_t>(AccessKind::atomic) ? core.rmw : core.hit;
        for (std::size_t state = 0; state < line_states; ++state) {
            const bool in_memory = state == static_cast<std::size_t>(LineState::memory);
            const auto& whole = distance.latency.of[kind][state];
            const auto& entry = whole || !in_memory ? whole : distance.latency.at(AccessKind::load, LineState::memory);
            if (!entry) { continue; }
            const Time base = in_memory ? config_.memory : distance.transfer;
            excess.of[kind][state] = clock.length(*entry).time() - clock.length(own).time() - base;
        }
    }
    return excess;
}

Time CoherenceCosts::excess(std::int32_t requester_domain, std::int32_t holder_domain, AccessKind kind, LineState state,
                            bool forwarded) const {
    const auto cluster = static_cast<std::size_t>(topology_.cluster_of_domain(requester_domain));
    const auto distance = static_cast<std::size_t>(pair(requester_domain, holder_domain).distance);
    const auto& of_kind = excess_[cluster * config_.distances.size() + distance].of[static_cast<std::size_t>(kind)];
    const Time own = of_kind[static_cast<std::size_t>(state)];
    return forwarded ? own - of_kind[static_cast<std::size_t>(LineState::modified)] : own;
}

Time CoherenceCosts::from_memory(std::int32_t requester, std::int32_t home_domain, AccessKind kind) const {
    const std::int32_t domain = topology_.domain_of_core(requester);
    const CpuPaths& own = nominal(domain);
    Time latency = config_.memory;
    if (has_tables_) { latency += excess(domain, home_domain, kind, LineState::memory, false); }
    return std::max(Time{}, latency - own.request - own.response) + core(requester).response;
}

Time CoherenceCosts::far_occupancy(std::int32_t requester) const {
    const std::int32_t domain = topology_.domain_of_core(requester);
    return between(domain, domain).far_occupancy;
}

}  // namespace model
