#pragma once
// The field lists: for each struct of a configuration its keys, with unit, limits and sentence. One list serves the
// loader, print-config and the help texts, so that a key cannot be read and not printed, or printed and not
// documented. A visitor is called as visitor(FieldSpec, member); members keep their own types.

#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "model/scenario/scenario.hpp"

namespace model {

/// What an integer counts; all other types carry their unit themselves.
enum class Unit { none, bytes, cycles };

struct FieldSpec {
    std::string_view name;
    std::string_view doc = {};
    std::int64_t min = 0;  ///< in the type's base: ps, Hz, ppm, cycles, bytes (a span's in whichever it is written in)
    std::int64_t max = std::numeric_limits<std::int64_t>::max();
    Unit unit = Unit::none;
    bool required = false;
    bool measured = false;  ///< a number of the machine that a measurement could give
};

/// `in = "12/16"` is one key and three members.
template <class Expect>
struct PhaseCount {
    Expect& expect;
};

/// A field list serves both the struct that is filled and the one that is printed.
template <class Type, class Struct>
concept Of = std::is_same_v<std::remove_const_t<Type>, Struct>;

inline constexpr std::int32_t max_cpus = 4096;
inline constexpr std::int64_t min_hz = 1'000'000;
inline constexpr std::int64_t max_hz = 100'000'000'000;
inline constexpr std::int64_t max_seed = (std::int64_t{1} << 53) - 1;    // exact in JSON
inline constexpr std::int64_t max_duration_ps = 86'400'000'000'000'000;  // a day: sums stay far from the type's end
inline constexpr std::int64_t max_span_cycles = 86'400'000'000;          // a day at the slowest clock
inline constexpr std::int64_t max_latency_ps = 1'000'000'000'000;        // of a line: a second
inline constexpr std::int64_t max_path_cycles = 1'000'000;
inline constexpr std::int32_t all_ppm = 1'000'000;

// --- machine files ---------------------------------------------------------------------------------------

/// CoreConfig and CpuOverride have the same members, the second as optionals.
template <class Core, class Visitor>
void visit_core_fields(Core& core, Visitor& visit) {
    visit({.name = "frequency", .doc = "nominal clock", .min = min_hz, .max = max_hz, .measured = true},
          core.frequency);
    visit({.name = "hit",
           .doc = "load or store that finds its line in the own cache; never zero",
           .min = 1,
           .measured = true},
          core.hit);
    visit({.name = "rmw", .doc = "read-modify-write on a line that the CPU owns", .measured = true}, core.rmw);
    visit({.name = "fence", .doc = "full fence", .measured = true}, core.fence);
    visit({.name = "relax", .doc = "the spin-wait hint: PAUSE, YIELD", .measured = true}, core.relax);
    visit(
        {.name = "loop", .doc = "instructions around one poll of a spin loop, besides load and hint", .measured = true},
        core.loop);
    visit({.name = "wfe_wake", .doc = "from the event that ends a WFE to the next instruction"}, core.wfe_wake);
    visit({.name = "ll_to_sc", .doc = "instructions between a load-exclusive and its store-exclusive"}, core.ll_to_sc);
}

template <Of<CpuOverride> Cpu, class Visitor>
void visit_fields(Cpu& cpu, Visitor& visit) {
    visit_core_fields(cpu, visit);
    visit({.name = "tick_offset", .doc = "its first tick, instead of N times the skew", .max = max_duration_ps},
          cpu.tick_offset);
}

template <Of<TickConfig> Tick, class Visitor>
void visit_fields(Tick& tick, Visitor& visit) {
    visit({.name = "period", .doc = "of the timer interrupts; 0: none", .max = max_duration_ps}, tick.period);
    visit({.name = "length", .doc = "how long the handler runs", .max = max_latency_ps}, tick.length);
    visit({.name = "skew", .doc = "CPU n ticks n times so much after CPU 0", .max = max_duration_ps}, tick.skew);
}

template <Of<IpiConfig> Ipi, class Visitor>
void visit_fields(Ipi& ipi, Visitor& visit) {
    visit({.name = "latency", .doc = "from the sender's instruction to the handler's first", .max = max_latency_ps},
          ipi.latency);
}

template <Of<ClusterConfig> Cluster, class Visitor>
void visit_fields(Cluster& cluster, Visitor& visit) {
    visit({.name = "cpus",
           .doc = "how many CPUs (hardware threads); they are numbered in the order of the file",
           .min = 1,
           .max = max_cpus,
           .required = true},
          cluster.cpus);
    visit({.name = "count", .doc = "so many clusters like this, one after the other", .min = 1, .max = max_cpus},
          cluster.count);
    visit({.name = "threads",
           .doc = "hardware threads of a core, which share its cache and have neighbouring numbers",
           .min = 1,
           .max = 16},
          cluster.threads);
    visit({.name = "distance", .doc = "distance class between two CPUs of this cluster", .required = true},
          cluster.distance);
    visit_core_fields(cluster.core, visit);
}

struct LatencyKey {
    std::string_view name, doc;
};
/// Keys of a latency table, by instruction and state of the line.
inline constexpr LatencyKey latency_keys[access_kinds][line_states] = {
    {{"load_modified", "whole latency of a load of a line that one CPU has written"},
     {"load_owned", "... that its writer shares with others (moesi)"},
     {"load_exclusive", "... that one CPU has, unwritten"},
     {"load_shared", "... that several have"},
     {"load_memory", "... that no cache has, by the distance of its home"}},
    {{"store_modified", "whole latency of a store to a line that one other CPU has written"},
     {"store_owned", "... that its writer shares with others (moesi)"},
     {"store_exclusive", "... that one other CPU has, unwritten"},
     {"store_shared", "... that several have"},
     {"store_memory", "... that no cache has; without it: load_memory"}},
    {{"atomic_modified", "whole latency of a read-modify-write of a line that one other CPU has written"},
     {"atomic_owned", "... that its writer shares with others (moesi)"},
     {"atomic_exclusive", "... that one other CPU has, unwritten"},
     {"atomic_shared", "... that several have"},
     {"atomic_memory", "... that no cache has; without it: load_memory"}}};

template <Of<DistanceConfig> Distance, class Visitor>
void visit_fields(Distance& distance, Visitor& visit) {
    visit({.name = "transfer",
           .doc = "isolated one-way transfer of a line, request to data, at nominal clocks",
           .max = max_latency_ps,
           .required = true,
           .measured = true},
          distance.transfer);
    visit({.name = "forward",
           .doc = "data leg from owner to next owner where the request already waited at the line; at most transfer",
           .max = max_latency_ps,
           .required = true,
           .measured = true},
          distance.forward);
    visit({.name = "read_occupancy",
           .doc = "how long one reader of a shared line keeps its server busy",
           .max = max_latency_ps,
           .measured = true},
          distance.read_occupancy);
    visit({.name = "far_occupancy",
           .doc = "how long one far atomic keeps the line's home busy",
           .max = max_latency_ps,
           .measured = true},
          distance.far_occupancy);
    for (std::size_t kind = 0; kind < access_kinds; ++kind) {
        for (std::size_t state = 0; state < line_states; ++state) {
            const LatencyKey& key = latency_keys[kind][state];
            visit({.name = key.name, .doc = key.doc, .min = 1, .measured = true}, distance.latency.of[kind][state]);
        }
    }
    visit({.name = "nodes", .doc = "pairs \"A-B\" of NUMA nodes that are this far apart, whatever their sockets"},
          distance.nodes);
}

/// Besides these: [clusters.NAME], [distances.NAME], [cpus.N].
template <Of<MachineConfig> Machine, class Visitor>
void visit_fields(Machine& machine, Visitor& visit) {
    visit({.name = "title", .doc = "one line"}, machine.title);
    visit({.name = "description", .doc = "what was measured where"}, machine.description);
    visit({.name = "line_bytes",
           .doc = "size of a cache line, a power of two",
           .min = 16,
           .max = 4096,
           .unit = Unit::bytes},
          machine.line_bytes);
    visit({.name = "across", .doc = "distance class between sockets and clusters; needed where there are two"},
          machine.across);
    visit({.name = "across_nodes", .doc = "between the NUMA nodes of a socket; without it: across"},
          machine.across_nodes);
    visit({.name = "across_clusters", .doc = "between the clusters of a NUMA node; without it: across_nodes"},
          machine.across_clusters);
    visit({.name = "clusters_per_node", .doc = "clusters that make a NUMA node", .min = 1, .max = max_cpus},
          machine.clusters_per_node);
    visit({.name = "nodes_per_socket", .doc = "NUMA nodes that make a socket", .min = 1, .max = max_cpus},
          machine.nodes_per_socket);
    visit({.name = "request_path",
           .doc = "requester's cycles until its request reaches the line's home",
           .max = max_path_cycles,
           .unit = Unit::cycles,
           .measured = true},
          machine.request_path_cycles);
    visit({.name = "snoop_path",
           .doc = "holder's cycles until it has answered a snoop",
           .max = max_path_cycles,
           .unit = Unit::cycles,
           .measured = true},
          machine.snoop_path_cycles);
    visit({.name = "response_path",
           .doc = "requester's cycles from data to the instruction's end",
           .max = max_path_cycles,
           .unit = Unit::cycles,
           .measured = true},
          machine.response_path_cycles);
    visit({.name = "retention",
           .doc = "mean time that an owner keeps a line that others wait for",
           .max = max_latency_ps,
           .measured = true},
          machine.retention);
    visit({.name = "arbitration", .doc = "how the retention of a grant is chosen"}, machine.arbitration);
    visit({.name = "discipline", .doc = "in which order the requests that wait at a line are served"},
          machine.discipline);
    visit(
        {.name = "overtake_bound", .doc = "discipline nearest_first: nobody is overtaken more often", .max = 1'000'000},
        machine.overtake_bound);
    visit({.name = "memory", .doc = "transfer of a line that no cache has", .max = max_latency_ps, .measured = true},
          machine.memory);
    visit({.name = "protocol", .doc = "what becomes of a written line when another CPU reads it"}, machine.protocol);
    visit({.name = "atomics", .doc = "where a read-modify-write happens"}, machine.atomics);
    visit({.name = "cas_failure", .doc = "what a failing compare-and-swap leaves its CPU with"}, machine.cas_failure);
    visit({.name = "store_buffer",
           .doc = "stores that a CPU may have on their way, visible in order (TSO); 0: it waits for each",
           .max = 1024},
          machine.store_buffer);
    visit({.name = "store_fetch", .doc = "when a buffered store asks for its line"}, machine.store_fetch);
    visit({.name = "store_drain_min", .doc = "no buffered store becomes visible sooner", .max = max_latency_ps},
          machine.store_drain_min);
    visit({.name = "bus_lock",
           .doc = "an atomic operation on a word across two lines keeps all other requests waiting for so long",
           .max = max_latency_ps},
          machine.bus_lock);
    visit({.name = "rmw_by", .doc = "what a read-modify-write of lock code is made of"}, machine.rmw_by);
    visit({.name = "load_exclusive", .doc = "how a load-exclusive fetches its line"}, machine.load_exclusive);
    visit({.name = "sc_upgrade", .doc = "what a store-exclusive does that has lost its reservation on the way"},
          machine.sc_upgrade);
    visit({.name = "reservation_granule",
           .doc = "what a reservation covers, a power of two; 0: one line",
           .max = 4096,
           .unit = Unit::bytes},
          machine.reservation_granule);
    visit({.name = "llsc_hold",
           .doc = "a load-exclusive that owns its line keeps it for so many cycles",
           .max = max_path_cycles,
           .unit = Unit::cycles},
          machine.llsc_hold_cycles);
    visit({.name = "waiting", .doc = "how smp_cond_load_* waits between two looks"}, machine.waiting);
    visit({.name = "event_stream", .doc = "period of the events that end every WFE; 0: none", .max = max_duration_ps},
          machine.event_stream);
    visit({.name = "cpu_relax", .doc = "what cpu_relax(), the kernel's word in a spin loop, does"}, machine.cpu_relax);
    visit({.name = "cpu_relax_delay", .doc = "how long cpu_relax = \"udelay\" waits", .max = max_latency_ps},
          machine.cpu_relax_delay);
    visit({.name = "cpu_relax_threshold",
           .doc = "cpu_relax = \"wfe_after\" sleeps after so many calls in a row from one place",
           .max = 0xFFFF'FFFE},
          machine.cpu_relax_threshold);
    visit(
        {.name = "estimated",
         .doc =
             "the keys whose values no measurement gives, as paths; a key's bare name stands for it in every table that has it"},
        machine.estimated);
}

// --- scenario files --------------------------------------------------------------------------------------

/// Besides these: the tables.
template <Of<Scenario> Top, class Visitor>
void visit_fields(Top& scenario, Visitor& visit) {
    visit({.name = "title", .doc = "one line"}, scenario.title);
    visit({.name = "description", .doc = "what the scenario shows, where it comes from"}, scenario.description);
    visit({.name = "duration",
           .doc = "simulated; the run ends earlier when every thread has finished",
           .min = 1,
           .max = max_duration_ps},
          scenario.duration);
    visit({.name = "seed", .doc = "of all random streams", .max = max_seed}, scenario.seed);
    visit({.name = "phases",
           .doc = "start phases that a full judgement needs; never fewer than an `in` of [expect] names",
           .min = 1,
           .max = 100'000},
          scenario.phases);
    visit({.name = "warmup", .doc = "measures begin here ...", .max = max_duration_ps}, scenario.warmup);
    visit({.name = "warmup_operations", .doc = "... and not before every thread has done so many bodies"},
          scenario.warmup_operations);
    visit({.name = "spin_elision", .doc = "park spinning CPUs; the result is the same without, only later"},
          scenario.spin_elision);
    visit({.name = "tie_break", .doc = "how events of equal times are ordered"}, scenario.tie_break);
}

template <Of<NoiseConfig> Noise, class Visitor>
void visit_fields(Noise& noise, Visitor& visit) {
    visit({.name = "work", .doc = "uniform, plus or minus, on work, think and delay", .max = all_ppm}, noise.work);
    visit({.name = "latency", .doc = "uniform, plus or minus, on line transfers", .max = all_ppm}, noise.latency);
    visit({.name = "start_phase", .doc = "when each thread starts"}, noise.start_phase);
}

/// Besides this: [locks.NAME.TYPE].
template <Of<LockConfig> Lock, class Visitor>
void visit_fields(Lock& lock, Visitor& visit) {
    visit({.name = "type", .doc = "a row of the lock catalogue (`locksim list locks`)", .required = true}, lock.type);
}

template <Of<LineConfig> Line, class Visitor>
void visit_fields(Line& line, Visitor& visit) {
    visit({.name = "bytes",
           .doc = "size; `read` and `write` touch each of its cache lines",
           .min = 1,
           .max = 1 << 20,
           .unit = Unit::bytes},
          line.bytes);
    visit({.name = "home", .doc = "CPU that owns it at the start; -1: it is in memory", .min = -1, .max = max_cpus - 1},
          line.home);
}

/// Besides these: [groups.NAME.WORKLOAD].
template <Of<GroupConfig> Group, class Visitor>
void visit_fields(Group& group, Visitor& visit) {
    visit({.name = "cpus", .doc = "one thread on each CPU named"}, group.cpus);
    visit({.name = "count",
           .doc = "instead of cpus: so many threads, on the lowest CPUs that no group has; neither: on all of those",
           .max = max_cpus},
          group.count);
    visit({.name = "iterations", .doc = "repetitions of the body by each thread; 0: until the run ends"},
          group.iterations);
    visit({.name = "interrupt", .doc = "when the body runs: as a thread, or as the handler of an interrupt"},
          group.interrupt);
    visit({.name = "nests", .doc = "of a handler: other interrupts may come while it runs"}, group.nests);
    visit({.name = "program", .doc = "the body as a list of steps"}, group.program);
    visit({.name = "workload", .doc = "the body as a row of the workload catalogue (`locksim list workloads`)"},
          group.workload);
}

template <Of<EventConfig> Event, class Visitor>
void visit_fields(Event& event, Visitor& visit) {
    visit({.name = "at", .doc = "when; or `on`", .max = max_duration_ps}, event.at);
    visit({.name = "on", .doc = "when a thread begins the step with this label; or `at`"}, event.on);
    visit({.name = "nth", .doc = "with `on`: when that happens for the nth time", .min = 1}, event.nth);
    visit({.name = "thread", .doc = "with `on`: only this thread counts; with `kill`: which one"}, event.thread);
    visit({.name = "cpu", .doc = "to which CPU; with `on`, without it: that thread's", .max = max_cpus - 1}, event.cpu);
    visit({.name = "frequency", .doc = "its new clock", .min = min_hz, .max = max_hz}, event.frequency);
    visit({.name = "stall", .doc = "its clock stops for so long", .min = 1, .max = max_duration_ps}, event.stall);
    visit({.name = "kill", .doc = "true: the thread stops for good, with all that it holds"}, event.kill);
}

/// Besides these: [expect.VARIANT] with the same keys.
template <Of<ExpectConfig> Expect, class Visitor>
void visit_fields(Expect& expect, Visitor& visit) {
    visit({.name = "verdict", .doc = "the verdict's name, or \"any\""}, expect.verdict);
    visit(
        {.name = "in",
         .doc =
             "verdict and `that` hold together in at least so many of the first so many start phases, for every seed that ran; \"none/16\": in none. Without it: in every run"},
        PhaseCount<Expect>{expect});
    visit({.name = "that", .doc = "comparisons that hold together with the verdict"}, expect.that);
    visit({.name = "always", .doc = "comparisons that hold in every run"}, expect.always);
    visit(
        {.name = "hoped", .doc = "comparisons that are printed with their value and never fail, each with its reason"},
        expect.hoped);
}

template <Of<LessonConfig> Lesson, class Visitor>
void visit_fields(Lesson& lesson, Visitor& visit) {
    visit({.name = "goal", .doc = "what one can say afterwards that one could not before", .required = true},
          lesson.goal);
    visit({.name = "predict", .doc = "a question about what the run will show, asked before it", .required = true},
          lesson.predict);
    visit({.name = "answers", .doc = "answers to choose from, shown as a), b), c); none: an open question"},
          lesson.answers);
    visit({.name = "explain", .doc = "shown after the report, with figures of the run in braces", .required = true},
          lesson.explain);
}

template <Of<FittedConfig> Fitted, class Visitor>
void visit_fields(Fitted& fitted, Visitor& visit) {
    visit({.name = "range", .doc = "what was tried", .required = true}, fitted.range);
    visit({.name = "why", .doc = "what it was chosen to match", .required = true}, fitted.why);
}

}  // namespace model
