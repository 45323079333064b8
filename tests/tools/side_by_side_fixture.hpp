#pragma once
// Hand-made comparisons: numbers that are easy to find again.

#include <string>
#include <vector>

#include "tools/locksim/side_by_side/side_by_side.hpp"

namespace locksim_test {

/// A row whose seeds 1, 2, ... have these times per acquisition; everyone's digests differ.
inline locksim::Row row_with(const std::string& name, const std::vector<double>& ns_per_acquisition) {
    locksim::Row row{name, name, "base", {"locks.l.type=" + name}, {}};
    for (const double ns : ns_per_acquisition) {
        locksim::Sample sample;
        sample.seed = row.samples.size() + 1;
        sample.digest = std::hash<std::string>{}(name) + sample.seed;
        const auto set = [&sample](locksim::Measure measure, double value) {
            sample.values[static_cast<std::size_t>(measure)] = value;
        };
        set(locksim::Measure::ns_per_acquisition, ns);
        set(locksim::Measure::ns_per_operation, ns);
        set(locksim::Measure::throughput_per_s, 1e9 / ns);
        set(locksim::Measure::longest_wait_ns, 2 * ns);
        set(locksim::Measure::p99_wait_ns, 1.5 * ns);
        set(locksim::Measure::jain, 0.999);
        set(locksim::Measure::transfers_per_acquisition, 2);
        row.samples.push_back(sample);
    }
    return row;
}

inline locksim::SideBySide comparison_of(std::vector<locksim::Row> rows) {
    locksim::SideBySide found;
    found.title = "Two CPUs, one lock";
    found.file = "s.toml";
    found.varied = "lock";
    found.machine = "machine test: 3 of 9 numbers estimated; not validated";
    found.seeds = {1, rows.front().samples.size()};
    found.simulated_ns = 2e7;
    found.host_seconds = 0.5;
    for (const locksim::Row& row : rows) { found.planned += row.samples.size(); }
    found.rows = std::move(rows);
    return found;
}

inline void set_verdict(locksim::Row& row, model::VerdictKind kind, const std::vector<std::string>& threads,
                        std::size_t samples) {
    for (std::size_t i = 0; i < samples; ++i) {
        row.samples[i].verdict = kind;
        row.samples[i].threads = threads;
    }
}

}  // namespace locksim_test
