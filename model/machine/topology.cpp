// See topology.hpp.

#include "model/machine/topology.hpp"

#include <charconv>

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

Topology::Topology(const MachineConfig& config)
    : clusters_per_node_(config.clusters_per_node), nodes_per_socket_(config.nodes_per_socket) {
    for (std::size_t c = 0; c < config.clusters.size(); ++c) {
        const ClusterConfig& cluster = config.clusters[c].second;
        for (std::int32_t copy = 0; copy < cluster.count; ++copy) {
            for (std::int32_t cpu = 0; cpu < cluster.cpus; ++cpu) {
                if (cpu % cluster.threads == 0) { domain_of_core_.push_back(domains_); }
                core_of_.push_back(cores() - 1);
            }
            cluster_of_.push_back(static_cast<std::int32_t>(c));
            ++domains_;
        }
    }
    for (std::int32_t a = 0; a < domains_; ++a) {
        for (std::int32_t b = 0; b < domains_; ++b) { classes_.push_back(level_of(config, a, b)); }
    }
    for (std::size_t c = 0; c < config.distances.size(); ++c) {
        for (const std::string& pair : config.distances[c].second.nodes) {
            std::int32_t near = 0;
            std::int32_t far = 0;
            if (!parse_node_pair(pair, near, far)) { continue; }  // the loader has refused it
            for (std::int32_t a = 0; a < domains_; ++a) {
                for (std::int32_t b = 0; b < domains_; ++b) {
                    const std::int32_t na = node_of_domain(a);
                    const std::int32_t nb = node_of_domain(b);
                    if ((na == near && nb == far) || (na == far && nb == near)) {
                        const auto index = static_cast<std::size_t>(a) * static_cast<std::size_t>(domains_) +
                                           static_cast<std::size_t>(b);
                        classes_[index] = static_cast<std::int32_t>(c);
                    }
                }
            }
        }
    }
}

std::int32_t Topology::level_of(const MachineConfig& config, std::int32_t a, std::int32_t b) const {
    if (a == b) {
        return class_index(config, config.clusters[static_cast<std::size_t>(cluster_of_domain(a))].second.distance);
    }
    const std::int32_t na = node_of_domain(a);
    const std::int32_t nb = node_of_domain(b);
    if (na == nb && !config.across_clusters.empty()) { return class_index(config, config.across_clusters); }
    if (na / nodes_per_socket_ == nb / nodes_per_socket_ && !config.across_nodes.empty()) {
        return class_index(config, config.across_nodes);
    }
    return class_index(config, config.across);
}

bool parse_node_pair(const std::string& text, std::int32_t& a, std::int32_t& b) {
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, a);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '-') { return false; }
    const auto second = std::from_chars(first.ptr + 1, end, b);
    return second.ec == std::errc{} && second.ptr == end && a >= 0 && b >= 0;
}

CoreConfig core_of(const MachineConfig& config, const Topology& topology, std::int32_t cpu) {
    CoreConfig core =
        config.clusters[static_cast<std::size_t>(topology.cluster_of_domain(topology.domain_of(cpu)))].second.core;
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
