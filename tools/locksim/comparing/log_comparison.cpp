#include "tools/locksim/comparing/log_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/locksim/exit_status.hpp"

namespace locksim {

namespace {

constexpr std::size_t shown_owners = 6;

/// At the edge where events were cut, others of the same instant may be missing.
Window whole_instants(const RecordedEvents& log) {
    Window window = log.window;
    if (log.cut == 0) { return window; }
    if (log.asked.from < window.from) { window.from.ps += 1; }
    if (window.to < log.asked.to) { window.to.ps -= 1; }
    return window;
}

Events within(const RecordedEvents& log, const Window& window) {
    const auto before = [](const Event& event, sim::Time at) { return event.t_ps < at.ps; };
    const auto first = std::lower_bound(log.events.begin(), log.events.end(), window.from, before);
    const auto end = std::lower_bound(first, log.events.end(), sim::Time{window.to.ps + 1}, before);
    return {first, end};
}

}  // namespace

RecordedEvents read_events(const std::string& path) { return read_event_log(path); }

LogComparison compare(const RecordedEvents& a, const RecordedEvents& b) {
    const Window of_a = whole_instants(a);
    const Window of_b = whole_instants(b);
    const Window both{std::max(of_a.from, of_b.from), std::min(of_a.to, of_b.to)};
    if (both.to < both.from) {
        throw InputError(fmt::format("{} has {} and {} has {}: expected windows that overlap", a.path,
                                     describe(a.window), b.path, describe(b.window)));
    }
    LogComparison comparison{.a = a,
                             .b = b,
                             .window = both,
                             .events_a = within(a, both),
                             .events_b = within(b, both),
                             .parting = {},
                             .after = {}};
    comparison.parting = find_parting(comparison.events_a, comparison.events_b, Causes::compared);
    if (comparison.parting) {
        comparison.after = aftermath(comparison.events_a, comparison.events_b, *comparison.parting, shown_owners);
    }
    return comparison;
}

}  // namespace locksim
