#pragma once
// Runs one scenario (one variant, one seed, one start phase) and returns what it yields.

#include <cstdint>
#include <optional>

#include "model/metrics/run_result.hpp"
#include "model/scenario/catalogue.hpp"
#include "model/scenario/scenario.hpp"
#include "sim/observer.hpp"

namespace model {

/// Asked some times a second of host time while a run goes on: for progress display and for Ctrl-C.
class RunMonitor {
public:
    virtual ~RunMonitor() = default;
    virtual bool keep_going(sim::Time now) = 0;  ///< false: give the run up
};

struct RunOptions {
    std::int32_t phase = 1;             ///< which start phase, from 1
    RunMonitor* monitor = nullptr;      ///< may be null
    sim::Observer* observer = nullptr;  ///< sees every hashed step; may be null
    bool moving_stacks = false;         ///< each repetition of a body has other stack addresses; no result may change
    bool walk_in_pieces = false;  ///< without spin_elision: every piece of a poll is an event, the reference of tests
    // Streams that a disturbance draws anew while all others stay those of the scenario's seed.
    std::optional<std::uint64_t> noise_seed = {};  ///< of [noise] work and latency
    std::optional<std::uint64_t> tie_seed = {};    ///< of tie_break = "seeded"
};

/// The scenario must come from the loader (names resolved, values in range). No result if the monitor gave it up.
std::optional<RunResult> run(const Scenario& scenario, const Catalogue& catalogue, const RunOptions& options = {});

}  // namespace model
