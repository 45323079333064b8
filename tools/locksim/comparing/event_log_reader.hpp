#pragma once
// Reads what `run --events` has written.

#include <cstdint>
#include <string>
#include <vector>

#include "tools/locksim/comparing/event.hpp"
#include "tools/locksim/seeing/window.hpp"

namespace locksim {

/// A run's events as a file has them: of a window of simulated time.
struct RecordedEvents {
    std::string path;
    std::string title, file, config_digest, variant;
    std::uint64_t seed = 0;
    std::int64_t phase = 0;
    std::string digest, verdict;  ///< of the whole run
    Window window;                ///< what the file has
    Window asked;                 ///< more than that where events were cut
    std::uint64_t cut = 0;        ///< so many events of `asked` are missing
    std::vector<Event> events;
};

/// Throws InputError "FILE:LINE: ...: what was expected".
RecordedEvents read_event_log(const std::string& path);

}  // namespace locksim
