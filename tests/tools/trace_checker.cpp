#include "tests/tools/trace_checker.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace locksim_test {

namespace {

using Json = nlohmann::json;
using Track = std::pair<std::int64_t, std::int64_t>;  // pid, tid

class TraceChecker {
public:
    std::vector<std::string> check(const std::string& text) {
        const Json trace = Json::parse(text, nullptr, false);
        if (!trace.is_object()) { return {"no JSON object"}; }
        if (!trace.contains("traceEvents") || !trace["traceEvents"].is_array()) { return {"no array traceEvents"}; }
        if (trace.value("displayTimeUnit", "ms") != "ns") { fault("displayTimeUnit is not ns"); }
        for (const Json& event : trace["traceEvents"]) {
            ++number_;
            check_event(event);
        }
        for (const auto& [track, open] : begun_) {
            if (open > 0) { fault(fmt::format("{} B without E on track {}", open, track.second)); }
        }
        for (const auto& [id, flow] : flows_) {
            if (!flow.ended) { fault(fmt::format("flow {} starts and does not end", id)); }
        }
        for (const Track& track : used_) {
            if (named_.count(track) == 0) { fault(fmt::format("track {} has no thread_name", track.second)); }
        }
        return std::move(faults_);
    }

private:
    struct Flow {
        std::int64_t started = 0;
        bool ended = false;
    };
    struct Slice {
        std::int64_t from = -1, to = -1;
    };

    void fault(const std::string& what) { faults_.push_back(fmt::format("event {}: {}", number_, what)); }

    bool has(const Json& event, const char* key, bool right_type) {
        if (event.contains(key) && right_type) { return true; }
        fault(fmt::format("phase {} needs {}: {}", event.value("ph", "?"), key, event.dump()));
        return false;
    }
    static bool is_number(const Json& event, const char* key) { return event.contains(key) && event[key].is_number(); }
    static bool is_string(const Json& event, const char* key) { return event.contains(key) && event[key].is_string(); }
    /// The format counts microseconds; locksim has picoseconds.
    static std::int64_t picoseconds(const Json& value) { return std::llround(value.get<double>() * 1e6); }

    void check_event(const Json& event) {
        if (!event.is_object() || !is_string(event, "ph")) { return fault("no phase"); }
        const auto phase = event["ph"].get<std::string>();
        const bool common = has(event, "name", is_string(event, "name")) &&
                            has(event, "pid", is_number(event, "pid")) && has(event, "tid", is_number(event, "tid"));
        if (!common) { return; }
        const Track track{event["pid"].get<std::int64_t>(), event["tid"].get<std::int64_t>()};
        if (phase == "M") { return check_metadata(event, track); }
        if (!has(event, "ts", is_number(event, "ts"))) { return; }
        const std::int64_t at = picoseconds(event["ts"]);
        if (at < 0) { fault("negative ts"); }
        if (const auto last = last_.find(track); last != last_.end() && at < last->second) {
            fault(fmt::format("ts goes back on track {}", track.second));
        }
        last_[track] = at;
        used_.insert(track);
        if (phase == "X") { return check_slice(event, track, at); }
        if (phase == "B") {
            ++begun_[track];
            return;
        }
        if (phase == "E") {
            if (begun_[track]-- == 0) { fault("E without B"); }
            return;
        }
        if (phase == "i") {
            const std::string scope = event.value("s", "t");
            if (scope != "t" && scope != "p" && scope != "g") { fault("scope of an instant is none of t, p, g"); }
            return;
        }
        if (phase == "C") { return check_counter(event); }
        if (phase == "s" || phase == "f") { return check_flow(event, phase, track, at); }
        fault("unknown phase " + phase);
    }

    void check_metadata(const Json& event, const Track& track) {
        const auto name = event["name"].get<std::string>();
        const bool is_name = name == "thread_name" || name == "process_name";
        const bool is_place = name == "thread_sort_index" || name == "process_sort_index";
        if (!is_name && !is_place) { return fault("unknown metadata " + name); }
        const Json arguments = event.value("args", Json::object());
        if (is_name) { has(event, "args", is_string(arguments, "name")); }
        if (is_place) { has(event, "args", is_number(arguments, "sort_index")); }
        if (name == "thread_name") { named_.insert(track); }
    }

    void check_slice(const Json& event, const Track& track, std::int64_t at) {
        if (!has(event, "dur", is_number(event, "dur"))) { return; }
        const std::int64_t length = picoseconds(event["dur"]);
        if (length < 0) { fault("negative dur"); }
        Slice& last = slices_[track];
        if (at < last.to) { fault(fmt::format("slices overlap on track {}", track.second)); }
        last = {at, at + length};
    }

    void check_counter(const Json& event) {
        const Json arguments = event.value("args", Json::object());
        if (arguments.empty()) { fault("a counter without a value"); }
        for (const auto& [key, value] : arguments.items()) {
            if (!value.is_number()) { fault("a counter's value is no number"); }
            if (value.is_number() && value.get<double>() < 0) { fault("a counter of waiters is negative"); }
        }
    }

    void check_flow(const Json& event, const std::string& phase, const Track& track, std::int64_t at) {
        if (!event.contains("id")) { return fault("a flow without an id"); }
        // An arrow hangs on the slice around its time.
        const Slice& slice = slices_[track];
        if (at < slice.from || at >= slice.to) { fault(fmt::format("a flow's {} lies in no slice", phase)); }
        const std::string id = event["id"].dump();
        if (phase == "s") {
            if (!flows_.emplace(id, Flow{at, false}).second) { fault("a second flow with id " + id); }
            return;
        }
        const auto flow = flows_.find(id);
        if (flow == flows_.end() || flow->second.ended) { return fault("a flow ends that did not start: " + id); }
        if (at < flow->second.started) { fault("a flow ends before it starts: " + id); }
        flow->second.ended = true;
    }

    std::size_t number_ = 0;
    std::vector<std::string> faults_;
    std::map<Track, std::int64_t> last_;
    std::map<Track, Slice> slices_;
    std::map<Track, int> begun_;
    std::map<std::string, Flow> flows_;
    std::set<Track> named_, used_;
};

}  // namespace

std::vector<std::string> faults_of_trace(const std::string& text) { return TraceChecker().check(text); }

}  // namespace locksim_test
