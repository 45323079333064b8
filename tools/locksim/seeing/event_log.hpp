#pragma once
// The event log: JSON Lines "locksim.events/1", a header and then one object for each hashed step of the window.

#include <fmt/format.h>

#include <string>

#include "model/metrics/run_result.hpp"
#include "tools/locksim/seeing/recording.hpp"

namespace locksim {

/// Appends the line of one step, with its end.
void write_event(fmt::memory_buffer& out, const sim::Step& step);

/// `asked`: the window before anything was cut.
std::string event_log(const Recording& recording, const model::RunResult& run, const Window& asked,
                      const std::string& version);

}  // namespace locksim
