#pragma once
// A run is repeated to look at it: what is worth seeing is known only when it has ended, and a run is deterministic.
// The second run has an observer and must have the same digest.

#include <optional>
#include <string>
#include <vector>

#include "model/scenario/running/runner.hpp"
#include "tools/locksim/options.hpp"
#include "tools/locksim/seeing/window.hpp"

namespace locksim {

/// What of the options is about looking; throws InputError where it does not fit together. `files`: scenario files.
struct LookOptions {
    std::string events = {};  ///< paths; empty: not asked for
    std::string trace = {};
    std::optional<Window> window = {};  ///< of both; none: around the verdict
    bool timeline = false;
    std::optional<Window> timeline_window = {};
    bool why = false;  ///< count what the `why` line tells, where that takes little time

    bool wants_files() const { return !events.empty() || !trace.empty(); }
};
LookOptions look_options(const Options& options);

/// Must this run be repeated?
bool deserves_second_look(const model::RunResult& run, const LookOptions& look);

struct SecondLook {
    std::string why;       ///< for the `why` line; empty: the verdict's own text tells it
    std::string timeline;  ///< empty: not asked for
    std::string events, trace;
    std::vector<std::string> notes;  ///< what was written, for people
    std::vector<std::string> cuts;   ///< what was left out
};

/// No result if the monitor gave it up. `width`: of the chart. Throws sim::InternalError if the digests differ.
std::optional<SecondLook> look_again(const model::Scenario& scenario, const model::Catalogue& catalogue,
                                     const model::RunResult& run, const LookOptions& look, std::size_t width,
                                     model::RunMonitor* monitor);

}  // namespace locksim
