#include "tools/locksim/seeing/window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/scenario/reading/units.hpp"
#include "tools/locksim/exit_status.hpp"

namespace locksim {

using sim::Time;

Time from_nanoseconds(double ns) { return {std::llround(ns * 1e3)}; }

Window parse_window(std::string_view option, const std::string& text) {
    const std::size_t dots = text.find("..");
    if (dots != std::string::npos) {
        const auto from = model::parse_time(std::string_view(text).substr(0, dots));
        const auto to = model::parse_time(std::string_view(text).substr(dots + 2));
        if (from && to && *from < *to) { return {*from, *to}; }
    }
    throw InputError(fmt::format(
        "{}{}: expected FROM..TO, two times (ps, ns, us, ms, s) with FROM before TO, such as 65ms..65.002ms", option,
        text));
}

namespace {

constexpr Time grid = sim::nanoseconds(10);  // windows that nobody asked for begin at a time one can read

/// Where nothing went wrong: the end of the longest wait there was.
Focus longest_wait_of(const model::RunResult& run) {
    const auto longest = std::max_element(run.threads.begin(), run.threads.end(), [](const auto& a, const auto& b) {
        return a.longest_wait_ns < b.longest_wait_ns;
    });
    if (longest == run.threads.end() || longest->longest_wait_ns == 0) {
        return {from_nanoseconds(run.simulated_ns / 2), "the middle of the run"};
    }
    return {from_nanoseconds(longest->longest_wait_at_ns + longest->longest_wait_ns),
            fmt::format("the end of the longest wait, {}'s", longest->name)};
}

}  // namespace

Focus focus_of(const model::RunResult& run) {
    const model::Verdict& verdict = run.verdict();
    const std::string who = verdict.threads.empty() ? "" : verdict.threads.front() + "'s ";
    const Time since = from_nanoseconds(verdict.since_ns);
    switch (verdict.kind) {
        case model::VerdictKind::starvation:
            return {from_nanoseconds(verdict.until_ns), fmt::format("the end of {}longest wait", who)};
        case model::VerdictKind::livelock:
            return {from_nanoseconds(verdict.until_ns), "the end of the time without progress"};
        case model::VerdictKind::deadlock: return {since, "the beginning of the deadlock"};
        case model::VerdictKind::lost_wakeup: return {since, "the lost wakeup"};
        case model::VerdictKind::exclusion_violated: return {since, "the second owner's acquisition"};
        case model::VerdictKind::invariant_broken: return {from_nanoseconds(run.simulated_ns), "the end of the run"};
        case model::VerdictKind::ok: break;
    }
    return longest_wait_of(run);
}

Window around(Time at, Time before, Time after, const model::RunResult& run) {
    const Time end = from_nanoseconds(run.simulated_ns);
    Window window{std::max(Time{}, at - before), std::min(end, at + after)};
    // At an edge of the run the other side gets what is missing.
    const Time missing = before + after - window.length();
    if (window.from.ps == 0) { window.to = std::min(end, window.to + missing); }
    if (window.to == end) { window.from = std::max(Time{}, window.from - missing); }
    const auto rounded = [](Time time) { return Time{time.ps / grid.ps * grid.ps}; };
    return {rounded(window.from), window.to == end ? end : rounded(window.to)};
}

std::string describe(const Window& window) {
    return fmt::format("{}..{}", model::format_time(window.from), model::format_time(window.to));
}

}  // namespace locksim
