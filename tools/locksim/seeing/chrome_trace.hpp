#pragma once
// A window of a run as Chrome trace-event JSON, which Perfetto (ui.perfetto.dev) and chrome://tracing open: a track per
// CPU with slices for what it does, a track per lock with its owners, arrows for hand-overs, counters for waiters.

#include <string>

#include "model/metrics/run_result.hpp"
#include "tools/locksim/seeing/recording.hpp"

namespace locksim {

struct ChromeTrace {
    std::string text;
    std::size_t events = 0;
    Window window;  ///< shorter than the recording's where there were more than `most` events
};
ChromeTrace chrome_trace(const Recording& recording, const model::RunResult& run, std::size_t most);

}  // namespace locksim
