#pragma once
// What a machine file (configs/machines/NAME.toml) says, as plain structs: the loader fills them, the machine
// is built from them. The field lists (model/scenario/reading/fields.hpp) give every field its unit and its sentence.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/quantities.hpp"

namespace model {

/// In which order the requests that wait at a cache line are served.
enum class Discipline {
    by_domain,      ///< round robin over the cache domains that have requests, first come first served inside each
    fifo,           ///< by arrival at the line
    nearest_first,  ///< the nearest to the present owner, but nobody is overtaken more than `overtake_bound` times
    random,         ///< seeded
};
/// Whether `retention` is drawn anew for each grant (exponential) or always its mean.
enum class Arbitration { drawn, fixed };
/// Where a read-modify-write happens: in the requester's cache, or at the line's home.
enum class Atomics {
    near,               ///< the line moves to the requester
    far,                ///< always executed at the home
    far_unless_unique,  ///< in the cache where the requester owns the line alone, else at the home
};
/// Who may have a line that memory has not: mesif is mesi, its forwarder being what the latency tables say.
enum class Protocol {
    mesi,   ///< an owner that gives a copy away writes the line back: all have it shared
    moesi,  ///< it keeps the only true copy, owned, beside the others' shared ones
};
/// When a buffered store asks for its line.
enum class StoreFetch {
    early,    ///< as soon as it enters the buffer
    in_turn,  ///< when those before it are visible
};
/// What a failing compare-and-swap leaves its CPU with.
enum class CasFailure { exclusive, shared };

/// How a load-exclusive fetches its line.
enum class LoadExclusive { shared, exclusive };
/// Whether a store-exclusive that has lost its reservation by the time it is served still takes the line.
enum class ScUpgrade {
    checked,        ///< it fails there, invalidates nobody and takes no ownership
    unconditional,  ///< it takes the line and then fails: a hardware bug (ARC HS38, Linux commit e78fdfef84be)
};
/// What a read-modify-write of lock code is made of.
enum class RmwBy {
    instruction,  ///< one instruction (x86, arm64 with LSE)
    llsc,         ///< a loop of load-exclusive and store-exclusive (arm64 without LSE)
};
/// How smp_cond_load_* waits between two looks.
enum class Waiting {
    poll,  ///< load, hint, load, hint ... (x86)
    wfe,   ///< load-exclusive, then sleep until an event: the reservation is lost, an interrupt, SEV, the event stream
};

/// What cpu_relax(), the kernel's word in a spin loop, does.
enum class CpuRelax {
    yield,      ///< one hint: PAUSE, YIELD
    none,       ///< a compiler barrier only
    udelay,     ///< busy-waits for `cpu_relax_delay`
    wfe_after,  ///< a hint, and a WFE after `cpu_relax_threshold` calls in a row from one place (W. Deacon, July 2017)
};

/// [machine.tick]: timer interrupts. They take the CPU for `length`, and its reservation with it.
struct TickConfig {
    sim::Time period{};  ///< 0: no ticks
    sim::Time length{};  ///< that the handler runs
    sim::Time skew{};    ///< CPU n ticks n times so much after CPU 0
};

/// [machine.ipi]: interrupts that one CPU sends to another.
struct IpiConfig {
    sim::Time latency{};  ///< from the sender's instruction to the receiver's first
};

/// What a latency table tells apart: which instruction ...
enum class AccessKind : std::uint8_t { load, store, atomic };
/// ... and how the line stands: of the CPUs that have it, or of its home (memory).
enum class LineState : std::uint8_t { modified, owned, exclusive, shared, memory };
inline constexpr std::size_t access_kinds = 3;
inline constexpr std::size_t line_states = 5;

/// Whole latencies of single instructions as papers publish them, first fetch to end; what is not set follows from
/// `transfer`. Cycles are those of the requester's nominal clock.
struct LatencyTable {
    std::optional<Span> of[access_kinds][line_states];
    const std::optional<Span>& at(AccessKind kind, LineState state) const {
        return of[static_cast<std::size_t>(kind)][static_cast<std::size_t>(state)];
    }
};

/// [distances.NAME]: what it costs to move a line between two CPUs of this distance class.
struct DistanceConfig {
    sim::Time transfer{};        ///< isolated one-way transfer, request to data, at nominal clocks
    sim::Time forward{};         ///< data leg from owner to next owner where the request already waited at the line
    sim::Time read_occupancy{};  ///< how long one reader of a shared line keeps its server busy
    sim::Time far_occupancy{};   ///< how long one far atomic keeps the home busy
    LatencyTable latency{};
    std::vector<std::string> nodes{};  ///< pairs "A-B" of NUMA nodes that are this far apart, whatever their sockets
};

/// What a kind of CPU core costs: of a cluster, or overridden for one CPU.
struct CoreConfig {
    Frequency frequency{1'000'000'000};  ///< nominal clock
    Span hit = cycles(3);                ///< load or store that finds its line in the own cache; at least one cycle
    Span rmw = cycles(8);                ///< read-modify-write on a line that the CPU owns
    Span fence = cycles(1);              ///< full fence
    Span relax = cycles(1);              ///< the spin-wait hint: PAUSE, YIELD
    Span loop = cycles(0);               ///< instructions around one poll of a spin loop, besides load and hint
    Span wfe_wake = cycles(10);          ///< from the event that ends a WFE to the next instruction
    Span ll_to_sc = cycles(0);           ///< instructions between a load-exclusive and its store-exclusive
    friend constexpr bool operator==(const CoreConfig&, const CoreConfig&) = default;
};

/// [clusters.NAME]: CPUs that share a cache (a cache domain), numbered in the order of the file.
struct ClusterConfig {
    std::int32_t cpus = 1;     ///< hardware threads
    std::int32_t count = 1;    ///< so many clusters like this, one after the other
    std::int32_t threads = 1;  ///< hardware threads of a core: they share its cache and have neighbouring numbers
    std::string distance;      ///< distance class between two CPUs of this cluster
    CoreConfig core;           ///< keys stand directly in [clusters.NAME]
};

/// [cpus.N]: overrides for one CPU; what is not set comes from its cluster.
struct CpuOverride {
    std::optional<Frequency> frequency;
    std::optional<Span> hit, rmw, fence, relax, loop, wfe_wake, ll_to_sc;
    std::optional<sim::Time> tick_offset;  ///< its first tick, instead of N times the skew
};

struct MachineConfig {
    std::string preset;       ///< name of the file it came from
    std::string title;        ///< one line
    std::string description;  ///< what was measured where
    std::int32_t line_bytes = 64;
    std::vector<std::pair<std::string, ClusterConfig>> clusters;    ///< in the order of the file
    std::vector<std::pair<std::string, DistanceConfig>> distances;  ///< in the order of the file, nearest first
    std::string across;           ///< distance class between sockets, and wherever no nearer one is said
    std::string across_nodes;     ///< between the NUMA nodes of one socket
    std::string across_clusters;  ///< between the clusters of one NUMA node
    std::int32_t clusters_per_node = 1;
    std::int32_t nodes_per_socket = 1;
    std::map<std::int32_t, CpuOverride> cpus;

    std::int64_t request_path_cycles = 0;   ///< requester's cycles until its request reaches the line's home
    std::int64_t snoop_path_cycles = 0;     ///< holder's cycles until it has answered a snoop
    std::int64_t response_path_cycles = 0;  ///< requester's cycles from data to the instruction's end
    sim::Time retention{};                  ///< mean time that an owner keeps a line that others wait for
    Arbitration arbitration = Arbitration::drawn;
    Discipline discipline = Discipline::fifo;
    std::int32_t overtake_bound = 16;  ///< nearest_first: nobody is overtaken more often
    sim::Time memory{};                ///< transfer where no cache has the line
    Protocol protocol = Protocol::mesi;
    Atomics atomics = Atomics::near;
    CasFailure cas_failure = CasFailure::exclusive;
    std::int32_t store_buffer = 0;  ///< stores that a CPU may have on their way; 0: every store waits for its line
    StoreFetch store_fetch = StoreFetch::early;
    sim::Time store_drain_min{};  ///< no buffered store becomes visible sooner
    sim::Time bus_lock{};         ///< that an atomic operation across two lines keeps all other requests waiting
    RmwBy rmw_by = RmwBy::instruction;
    LoadExclusive load_exclusive = LoadExclusive::shared;
    ScUpgrade sc_upgrade = ScUpgrade::checked;
    std::int32_t reservation_granule = 0;  ///< bytes, a power of two; 0: one line
    std::int64_t llsc_hold_cycles = 0;     ///< a load-exclusive keeps an owned line for so long
    Waiting waiting = Waiting::poll;
    sim::Time event_stream{};  ///< period of the events that end every WFE; 0: none
    CpuRelax cpu_relax = CpuRelax::yield;
    sim::Time cpu_relax_delay = sim::microseconds(1);  ///< cpu_relax = "udelay"
    std::int64_t cpu_relax_threshold = 10'000;         ///< cpu_relax = "wfe_after"
    TickConfig tick;
    IpiConfig ipi;

    std::vector<std::string> estimated;  ///< names of the numbers that no measurement gives
};

}  // namespace model
