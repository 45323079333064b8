// What there is to see of a run: event log, Chrome trace, timeline, and the counted `why` line.

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "locks/catalogue.hpp"
#include "model/scenario/reading/loader.hpp"
#include "tests/catch.hpp"
#include "tests/tools/report_fixture.hpp"
#include "tests/tools/temporary_folder.hpp"
#include "tests/tools/trace_checker.hpp"
#include "tools/locksim/exit_status.hpp"
#include "tools/locksim/seeing/chrome_trace.hpp"
#include "tools/locksim/seeing/second_look.hpp"
#include "tools/locksim/seeing/timeline.hpp"
#include "tools/locksim/text.hpp"

using namespace locksim_test;
using Catch::Matchers::ContainsSubstring;
using locksim::Window;
using Json = nlohmann::json;
using sim::microseconds;

namespace {

const std::string configs = std::string(LOCKSIM_SOURCE_DIR) + "/tests/tools/data/configs";

model::Scenario scenario_of(const std::string& file) {
    model::LoadOptions load;
    load.configs_dir = configs;
    return model::load_scenario(configs + "/" + file, locks::catalogue(), load).front();
}

struct Looked {
    model::RunResult run;
    locksim::SecondLook seen;
};
Looked look_at_scenario(const std::string& file, const locksim::LookOptions& look, sim::Time duration = {},
                        std::uint64_t seed = 1) {
    model::Scenario scenario = scenario_of(file);
    scenario.seed = seed;
    if (duration.ps > 0) { scenario.duration = duration; }
    Looked looked{model::run(scenario, locks::catalogue()).value(), {}};
    looked.seen = locksim::look_again(scenario, locks::catalogue(), looked.run, look, 80, nullptr).value();
    return looked;
}
/// The run of overtaken.toml, looked at in every way, made once: tests read it.
const Looked& overtaken() {
    static const Looked looked = look_at_scenario(
        "overtaken.toml",
        {.events = "e", .trace = "t", .window = {}, .timeline = true, .timeline_window = {}, .why = true});
    return looked;
}

std::vector<Json> objects_of(const std::string& lines) {
    std::vector<Json> objects;
    for (const std::string& line : lines_of(lines)) { objects.push_back(Json::parse(line)); }
    return objects;
}
Json header_of(const std::string& log) { return objects_of(log).front(); }

bool is_failed_store(const Json& step) {
    return step.value("op", "") == "store_exclusive_failed" && step["cause"].is_object();
}
std::string granule_of(const Json& step) {
    const auto name = step["var"].get<std::string>();
    return name.substr(0, name.find('+'));
}

}  // namespace

TEST_CASE("An event log has a header and one object per step, all with the same keys", "[unit]") {
    const std::vector<Json> log = objects_of(overtaken().seen.events);
    CHECK(log.front()["schema"] == "locksim.events/1");
    CHECK(log.front()["verdict"] == "starvation");
    CHECK(log.front()["events"] == log.size() - 1);
    CHECK(log.front()["cut"] == 0);
    REQUIRE(log.size() > 100);
    std::int64_t before = 0;
    for (auto step = log.begin() + 1; step != log.end(); ++step) {
        for (const char* key : {"t_ps", "cpu", "thread", "label", "op", "where", "var", "old", "new", "line_before",
                                "line_after", "cause"}) {
            INFO(step->dump());
            CHECK(step->contains(key));
        }
        CHECK((*step)["t_ps"].get<std::int64_t>() >= before);
        before = (*step)["t_ps"].get<std::int64_t>();
    }
}

TEST_CASE("A failed store-exclusive in the log leads back to the store that took the line", "[unit]") {
    const std::vector<Json> log = objects_of(overtaken().seen.events);
    std::size_t followed = 0;
    for (const Json& step : log) {
        if (!is_failed_store(step) || step["cause"]["kind"] != "taken") { continue; }
        const Json& cause = step["cause"];
        const auto store = std::find_if(log.begin(), log.end(), [&](const Json& other) {
            return other.value("t_ps", -1L) == cause["t_ps"] && other["cpu"] == cause["cpu"] &&
                   other["op"] == cause["op"];
        });
        if (store == log.end()) { continue; }  // before the window
        ++followed;
        INFO(step.dump() << "\n" << store->dump());
        CHECK((*store)["where"] == cause["where"]);
        CHECK((*store)["thread"] == "fast");
        CHECK(granule_of(*store) == granule_of(step));
        // The load-exclusive, the snoop of the store, the store-exclusive: in this order. The store's data may come
        // later.
        CHECK(cause["armed_ps"] < cause["lost_ps"]);
        CHECK(cause["lost_ps"] <= step["t_ps"]);
        CHECK(cause["lost_ps"] <= cause["t_ps"]);
    }
    CHECK(followed > 20);
}

TEST_CASE("A store-exclusive that a tick made fail leads back to the tick", "[unit]") {
    // A tick of the slow CPU at 2 ms: its attempt under way fails, unless somebody took the line in it before.
    locksim::LookOptions look{.events = "e"};
    std::optional<Json> failure;
    std::vector<Json> log;
    for (std::uint64_t seed = 1; seed < 40 && !failure; ++seed) {  // in most runs somebody has taken the line by then
        const sim::Time at = sim::milliseconds(2);
        look.window = Window{at, at + microseconds(10)};
        log = objects_of(look_at_scenario("overtaken.toml", look, sim::milliseconds(3), seed).seen.events);
        for (const Json& step : log) {
            if (is_failed_store(step) && step["cause"]["kind"] == "interrupt" && !failure) { failure = step; }
        }
    }
    REQUIRE(failure);
    const Json& cause = (*failure)["cause"];
    CHECK(cause["cpu"] == 0);
    CHECK(std::any_of(log.begin(), log.end(), [&](const Json& step) {
        return step.value("op", "") == "interrupt_begin" && step["label"] == "tick" && step["t_ps"] == cause["t_ps"] &&
               step["cpu"] == cause["cpu"];
    }));
    CHECK(cause["armed_ps"] <= cause["t_ps"]);
    CHECK(cause["t_ps"] < (*failure)["t_ps"]);
}

TEST_CASE("A log of the whole run has the steps of a run whose digest it names", "[unit]") {
    const model::Scenario scenario = scenario_of("two_cpus.toml");
    const Looked looked = look_at_scenario("two_cpus.toml", {.events = "e", .window = Window{{}, scenario.duration}});
    CHECK(header_of(looked.seen.events)["digest"] == locksim::hex_digest(looked.run.digest));
    CHECK(header_of(looked.seen.events)["cut"] == 0);
    CHECK(objects_of(looked.seen.events)[1]["op"] == "thread_begin");
    CHECK(looked.seen.cuts.empty());
}

TEST_CASE("More than 200,000 steps are cut, and the log and stderr say so", "[unit]") {
    const sim::Time end = sim::milliseconds(45);
    const Looked looked = look_at_scenario("overtaken.toml", {.events = "e", .window = Window{{}, end}}, end);
    const Json header = header_of(looked.seen.events);
    CHECK(header["events"] == 200'000);
    CHECK(header["cut"].get<std::int64_t>() > 0);
    CHECK(header["window_ps"][1].get<std::int64_t>() < header["asked_ps"][1].get<std::int64_t>());
    REQUIRE(looked.seen.cuts.size() == 1);
    CHECK_THAT(looked.seen.cuts.front(), ContainsSubstring("kept the first 200 000 events of"));
}

TEST_CASE("A trace keeps to the trace-event format", "[unit]") {
    const std::string trace = overtaken().seen.trace;
    CHECK(faults_of_trace(trace) == std::vector<std::string>{});
    std::map<std::string, int> seen;
    const Json parsed = Json::parse(trace);
    for (const Json& event : parsed["traceEvents"]) { ++seen[event["name"].get<std::string>()]; }
    for (const char* name : {"critical section", "spin", "stall", "interrupt", "lock:contention_begin",
                             "lock:contention_end", "l waiters", "hand-over of l", "store-exclusive failed", "tick"}) {
        INFO(name);
        CHECK(seen[name] > 0);
    }
    CHECK(faults_of_trace(
              look_at_scenario("two_cpus.toml", {.trace = "t", .window = Window{{}, microseconds(50)}}).seen.trace) ==
          std::vector<std::string>{});
}

TEST_CASE("A trace that was cut to size still keeps to the format", "[unit]") {
    const model::Scenario scenario = scenario_of("two_cpus.toml");
    for (const auto keep : {locksim::Recording::Keep::first, locksim::Recording::Keep::last}) {
        locksim::Recording recording({{}, scenario.duration}, 1000, keep);
        model::RunOptions options;
        options.observer = &recording;
        const auto run = model::run(scenario, locks::catalogue(), options).value();
        const locksim::ChromeTrace trace = locksim::chrome_trace(recording, run, 300);
        CHECK(trace.events <= 300);
        CHECK(trace.events > 200);
        CHECK(trace.window.length() < scenario.duration);
        CHECK(faults_of_trace(trace.text) == std::vector<std::string>{});
    }
}

TEST_CASE("The checker of traces finds what is wrong with one", "[unit]") {
    const auto faulty = [](const std::string& events) {
        const std::string names =
            R"({"name": "thread_name", "ph": "M", "pid": 1, "tid": 1, "args": {"name": "CPU 0"}})";
        return faults_of_trace(R"({"displayTimeUnit": "ns", "traceEvents": [)" + names + ", " + events + "]}");
    };
    const std::string slice = R"({"name": "a", "ph": "X", "ts": 1, "dur": 2, "pid": 1, "tid": 1})";
    CHECK(faulty(slice).empty());
    for (const auto& [events, fault] : std::vector<std::pair<std::string, std::string>>{
             {R"({"name": "a", "ph": "X", "ts": 1, "pid": 1, "tid": 1})", "needs dur"},
             {R"({"name": "a", "ph": "X", "dur": 1, "pid": 1, "tid": 1})", "needs ts"},
             {R"({"ph": "X", "ts": 1, "dur": 1, "pid": 1, "tid": 1})", "needs name"},
             {R"({"name": "a", "ph": "X", "ts": 1, "dur": 1, "pid": 1, "tid": 2})", "no thread_name"},
             {slice + R"(, {"name": "b", "ph": "X", "ts": 0.5, "dur": 0.1, "pid": 1, "tid": 1})", "ts goes back"},
             {slice + R"(, {"name": "b", "ph": "X", "ts": 2, "dur": 2, "pid": 1, "tid": 1})", "overlap"},
             {R"({"name": "a", "ph": "B", "ts": 1, "pid": 1, "tid": 1})", "B without E"},
             {R"({"name": "a", "ph": "E", "ts": 1, "pid": 1, "tid": 1})", "E without B"},
             {slice + R"(, {"name": "f", "ph": "s", "id": 1, "ts": 2, "pid": 1, "tid": 1})", "does not end"},
             {slice + R"(, {"name": "f", "ph": "f", "id": 1, "ts": 2, "pid": 1, "tid": 1})", "did not start"},
             {R"({"name": "f", "ph": "s", "id": 1, "ts": 2, "pid": 1, "tid": 1})", "in no slice"},
             {R"({"name": "c", "ph": "C", "ts": 2, "pid": 1, "tid": 1})", "counter without a value"},
             {R"({"name": "c", "ph": "C", "ts": 2, "pid": 1, "tid": 1, "args": {"waiters": -1}})", "negative"},
             {R"({"name": "a", "ph": "?", "ts": 2, "pid": 1, "tid": 1})", "unknown phase"}}) {
        INFO(events);
        const std::vector<std::string> faults = faulty(events);
        REQUIRE_FALSE(faults.empty());
        CHECK_THAT(locksim::join(faults, "\n"), ContainsSubstring(fault));
    }
    CHECK_FALSE(faults_of_trace("[").empty());
    CHECK_FALSE(faults_of_trace("{}").empty());
}

TEST_CASE("A timeline has a row per CPU, fits its width, and shows where the starving CPU gets through", "[unit]") {
    const std::string chart = overtaken().seen.timeline;
    INFO(chart);
    CHECK(widest(chart) <= 80);
    const std::vector<std::string> lines = lines_of(chart);
    CHECK_THAT(chart, ContainsSubstring("around slow's store-exclusive"));
    const auto row = [&](const std::string& name) {
        const auto found = std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.starts_with(name); });
        return found == lines.end() ? std::string() : found->substr(std::min<std::size_t>(16, found->size()));
    };
    CHECK_THAT(row("slow"), ContainsSubstring("x"));
    CHECK_THAT(row("fast"), ContainsSubstring("!!!") && ContainsSubstring("#"));
    CHECK_THAT(row("line l"), ContainsSubstring("1") && ContainsSubstring("000"));
}

TEST_CASE("A timeline of many CPUs shows sixteen and says how many are left out", "[unit]") {
    Looked looked = overtaken();
    for (int n = 0; n < 20; ++n) {
        looked.run.threads.push_back(looked.run.threads.front());
        looked.run.threads.back().name = "other";
    }
    const Window window{{}, microseconds(2)};
    locksim::Recording recording(window, 100, locksim::Recording::Keep::first);
    const std::string chart = locksim::timeline(recording, window, looked.run, "a run", 60);
    CHECK_THAT(chart, ContainsSubstring("slow") && ContainsSubstring("... and 6 more threads"));
    CHECK(widest(chart) <= 60);
}

TEST_CASE("The why line counts the failed store-exclusives, who took the line, and what ended it", "[unit]") {
    const std::string why = overtaken().seen.why;
    INFO(why);
    CHECK_THAT(why, ContainsSubstring("slow waited") && ContainsSubstring("in a row: fast's ") &&
                        ContainsSubstring("took the line first") && ContainsSubstring("fast's tick at ") &&
                        ContainsSubstring("locks/ticket_llsc.hpp:"));
    // Counted by other means: the failures of the wait are among those of the thread.
    const std::string number = why.substr(why.find("failed ") + 7, why.find(" times") - why.find("failed ") - 7);
    std::string digits;
    std::copy_if(number.begin(), number.end(), std::back_inserter(digits), [](char c) { return c != ' '; });
    const auto& slow = overtaken().run.threads.front();
    CHECK(std::stoull(digits) <= slow.sc_fail);
    CHECK(std::stoull(digits) >= slow.sc_fail / 20);
}

TEST_CASE("Windows are read as they are printed, and nonsense is refused", "[unit]") {
    const Window window = locksim::parse_window("--window ", "65ms..65.002ms");
    CHECK(window.from == sim::milliseconds(65));
    CHECK(window.length() == microseconds(2));
    CHECK(locksim::describe(window) == "65ms..65.002ms");
    for (const char* wrong : {"", "65ms", "65ms..", "..65ms", "2us..1us", "1..2", "1us..1us", "a..b"}) {
        INFO(wrong);
        CHECK_THROWS_AS(locksim::parse_window("--window ", wrong), locksim::InputError);
    }
}
