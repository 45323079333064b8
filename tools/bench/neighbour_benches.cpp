// Whether a miss costs the same whatever else is on the machine: two CPUs pass one line to and fro, the others are
// idle, spin on another line, or hold copies of another line. Judged against the same two CPUs alone.

#include <optional>

#include "tools/bench/benches.hpp"
#include "tools/bench/load.hpp"

namespace bench {

namespace {

constexpr std::int32_t at_work = 2;

/// There is one simulated machine at a time, so each sample builds its own.
double sample_of(const Load::Plan& plan, const Effort& effort, Load::Counts* counts = nullptr) {
    Load load(plan, effort);
    const double ns = load.sample_transfers();
    if (counts != nullptr) { *counts = load.counts(); }
    return ns;
}

Row measure_beside(std::optional<model::Context::Body> neighbours, std::int32_t cpus, const Effort& effort) {
    Load::Plan alone{.machine = server(at_work), .groups = {{add_forever, at_work}}};
    Load::Plan crowded{.machine = server(cpus), .groups = {{add_forever, at_work}}};
    alone.machine.retention = crowded.machine.retention = sim::picoseconds(1);
    if (neighbours) { crowded.groups.push_back({*neighbours, cpus - at_work, true}); }

    Load::Counts counts;
    const Compared compared = compare(
        effort, [&] { return sample_of(crowded, effort, &counts); }, [&] { return sample_of(alone, effort); });
    Row row;
    row.ns = compared.ns;
    row.ratio = compared.ratio;
    row.median_ratio = compared.median_ratio;
    row.against = "2 CPUs alone";
    row.switches = static_cast<double>(counts.switches) / static_cast<double>(counts.transfers);
    row.events = static_cast<double>(counts.events) / static_cast<double>(counts.transfers);
    row.budget = {Budget::Judged::ratio, 1.25, 1.1};
    return row;
}

}  // namespace

Row measure_miss_beside_idle(std::int32_t cpus, const Effort& effort) {
    return measure_beside(std::nullopt, cpus, effort);
}
Row measure_miss_beside_waiters(std::int32_t cpus, const Effort& effort) { return measure_beside(park, cpus, effort); }
Row measure_miss_beside_sharers(std::int32_t cpus, const Effort& effort) {
    return measure_beside(read_and_leave, cpus, effort);
}

}  // namespace bench
