#pragma once
// `diff`: what two files of recorded events have in common, where they part, and what it changed.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/locksim/comparing/difference.hpp"
#include "tools/locksim/comparing/event_log_reader.hpp"

namespace locksim {

/// Of any kind that can be read; today event logs (`run --events`). Another kind begins differently: it is told by its
/// first line, and read into the same struct. Throws InputError.
RecordedEvents read_events(const std::string& path);

struct LogComparison {
    const RecordedEvents& a;
    const RecordedEvents& b;
    Window window;  ///< what both have; compared are the events in it
    Events events_a, events_b;
    std::optional<Parting> parting;
    Aftermath after;

    /// The runs, as far as the files tell: no event differs, nor the digest of a run.
    bool same() const { return !parting && a.digest == b.digest; }
};

/// Refers to both. Throws InputError where they have no time in common.
LogComparison compare(const RecordedEvents& a, const RecordedEvents& b);

/// At most 24 lines.
std::string comparison_screen(const LogComparison& comparison, std::size_t width);
/// "locksim.diff/1".
std::string comparison_json(const LogComparison& comparison, std::string_view version);

}  // namespace locksim
