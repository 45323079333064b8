// What an engine step costs the host: bare switches, hits, misses and acquisitions, each beside the ring of fibers.

#include <fmt/format.h>

#include "tools/bench/benches.hpp"
#include "tools/bench/load.hpp"
#include "tools/bench/ring.hpp"

namespace bench {

namespace {

constexpr std::int32_t ring_of_hits =
    8;  // a hit needs no switch: it is compared with a switch that finds its caches warm

Row row_of(const Compared& compared, std::int32_t ring, const Load::Counts& counts, std::uint64_t units) {
    const auto per_unit = [units](std::uint64_t n) { return static_cast<double>(n) / static_cast<double>(units); };
    Row row;
    row.ns = compared.ns;
    row.ratio = compared.ratio;
    row.median_ratio = compared.median_ratio;
    row.ring = ring;
    row.against = fmt::format("ring of {}", ring);
    row.switches = per_unit(counts.switches);
    row.events = per_unit(counts.events);
    row.steps = per_unit(counts.steps);
    row.accesses = per_unit(counts.accesses);
    return row;
}

Row measure_units(const Load::Plan& plan, std::int32_t ring_fibers, const Effort& effort) {
    Ring ring(ring_fibers, effort);
    Load load(plan, effort);
    const Compared compared = compare(
        effort, [&] { return load.sample_units(); }, [&] { return ring.sample(); });
    return row_of(compared, ring_fibers, load.counts(), load.counts().units);
}

/// The same with a store buffer in front of each CPU.
model::MachineConfig buffered(model::MachineConfig machine) {
    machine.store_buffer = 56;
    return machine;
}

Row measure_hit(model::Context::Body body, std::int32_t cpus, const Effort& effort) {
    const Load::Plan plan{.machine = server(cpus), .groups = {{body}, {park, cpus - 1, true}}};
    Row row = measure_units(plan, ring_of_hits, effort);
    row.budget = {Budget::Judged::ratio, 1.0, 0.5};
    return row;
}

/// What a miss may cost on so many CPUs; on other numbers nothing is asked.
std::optional<Budget> budget_of_misses(std::int32_t cpus) {
    switch (cpus) {
        case 8: return Budget{Budget::Judged::ratio, 4, 2.5};
        case 64:
        case 1024: return Budget{Budget::Judged::ratio, 5, 3};
        default: return std::nullopt;
    }
}

/// Its owner loses a line before it can use it twice, so that every access is a miss.
Row measure_misses(Load::Plan plan, std::int32_t cpus, const Effort& effort) {
    plan.machine.retention = sim::picoseconds(1);
    Ring ring(cpus, effort);
    Load load(plan, effort);
    const Compared compared = compare(
        effort, [&] { return load.sample_transfers(); }, [&] { return ring.sample(); });
    Row row = row_of(compared, cpus, load.counts(), load.counts().transfers);
    row.budget = budget_of_misses(cpus);
    return row;
}

Row measure_lock(bool spin_elision, std::int32_t cpus, const Effort& effort) {
    return measure_units({.machine = server(cpus), .spin_elision = spin_elision, .groups = {{acquire_forever, cpus}}},
                         cpus, effort);
}

}  // namespace

Row measure_switch(std::int32_t cpus, const Effort& effort) {
    Ring ring(cpus, effort);
    Row row;
    row.ns = compare(
                 effort, [&] { return ring.sample(); }, [&] { return ring.sample(); })
                 .ns;
    row.ratio = 1;
    row.ring = cpus;
    row.against = fmt::format("ring of {}", cpus);
    row.switches = 1;
    return row;
}

Row measure_hit_load(std::int32_t cpus, const Effort& effort) { return measure_hit(load_forever, cpus, effort); }
Row measure_hit_store(std::int32_t cpus, const Effort& effort) { return measure_hit(store_forever, cpus, effort); }

/// Every store finds the buffer empty and the line there: what a buffer costs those that need none.
Row measure_hit_store_buffered(std::int32_t cpus, const Effort& effort) {
    const Load::Plan plan{.machine = buffered(server(cpus)), .groups = {{store_once_visible}, {park, cpus - 1, true}}};
    Row row = measure_units(plan, ring_of_hits, effort);
    row.budget = {Budget::Judged::ratio, 1.0, 0.5};
    return row;
}

/// All CPUs want one line.
Row measure_miss(std::int32_t cpus, const Effort& effort) {
    return measure_misses({.machine = server(cpus), .groups = {{add_forever, cpus}}}, cpus, effort);
}

Row measure_miss_store(std::int32_t cpus, const Effort& effort) {
    return measure_misses({.machine = server(cpus), .groups = {{store_forever, cpus}}}, cpus, effort);
}

/// Exchanges and fetch-and-adds wait for an empty buffer, and go the longer way round.
Row measure_miss_buffered(std::int32_t cpus, const Effort& effort) {
    return measure_misses({.machine = buffered(server(cpus)), .groups = {{add_forever, cpus}}}, cpus, effort);
}

/// The buffers are always full: a miss is a store's that has waited there.
Row measure_miss_store_buffered(std::int32_t cpus, const Effort& effort) {
    return measure_misses({.machine = buffered(server(cpus)), .groups = {{store_forever, cpus}}}, cpus, effort);
}

/// The same with the CPUs in four cache domains, which are served in turn.
Row measure_miss_domains(std::int32_t cpus, const Effort& effort) {
    return measure_misses({.machine = server(cpus, 4), .groups = {{add_forever, cpus}}}, cpus, effort);
}

/// One CPU changes the line, all others hold a copy and read it again: the misses are nearly all reads.
Row measure_miss_readers(std::int32_t cpus, const Effort& effort) {
    return measure_misses({.machine = server(cpus), .groups = {{change_when_all_have_read}, {read_changes, cpus - 1}}},
                          cpus, effort);
}

Row measure_acquire(std::int32_t cpus, const Effort& effort) { return measure_lock(true, cpus, effort); }
Row measure_acquire_polling(std::int32_t cpus, const Effort& effort) { return measure_lock(false, cpus, effort); }

}  // namespace bench
