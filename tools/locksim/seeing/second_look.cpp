#include "tools/locksim/seeing/second_look.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "build_info.hpp"
#include "model/scenario/reading/units.hpp"
#include "sim/failure.hpp"
#include "tools/locksim/exit_status.hpp"
#include "tools/locksim/report.hpp"
#include "tools/locksim/seeing/chrome_trace.hpp"
#include "tools/locksim/seeing/event_log.hpp"
#include "tools/locksim/seeing/timeline.hpp"
#include "tools/locksim/seeing/why_starved.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

using sim::Time;

namespace {

constexpr std::size_t most_events = 200'000;
constexpr std::size_t most_records = 300'000;  // of each kind of which a trace or a chart is made
constexpr double short_run_seconds = 5;        // of host time: a longer run is not repeated for its `why` line
// Around the moment that the verdict is about: enough of the pattern before it, and how it went on.
constexpr Time before_focus = sim::microseconds(100);
constexpr Time after_focus = sim::microseconds(20);
constexpr Time before_focus_in_chart = sim::nanoseconds(1'300);
constexpr Time after_focus_in_chart = sim::nanoseconds(700);

/// Of a starvation the thread that starved; of a livelock the one that lost most store-exclusives, if it lost more than
/// it won.
const model::ThreadResult* losing_thread(const model::RunResult& run) {
    const model::Verdict& verdict = run.verdict();
    const bool livelock = verdict.kind == model::VerdictKind::livelock;
    if (!livelock && verdict.kind != model::VerdictKind::starvation) { return nullptr; }
    const model::ThreadResult* loser = nullptr;
    for (const model::ThreadResult& thread : run.threads) {
        const auto& names = verdict.threads;
        if (std::find(names.begin(), names.end(), thread.name) == names.end()) { continue; }
        if (livelock && thread.sc_fail <= thread.sc_success) { continue; }
        if (loser == nullptr || thread.sc_fail > loser->sc_fail) { loser = &thread; }
    }
    return loser;
}

bool tells_why(const model::RunResult& run, const LookOptions& look) {
    const model::ThreadResult* loser = losing_thread(run);
    return look.why && loser != nullptr && loser->sc_fail > 0 && run.host_seconds <= short_run_seconds;
}

std::string name_of(const model::RunResult& run) {
    return fmt::format("{}, seed {}, phase {}", run.variant, run.seed, run.phase);
}

/// The recordings of one repeated run, each with the window that its reader wants.
class Look {
public:
    Look(const model::RunResult& run, const LookOptions& look) : run_(run), look_(look), focus_(focus_of(run)) {
        const auto keep = look.window ? Recording::Keep::first : Recording::Keep::last;
        const Window files = look.window.value_or(around(focus_.at, before_focus, after_focus, run));
        if (!look.events.empty()) { record(events_, files, most_events, keep, true); }
        if (!look.trace.empty()) { record(trace_, files, most_records, keep); }
        if (look.timeline) {
            // More than is charted by default: where to look is known when the store-exclusives have been counted.
            const Window chart = look.timeline_window.value_or(around(focus_.at, before_focus, after_focus, run));
            record(chart_, chart, most_records, Recording::Keep::last);
        }
        const model::ThreadResult* loser = losing_thread(run);
        if (tells_why(run, look) || (look.timeline && loser != nullptr)) {
            why_.emplace(loser->name, wait_of(run.verdict()));
            observers.add(*why_);
        }
    }

    SecondLook result(std::size_t width) {
        SecondLook seen;
        if (why_ && tells_why(run_, look_)) { seen.why = why_text(); }
        if (chart_) { seen.timeline = chart(width); }
        if (events_) { write_events(seen); }
        if (trace_) { write_trace(seen); }
        return seen;
    }

    Observers observers;

private:
    void record(std::optional<Recording>& recording, const Window& window, std::size_t most, Recording::Keep keep,
                bool only_steps = false) {
        recording.emplace(window, most, keep, only_steps);
        observers.add(*recording);
    }

    std::string why_text() const {
        const model::Verdict& verdict = run_.verdict();
        const bool livelock = verdict.kind == model::VerdictKind::livelock;
        const std::string loser = losing_thread(run_)->name;
        const std::string told = why_->text(livelock ? loser + "'s" : "its");
        if (told.empty()) { return ""; }
        const std::string length = friendly_time(verdict.until_ns - verdict.since_ns);
        const std::string since = friendly_time(verdict.since_ns);
        if (livelock) { return fmt::format("nobody gets on for {} from {} on: {}", length, since, told); }
        return fmt::format("{} waited {} from {} on: {}", loser, length, since, told);
    }

    std::string chart(std::size_t width) const {
        if (look_.timeline_window) { return timeline(*chart_, chart_->window(), run_, name_of(run_), width); }
        Focus focus = focus_;
        if (why_ && why_->success() && chart_->window().contains(*why_->success())) {
            focus = {*why_->success(),
                     fmt::format("{}'s store-exclusive that succeeds at last", losing_thread(run_)->name)};
        }
        return timeline(*chart_, around(focus.at, before_focus_in_chart, after_focus_in_chart, run_), run_,
                        fmt::format("{}, around {}", name_of(run_), focus.what), width);
    }

    void note(SecondLook& seen, const char* option, const char* what, std::size_t count, const Window& window,
              const std::string& path) const {
        seen.notes.push_back(fmt::format("{} {} {} of {}, {}{}, in {}", option, group_digits(count), what,
                                         name_of(run_), describe(window), look_.window ? "" : ", around " + focus_.what,
                                         path));
    }
    void note_cut(SecondLook& seen, const char* what, const Recording& recording, std::size_t kept,
                  const std::string& of) const {
        const bool first = recording.keep() == Recording::Keep::first;
        seen.cuts.push_back(fmt::format("{}: kept the {} {} events{}; a narrower --window shows others", what,
                                        first ? "first" : "last", group_digits(kept), of));
    }

    void write_events(SecondLook& seen) const {
        const Window asked = look_.window.value_or(around(focus_.at, before_focus, after_focus, run_));
        seen.events = event_log(*events_, run_, asked, std::string(build_info::version));
        const std::size_t kept = events_->steps().size();
        note(seen, "events", "steps", kept, events_->window(), look_.events);
        if (events_->steps_seen() > kept) {
            note_cut(seen, "--events", *events_, kept, fmt::format(" of {}", group_digits(events_->steps_seen())));
        }
    }

    void write_trace(SecondLook& seen) const {
        ChromeTrace made = chrome_trace(*trace_, run_, most_events);
        seen.trace = std::move(made.text);
        note(seen, "trace ", "events", made.events, made.window, look_.trace);
        const Window asked = look_.window.value_or(around(focus_.at, before_focus, after_focus, run_));
        if (made.window.length() < asked.length()) {
            note_cut(seen, "--trace", *trace_, made.events, fmt::format(", {}", describe(made.window)));
        }
    }

    const model::RunResult& run_;
    const LookOptions& look_;
    Focus focus_;
    std::optional<Recording> events_, trace_, chart_;
    std::optional<WhyStarved> why_;
};

/// Pipes and /dev/null may be named twice. "./a" is "a", and a link is what it points to.
bool is_same_file(const std::string& a, const std::string& b) {
    namespace fs = std::filesystem;
    if (a.empty() || b.empty() || a == "-" || b == "-") { return false; }
    std::error_code error;
    const fs::file_status status = fs::status(a, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) { return false; }
    return fs::weakly_canonical(fs::absolute(a), error) == fs::weakly_canonical(fs::absolute(b), error);
}

/// What is mixed on stdout nobody can take apart.
void check_stdout(const Options& options) {
    std::vector<std::string> there;
    if (options.events == "-") { there.emplace_back("--events -"); }
    if (options.trace == "-") { there.emplace_back("--trace -"); }
    if (there.empty()) { return; }
    if (options.output.empty() || options.output == "-") { there.emplace_back("the report"); }
    if (there.size() == 1) { return; }
    throw InputError(fmt::format("{} both go to stdout: expected a file for the report (--output FILE, or /dev/null)",
                                 join(there, " and ")));
}

}  // namespace

LookOptions look_options(const Options& options) {
    LookOptions look{.events = options.events,
                     .trace = options.trace,
                     .window = {},
                     .timeline = !options.timeline.empty(),
                     .timeline_window = {},
                     .why = options.format == Format::table};
    if (!options.window.empty()) {
        look.window = parse_window("--window ", options.window);
        if (!look.wants_files()) {
            throw InputError(
                "--window without --events and --trace: expected one of them; a chart's is --timeline=FROM..TO");
        }
    }
    if (look.timeline && options.timeline != timeline_by_default) {
        look.timeline_window = parse_window("--timeline=", options.timeline);
    }
    if (look.timeline && options.format != Format::table) {
        throw InputError("--timeline with --format json or csv: expected --format table, the chart is for people");
    }
    if (look.wants_files() && options.files.size() > 1) {
        throw InputError(fmt::format("{} with {} scenario files: expected one",
                                     look.events.empty() ? "--trace" : "--events", options.files.size()));
    }
    check_stdout(options);
    if (is_same_file(look.events, look.trace) || is_same_file(look.events, options.output) ||
        is_same_file(look.trace, options.output)) {
        throw InputError("--events, --trace and --output name the same file: expected different ones");
    }
    return look;
}

bool deserves_second_look(const model::RunResult& run, const LookOptions& look) {
    return look.wants_files() || look.timeline || tells_why(run, look);
}

std::optional<SecondLook> look_again(const model::Scenario& scenario, const model::Catalogue& catalogue,
                                     const model::RunResult& run, const LookOptions& look, std::size_t width,
                                     model::RunMonitor* monitor) {
    for (const auto& window : {look.window, look.timeline_window}) {
        if (window && window->from > from_nanoseconds(run.simulated_ns)) {
            throw InputError(
                fmt::format("window {}: the run ended at {}", describe(*window), friendly_time(run.simulated_ns)));
        }
    }
    Look again(run, look);
    model::RunOptions options;
    options.phase = run.phase;
    options.monitor = monitor;
    options.observer = &again.observers;
    const auto second = model::run(scenario, catalogue, options);
    if (!second) { return std::nullopt; }
    if (second->digest != run.digest) {
        throw sim::InternalError(fmt::format("a second run, observed, differs from the first: digest {} instead of {}",
                                             hex_digest(second->digest), hex_digest(run.digest)));
    }
    return again.result(width);
}

}  // namespace locksim
