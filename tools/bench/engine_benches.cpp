// What an engine step costs the host: bare switches, hits, misses and acquisitions, each beside the ring of fibers.

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
    row.ring = ring;
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

Row measure_hit(model::Context::Body body, std::int32_t cpus, const Effort& effort) {
    Row row = measure_units({.machine = server(cpus), .first = body, .others = park}, ring_of_hits, effort);
    row.budget = {Budget::Judged::ratio, 1.0, 0.5};
    return row;
}

/// All CPUs want one line. Its owner loses it before it can use it twice, so that every access is a miss.
Row measure_misses(model::Context::Body body, std::int32_t cpus, const Effort& effort) {
    Load::Plan plan{.machine = server(cpus), .first = body, .others = body};
    plan.machine.retention = sim::picoseconds(1);
    Ring ring(cpus, effort);
    Load load(plan, effort);
    const Compared compared = compare(
        effort, [&] { return load.sample_transfers(); }, [&] { return ring.sample(); });
    Row row = row_of(compared, cpus, load.counts(), load.counts().transfers);
    if (cpus == 8) { row.budget = {Budget::Judged::ratio, 4, 2.5}; }
    if (cpus == 64 || cpus == 1024) { row.budget = {Budget::Judged::ratio, 5, 3}; }
    return row;
}

Row measure_lock(bool spin_elision, std::int32_t cpus, const Effort& effort) {
    return measure_units(
        {.machine = server(cpus), .spin_elision = spin_elision, .first = acquire_forever, .others = acquire_forever},
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
    row.switches = 1;
    return row;
}

Row measure_hit_load(std::int32_t cpus, const Effort& effort) { return measure_hit(load_forever, cpus, effort); }
Row measure_hit_store(std::int32_t cpus, const Effort& effort) { return measure_hit(store_forever, cpus, effort); }
Row measure_miss(std::int32_t cpus, const Effort& effort) { return measure_misses(add_forever, cpus, effort); }
Row measure_miss_store(std::int32_t cpus, const Effort& effort) { return measure_misses(store_forever, cpus, effort); }
Row measure_acquire(std::int32_t cpus, const Effort& effort) { return measure_lock(true, cpus, effort); }
Row measure_acquire_polling(std::int32_t cpus, const Effort& effort) { return measure_lock(false, cpus, effort); }

}  // namespace bench
