#pragma once
// What one run (scenario file, variant, seed, phase) yields: plain data for the reports and for [expect]. Times are
// nanoseconds as doubles, for people and for JSON; the simulation itself never reads them back.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace model {

/// Of a set of times; percentiles from a histogram with relative error below 1/64. No samples: `samples` is 0
/// and the rest means nothing (reports print null).
struct Summary {
    std::uint64_t samples = 0;
    double min = 0, mean = 0, p50 = 0, p90 = 0, p99 = 0, p999 = 0, max = 0;
};

enum class VerdictKind {
    ok,
    starvation,
    livelock,
    lost_wakeup,
    deadlock,
    invariant_broken,
    exclusion_violated
};                                        // weakest first
const char* to_string(VerdictKind kind);  ///< "starvation"
/// All names in order of strength, weakest first.
const std::vector<std::string>& verdict_names();

struct WaitsFor {
    std::string thread, lock, owner;
};

/// Whether a verdict outlives small disturbances: of so many runs, each disturbed a little, so many had a verdict of
/// the same kind about threads of the same groups. (model/scenario/running/disturbance.hpp)
struct Survival {
    struct Count {
        std::int32_t same = 0, runs = 0;
    };
    struct Change {
        std::string set;                        ///< "PATH=VALUE", as --set takes it
        VerdictKind verdict = VerdictKind::ok;  ///< with it
        bool same = false;
    };
    Count noise_1pct, tie_orders, one_cycle;
    std::vector<Change> changes;  ///< those of one_cycle, in the order in which they ran
};

struct Verdict {
    VerdictKind kind = VerdictKind::ok;
    std::string text;      ///< one sentence, with times
    std::string basis;     ///< "proved", "bounded", "observed"
    std::string made_by;   ///< "lock", "workload", "scheduler", "hypervisor"; empty for ok
    double window_ns = 0;  ///< livelock: W
    double bound_ns = 0;   ///< starvation: B
    double since_ns = 0;
    double until_ns = 0;               ///< starvation, livelock: when the wait, or the time without progress, ended
    std::vector<std::string> threads;  ///< whom it concerns
    std::vector<WaitsFor> waits_for;   ///< deadlock
    std::string where;                 ///< "file:line" of the call site, where one is known
    std::optional<Survival> survives;  ///< tested by `run --stability` only
};

struct LongestWait {
    std::string thread;
    std::string holder;  ///< who had the lock last before it ended; empty: nobody else
    double at_ns = 0;    ///< when the wait began
};

struct LockResult {
    std::string name, type;
    std::uint64_t acquisitions = 0, contended = 0, failed_tries = 0;
    double throughput_per_s = 0;
    Summary wait_ns, contended_wait_ns, hold_ns, handover_ns;
    std::vector<std::pair<std::string, double>> transfers_per_acquisition;  ///< by distance class, machine's order
    std::optional<double> jain;
    std::optional<double> jain_1ms_min, jain_1ms_mean;
    std::uint64_t longest_streak = 0;  ///< acquisitions in a row by one thread
    std::uint64_t longest_bypass = 0;  ///< acquisitions by others during one wait
    double reacquire_p50 = 0, reacquire_p99 = 0;
    std::uint64_t reacquire_samples = 0;
    std::optional<LongestWait> longest_wait;
    std::uint64_t steals = 0;  ///< acquisitions by a thread that arrived after one that still waited
};

struct ThreadResult {
    std::string name, group;
    std::int32_t cpu = 0;
    std::uint64_t operations = 0;  ///< bodies completed
    std::uint64_t acquisitions = 0;
    Summary wait_ns;
    double longest_wait_ns = 0, longest_wait_at_ns = 0;  ///< an unfinished wait counts up to the end of the run
    std::uint64_t cas_success = 0, cas_fail = 0;
    std::uint64_t sc_success = 0, sc_fail = 0;
    bool handler = false;  ///< runs in interrupts of its CPU
    bool finished = false;
    double finished_at_ns = 0;
};

/// Where a CPU's time went; sums to the run's length.
struct CpuTime {
    double work = 0, critical = 0, spin = 0, stall = 0, interrupt = 0, preempted = 0, halted = 0, switching = 0,
           idle = 0;
};
struct CpuResult {
    std::int32_t cpu = 0;
    CpuTime time_ns;
};

/// One of [[events]] that did not happen in this run.
struct NeverHappened {
    std::string where;  ///< "FILE:LINE"
    std::string why;    ///< "at = 100s: the run ended at 10ms"
};

struct RunResult {
    std::string title, file, config_digest;
    std::string variant = "base";
    std::uint64_t seed = 1;
    std::int32_t phase = 1, phases = 1;  ///< this phase, and how many a full judgement needs
    std::uint64_t digest = 0;
    std::uint64_t events = 0, accesses = 0, switches = 0;
    double simulated_ns = 0, window_ns = 0, host_seconds = 0;
    double ns_per_acquisition = 0;  ///< window / acquisitions over all locks; 0: none
    std::string machine_preset;
    std::vector<std::string> machine_estimated;
    std::int32_t machine_numbers = 0;            ///< numbers that a measurement could give
    std::int32_t machine_estimated_numbers = 0;  ///< so many of them are in machine_estimated, which may name more
    std::string memory_order;                    ///< "sc" while there is no store buffer
    std::vector<NeverHappened> never_happened;   ///< [[events]] that nothing came of
    std::vector<Verdict> verdicts;               ///< all that apply, the strongest first; never empty
    std::vector<LockResult> locks;
    std::vector<ThreadResult> threads;
    std::vector<CpuResult> cpus;

    const Verdict& verdict() const { return verdicts.front(); }
};

}  // namespace model
