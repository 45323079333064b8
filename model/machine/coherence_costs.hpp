#pragma once
// What the legs of a line transfer cost, from the four numbers of a distance class and the present clocks.
//
// An isolated transfer is   request | half | snoop | half | response
//   request   cycles of the requester, until its request queues at the line
//   snoop     cycles of the holder, until it has given the line up
//   response  cycles of the requester, from data to completion
//   half      half of what is left of `transfer` at nominal clocks: interconnect, which no CPU clock changes
// Requesters and holders are cores. A latency table changes the data leg by its difference to `transfer`.
// A forwarded one (the request already waited at the line) is `retention` at the owner, then `forward`, of which the
// response part is in the requester's cycles.

#include <cstdint>
#include <vector>

#include "model/machine/config.hpp"
#include "model/machine/topology.hpp"
#include "sim/time.hpp"

namespace model {

class CoherenceCosts {
public:
    /// `latency_noise`: uniform jitter, plus or minus, on every leg of a transfer. All references must outlive this.
    CoherenceCosts(const MachineConfig& config, const Topology& topology, Share latency_noise = {});

    void set_frequency(std::int32_t cpu, Frequency f);  ///< of its core

    struct Legs {
        sim::Time to_snoop;       ///< from the grant until the holder has lost the line
        sim::Time snoop_to_data;  ///< from there until the requester has the data
    };
    Legs isolated(std::int32_t requester, std::int32_t holder) const {  // cores
        const sim::Time wires = pair(topology_.domain_of_core(requester), topology_.domain_of_core(holder)).isolated;
        return {wires / 2 + core(holder).snoop, wires - wires / 2 + core(requester).response};
    }
    /// From the line's own server (last level cache, directory): no cache has it, or several share it.
    sim::Time shared_read(std::int32_t requester, std::int32_t requester_domain, std::int32_t server_domain) const {
        return pair(requester_domain, server_domain).isolated + nominal(server_domain).snoop + core(requester).response;
    }
    /// The line is in the memory of its home.
    sim::Time from_memory(std::int32_t requester, std::int32_t home_domain, AccessKind kind) const;
    /// `requester_domain` is the requester's own: whoever asks knows it.
    sim::Time forward(std::int32_t requester, std::int32_t requester_domain, std::int32_t holder_domain) const {
        return pair(requester_domain, holder_domain).forward + core(requester).response;
    }
    bool has_tables() const { return has_tables_; }
    /// By how much the tables' latency of this instruction on a line in this state differs from `transfer`, or where
    /// the transfer was `forwarded`, from the same instruction's on a modified line.
    sim::Time excess(std::int32_t requester_domain, std::int32_t holder_domain, AccessKind kind, LineState state,
                     bool forwarded) const;
    /// Class of the distance between two domains.
    std::int32_t distance(std::int32_t a, std::int32_t b) const { return pair(a, b).distance; }
    sim::Time read_occupancy(std::int32_t requester_domain, std::int32_t server_domain) const {
        return pair(requester_domain, server_domain).read_occupancy;
    }
    sim::Time far_occupancy(std::int32_t requester) const;
    sim::Time response(std::int32_t requester) const { return core(requester).response; }

    const Topology& topology() const { return topology_; }
    const MachineConfig& config() const { return config_; }
    Share latency_noise() const { return latency_noise_; }

private:
    struct CpuPaths {
        sim::Time request, snoop, response;
    };
    CpuPaths paths(Frequency f) const;
    const CpuPaths& core(std::int32_t n) const { return now_[static_cast<std::size_t>(n)]; }
    const CpuPaths& nominal(std::int32_t domain) const { return nominal_[static_cast<std::size_t>(domain)]; }
    const DistanceConfig& between(std::int32_t a, std::int32_t b) const {
        return config_.distances[static_cast<std::size_t>(topology_.distance(a, b))].second;
    }
    /// What no CPU's clock changes, by pair of domains.
    struct Pair {
        sim::Time isolated, forward, read_occupancy;
        std::int32_t distance = 0;
    };
    Pair pair_of(std::int32_t requester_domain, std::int32_t holder_domain) const;
    /// A latency table less the instruction's own cost and `transfer`; what the table does not say is no difference.
    struct Excess {
        sim::Time of[access_kinds][line_states];
    };
    Excess excess_of(const CoreConfig& core, const DistanceConfig& distance) const;
    const Pair& pair(std::int32_t requester_domain, std::int32_t holder_domain) const {
        return pairs_[static_cast<std::size_t>(requester_domain) * static_cast<std::size_t>(domains_) +
                      static_cast<std::size_t>(holder_domain)];
    }

    const MachineConfig& config_;
    const Topology& topology_;
    Share latency_noise_;
    std::int32_t domains_;
    std::vector<CpuPaths> now_;      // by core
    std::vector<CpuPaths> nominal_;  // by domain
    std::vector<Pair> pairs_;
    bool has_tables_ = false;
    std::vector<Excess> excess_;  // by cluster of the requester and class
};

}  // namespace model
