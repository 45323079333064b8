#pragma once
// A stretch of simulated time to look at: as the user asks for it, or around what the verdict is about.

#include <string>
#include <string_view>

#include "model/metrics/run_result.hpp"
#include "sim/time.hpp"

namespace locksim {

struct Window {
    sim::Time from{};
    sim::Time to{};  ///< included

    bool contains(sim::Time at) const { return from <= at && at <= to; }
    sim::Time length() const { return to - from; }
};

/// "65ms..65.002ms". `option` is named in the message; throws InputError.
Window parse_window(std::string_view option, const std::string& text);

/// The moment that tells most: for starvation the end of the longest wait, for a deadlock when it closed, else see
/// window.cpp.
struct Focus {
    sim::Time at{};
    std::string what;  ///< "the end of little's longest wait"
};
Focus focus_of(const model::RunResult& run);

/// So long before and after a moment, within the run, to the next 10 ns.
Window around(sim::Time at, sim::Time before, sim::Time after, const model::RunResult& run);

/// "65ms..65.002ms", as parse_window() reads it.
std::string describe(const Window& window);

/// Of a time in a result: results are doubles in nanoseconds, exact to the picosecond.
sim::Time from_nanoseconds(double ns);

}  // namespace locksim
