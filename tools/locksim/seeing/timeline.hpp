#pragma once
// A window of a run as a text chart: a row per CPU with a glyph for what it does, who has the lock's cache line below.

#include <cstddef>
#include <string>

#include "model/metrics/run_result.hpp"
#include "tools/locksim/seeing/recording.hpp"

namespace locksim {

/// `window`: within the recording's. `about`: what is there to see, for the first line. At most `width` columns.
std::string timeline(const Recording& recording, const Window& window, const model::RunResult& run,
                     const std::string& about, std::size_t width);

}  // namespace locksim
