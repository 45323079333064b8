#include "tools/locksim/seeing/chrome_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tools/locksim/json_text.hpp"
#include "tools/locksim/report.hpp"

namespace locksim {

namespace {

using sim::Time;

constexpr int cpus_process = 1;  // a track per CPU
constexpr int locks_process = 2;
constexpr int interrupts_process = 3;  // a track per CPU that takes any: a slice from entry to return

/// The format counts in microseconds; fractions are allowed.
std::string microseconds(Time time) { return fmt::format("{}.{:06}", time.ps / 1'000'000, time.ps % 1'000'000); }

struct TraceEvent {
    Time at{};
    std::string text;
};

int track_of_cpu(std::int32_t cpu) { return cpu + 1; }  // 0 is the idle task to Perfetto

std::string slice_name(std::string_view activity) {
    if (activity == "critical") { return "critical section"; }
    if (activity == "halted") { return "halted (WFE)"; }
    return std::string(activity);
}

class TraceBuilder {
public:
    TraceBuilder(const Recording& recording, const model::RunResult& run, Window window)
        : recording_(recording), run_(run), window_(window) {}

    std::vector<TraceEvent> events() {
        std::set<std::int32_t> cpus;
        for (const model::ThreadResult& thread : run_.threads) { cpus.insert(thread.cpu); }
        for (const std::int32_t cpu : cpus) { add_activities(cpu); }
        add_locks();
        add_failed_stores();
        add_interrupts();
        std::stable_sort(events_.begin(), events_.end(),
                         [](const TraceEvent& a, const TraceEvent& b) { return a.at < b.at; });
        return std::move(events_);
    }
    std::vector<std::string> names() const;

private:
    void add(Time at, const std::string& name, const char* phase, int process, int track, const std::string& rest) {
        events_.push_back({at, fmt::format(R"({{"name": {}, "ph": "{}", "ts": {}, "pid": {}, "tid": {}{}}})",
                                           json_string(name), phase, microseconds(at), process, track, rest)});
    }
    void add_slice(Time from, Time to, const std::string& name, const char* category, int process, int track,
                   const std::string& arguments = "") {
        from = std::max(from, window_.from);
        to = std::min(to, window_.to);
        if (from >= to) { return; }
        add(from, name, "X", process, track,
            fmt::format(R"(, "dur": {}, "cat": "{}"{})", microseconds(to - from), category, arguments));
    }
    void add_activities(std::int32_t cpu);
    void add_locks();
    void add_lock_step(const sim::LockStep& step, LockState& state, int track);
    void add_hand_over(const sim::LockStep& acquired);
    void add_failed_stores();
    void add_interrupts();
    void add_waiters(Time at, const std::string& lock, std::int64_t waiters, int track) {
        add(at, fmt::format("{} waiters", lock), "C", locks_process, track,
            fmt::format(R"(, "cat": "lock", "args": {{"waiters": {}}})", waiters));
    }

    const Recording& recording_;
    const model::RunResult& run_;
    Window window_;
    std::vector<TraceEvent> events_;
    std::map<std::string, sim::LockStep> released_;  // by lock: its last release, while nobody has it
    std::map<std::string, Time> owned_since_;
    std::uint64_t flows_ = 0;
};

/// What a CPU does; gaps are idle time.
void TraceBuilder::add_activities(std::int32_t cpu) {
    const std::vector<ActivityChange> changes = recording_.activities_of(cpu);
    std::string during;  // what it did before it stalled, and does again afterwards
    for (std::size_t i = 0; i < changes.size();) {
        const std::string_view activity = changes[i].activity;
        const bool stalled = activity == "stall";
        if (!stalled && activity != "interrupt") { during = slice_name(activity); }
        std::size_t next = i + 1;
        while (next < changes.size() && activity == changes[next].activity) { ++next; }
        const Time end = next < changes.size() ? changes[next].at : window_.to;
        if (activity != "idle") {
            const bool known = stalled && !during.empty();
            add_slice(changes[i].at, end, slice_name(activity), "cpu", cpus_process, track_of_cpu(cpu),
                      known ? fmt::format(R"(, "args": {{"during": "{}"}})", during) : "");
        }
        i = next;
    }
}

void TraceBuilder::add_hand_over(const sim::LockStep& acquired) {
    const auto released = released_.find(acquired.lock);
    if (released == released_.end()) { return; }
    const sim::LockStep from = released->second;
    released_.erase(released);
    if (from.cpu == acquired.cpu || !window_.contains(from.at) || !window_.contains(acquired.at)) { return; }
    const std::string id = fmt::format(R"(, "cat": "hand-over", "id": {})", ++flows_);
    const std::string name = fmt::format("hand-over of {}", acquired.lock);
    add(from.at, name, "s", cpus_process, track_of_cpu(from.cpu), id);
    add(acquired.at, name, "f", cpus_process, track_of_cpu(acquired.cpu), id + R"(, "bp": "e")");
}

void TraceBuilder::add_lock_step(const sim::LockStep& step, LockState& state, int track) {
    const bool inside = window_.contains(step.at);
    const bool contended =
        std::find(state.contending.begin(), state.contending.end(), step.thread) != state.contending.end();
    apply_to(state, step);
    const auto instant = [&](const char* name) {
        add(step.at, name, "i", cpus_process, track_of_cpu(step.cpu),
            fmt::format(R"(, "s": "t", "cat": "lock", "args": {{"lock": {}, "waiters": {}}})", json_string(step.lock),
                        state.waiters));
    };
    switch (step.kind) {
        case sim::LockStep::Kind::request:
            if (inside && step.contended) { instant("lock:contention_begin"); }
            break;
        case sim::LockStep::Kind::gave_up:
            if (inside && contended) { instant("lock:contention_end"); }
            break;
        case sim::LockStep::Kind::acquired:
            if (inside && contended) { instant("lock:contention_end"); }
            add_hand_over(step);
            owned_since_[step.lock] = step.at;
            break;
        case sim::LockStep::Kind::release:
            add_slice(owned_since_[step.lock], step.at, step.thread, "lock", locks_process, track);
            owned_since_.erase(step.lock);
            released_[step.lock] = step;
            break;
    }
    if (inside && step.kind != sim::LockStep::Kind::release) { add_waiters(step.at, step.lock, state.waiters, track); }
}

void TraceBuilder::add_locks() {
    int track = 0;
    for (const auto& [name, before] : recording_.locks_before()) {
        ++track;
        LockState state = before;
        bool counted = false;
        if (state.owner_cpu >= 0) { owned_since_[name] = recording_.window().from; }
        for (const sim::LockStep& step : recording_.locks()) {
            if (name != step.lock) { continue; }
            if (!counted && step.at >= window_.from) {
                add_waiters(window_.from, name, state.waiters, track);
                counted = true;
            }
            add_lock_step(step, state, track);
        }
        if (!counted) { add_waiters(window_.from, name, state.waiters, track); }
        if (state.owner_cpu >= 0) {
            add_slice(owned_since_[name], window_.to, state.owner, "lock", locks_process, track);
        }
    }
}

void TraceBuilder::add_failed_stores() {
    for (const sim::Step& step : recording_.steps()) {
        if (std::string_view(step.operation) != "store_exclusive_failed" || !window_.contains(step.at)) { continue; }
        std::string why = step.cause.kind;
        if (*step.cause.thread != '\0') { why += fmt::format(" by {}", step.cause.thread); }
        add(step.at, "store-exclusive failed", "i", cpus_process, track_of_cpu(step.cpu),
            fmt::format(R"(, "s": "t", "cat": "llsc", "args": {{"where": {}, "cause": {}}})",
                        json_string(fmt::format("{}:{}", step.where.file, step.where.line)), json_string(why)));
    }
}

/// Interrupts under way at the window's edges are cut there; of one that began before it only the return is known.
void TraceBuilder::add_interrupts() {
    struct Open {
        Time from{};
        std::string name;
    };
    std::map<std::int32_t, std::vector<Open>> open;  // by CPU, the innermost last
    const auto slice = [&](std::int32_t cpu, const Open& irq, Time to) {
        add_slice(irq.from, to, irq.name, "irq", interrupts_process, track_of_cpu(cpu));
    };
    for (const sim::Step& step : recording_.steps()) {
        const std::string_view operation = step.operation;
        std::vector<Open>& here = open[step.cpu];
        if (operation == "interrupt_begin") { here.push_back({step.at, step.label}); }
        if (operation != "interrupt_end") { continue; }
        slice(step.cpu, here.empty() ? Open{window_.from, step.label} : here.back(), step.at);
        if (!here.empty()) { here.pop_back(); }
    }
    for (const auto& [cpu, left] : open) {
        for (const Open& irq : left) { slice(cpu, irq, window_.to); }
    }
}

std::string metadata(const char* what, int process, int track, const std::string& argument) {
    return fmt::format(R"({{"name": "{}", "ph": "M", "pid": {}, "tid": {}, "args": {{{}}}}})", what, process, track,
                       argument);
}

std::vector<std::string> TraceBuilder::names() const {
    const auto name = [](const std::string& text) { return fmt::format(R"("name": {})", json_string(text)); };
    const auto place = [](int index) { return fmt::format(R"("sort_index": {})", index); };
    std::vector<std::string> lines{metadata("process_name", cpus_process, 0, name("CPUs")),
                                   metadata("process_sort_index", cpus_process, 0, place(1)),
                                   metadata("process_name", locks_process, 0, name("locks")),
                                   metadata("process_sort_index", locks_process, 0, place(2)),
                                   metadata("process_name", interrupts_process, 0, name("interrupts")),
                                   metadata("process_sort_index", interrupts_process, 0, place(3))};
    std::map<std::int32_t, std::string> cpus;
    for (const model::ThreadResult& thread : run_.threads) {
        std::string& names = cpus[thread.cpu];
        names += (names.empty() ? "" : ", ") + thread.name;
    }
    for (const auto& [cpu, threads] : cpus) {
        const int track = track_of_cpu(cpu);
        lines.push_back(metadata("thread_name", cpus_process, track, name(fmt::format("CPU {}: {}", cpu, threads))));
        lines.push_back(metadata("thread_sort_index", cpus_process, track, place(track)));
        lines.push_back(metadata("thread_name", interrupts_process, track, name(fmt::format("CPU {}", cpu))));
        lines.push_back(metadata("thread_sort_index", interrupts_process, track, place(track)));
    }
    int track = 0;
    for (const auto& [lock, state] : recording_.locks_before()) {
        lines.push_back(metadata("thread_name", locks_process, ++track, name(fmt::format("owner of {}", lock))));
    }
    return lines;
}

}  // namespace

ChromeTrace chrome_trace(const Recording& recording, const model::RunResult& run, std::size_t most) {
    ChromeTrace trace;
    trace.window = recording.window();
    std::vector<TraceEvent> events = TraceBuilder(recording, run, trace.window).events();
    while (events.size() > most) {
        if (recording.keep() == Recording::Keep::first) {
            trace.window.to = events[most].at - Time{1};
        } else {
            trace.window.from = events[events.size() - most].at + Time{1};
        }
        events = TraceBuilder(recording, run, trace.window).events();
    }
    trace.events = events.size();
    nlohmann::ordered_json about{
        {"scenario", run.file}, {"variant", run.variant},           {"seed", run.seed},
        {"phase", run.phase},   {"digest", hex_digest(run.digest)}, {"window", describe(trace.window)}};
    trace.text = fmt::format("{{\"displayTimeUnit\": \"ns\",\n\"otherData\": {},\n\"traceEvents\": [\n",
                             about.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    std::string separator;
    const auto append = [&](const std::string& line) {
        trace.text += separator + line;
        separator = ",\n";
    };
    for (const std::string& line : TraceBuilder(recording, run, trace.window).names()) { append(line); }
    for (const TraceEvent& event : events) { append(event.text); }
    trace.text += "\n]}\n";
    return trace;
}

}  // namespace locksim
