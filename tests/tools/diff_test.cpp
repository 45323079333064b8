// `diff`: two event logs that are the same, that differ, that are broken, that were cut.

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/tools/called_command.hpp"
#include "tests/tools/report_fixture.hpp"
#include "tools/locksim/comparing/log_comparison.hpp"

using namespace locksim_test;
using Catch::Matchers::ContainsSubstring;
using locksim::RecordedEvents;
using Json = nlohmann::json;

namespace {

/// Event logs of one scenario, made once.
const std::string& log_of(const std::string& options) {
    static const TemporaryFolder folder;
    static std::map<std::string, std::string> made;
    std::string& path = made[options];
    if (path.empty()) {
        path = folder / ("log" + std::to_string(made.size()) + ".jsonl");
        const Ended run = call("run " + data_folder + "/configs/two_cpus.toml --variant base --events '" + path +
                               "' --format json " + options);
        INFO(options << "\n" << run.err);
        REQUIRE(run.status == 0);
    }
    return path;
}

Ended diff(const std::string& a, const std::string& b, const std::string& more = "") {
    return call("diff '" + a + "' '" + b + "' " + more);
}

void check_screen(const std::string& text) {
    INFO(text);
    CHECK(lines_of(text).size() <= 24);
    CHECK(widest(text) <= 80);
}

/// One thread's stores to one word, at 0 ns, 1 ns, ...
RecordedEvents counting(std::size_t events) {
    RecordedEvents log;
    log.path = "log";
    log.digest = "1";
    log.window = log.asked = {{0}, {static_cast<std::int64_t>(events) * 1000}};
    for (std::size_t i = 0; i < events; ++i) {
        locksim::Event event;
        event.t_ps = static_cast<std::int64_t>(i) * 1000;
        event.cpu = 0;
        event.thread = "t";
        event.operation = "store";
        event.variable = "w";
        event.old_value = i;
        event.new_value = i + 1;
        log.events.push_back(event);
    }
    return log;
}

}  // namespace

TEST_CASE("diff of a log with itself ends with 0", "[unit]") {
    const Ended same = diff(log_of(""), log_of(""));
    CHECK(same.status == 0);
    CHECK_THAT(same.out, ContainsSubstring("same "));
    CHECK(same.err.empty());
    check_screen(same.out);
    CHECK(Json::parse(diff(log_of(""), log_of(""), "--format json").out)["same"] == true);
}

TEST_CASE("diff ends with 1, names the first event that differs and who got the lock instead", "[unit]") {
    const std::string& faster = log_of("--set machine.cpus.1.frequency=2GHz");
    const Ended differs = diff(log_of(""), faster);
    INFO(differs.out);
    CHECK(differs.status == 1);
    check_screen(differs.out);
    CHECK_THAT(differs.out, ContainsSubstring("first that differs: t_ps differs") && ContainsSubstring("owners ") &&
                                ContainsSubstring("locks/ticket.hpp:") && ContainsSubstring("config    two of them"));

    // The same by the files' own lines, read by another reader.
    const auto lines = [](const std::string& path) {
        std::vector<std::string> all = lines_of(content(path));
        all.erase(all.begin());
        return all;
    };
    const std::vector<std::string> a = lines(log_of(""));
    const std::vector<std::string> b = lines(faster);
    const auto parting = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    REQUIRE(parting.first != a.end());
    const Json json = Json::parse(diff(log_of(""), faster, "--format json").out);
    CHECK(json["schema"] == "locksim.diff/1");
    CHECK(json["difference"]["event"] == parting.first - a.begin() + 1);
    CHECK(json["difference"]["a"]["t_ps"] == Json::parse(*parting.first)["t_ps"]);
    CHECK(json["difference"]["b"]["t_ps"] == Json::parse(*parting.second)["t_ps"]);
    CHECK(json["difference"]["owners"][0]["lock"] == "l");
}

TEST_CASE("diff ends with 2 and names file and line of what it cannot read", "[unit]") {
    const TemporaryFolder folder;
    const std::vector<std::string> lines = lines_of(content(log_of("")));
    const auto write = [&](const char* name, const std::string& third) {
        std::ofstream file(folder / name);
        for (std::size_t i = 0; i < lines.size(); ++i) { file << (i == 2 ? third : lines[i]) << "\n"; }
    };
    write("half.jsonl", lines[2].substr(0, 40));
    write("text.jsonl", "{\"t_ps\":1}");
    write("kind.jsonl", "{\"t_ps\":\"now\"}");
    std::ofstream(folder / "short.jsonl") << lines[0] << "\n" << lines[1] << "\n";
    std::ofstream(folder / "report.jsonl") << "{\"schema\":\"locksim.report/1\"}\n";
    { const std::ofstream empty(folder / "empty.jsonl"); }
    for (const auto& [file, said] :
         std::map<std::string, std::string>{{"half.jsonl", "half.jsonl:3: no JSON at column"},
                                            {"text.jsonl", "text.jsonl:3: expected a key"},
                                            {"kind.jsonl", "kind.jsonl:3: \"t_ps\": \"now\": expected a whole number"},
                                            {"short.jsonl", "short.jsonl:2: has 1 events: expected"},
                                            {"report.jsonl", "report.jsonl:1: \"locksim.report/1\": expected"},
                                            {"empty.jsonl", "is empty"},
                                            {"none.jsonl", "No such file"},
                                            {"", "is a folder"}}) {
        for (const bool first : {true, false}) {
            const Ended ended = first ? diff(folder / file, log_of("")) : diff(log_of(""), folder / file);
            INFO(file << "\n" << ended.err);
            CHECK(ended.status == 2);
            CHECK(ended.out.empty());
            CHECK_THAT(ended.err, ContainsSubstring(said));
        }
    }
    CHECK(call("diff " + log_of("")).status == 2);
    CHECK(call("diff a b c").status == 2);
}

TEST_CASE("diff compares the time that both logs have", "[unit]") {
    const std::string& early = log_of("--window 0us..20us");
    const std::string& late = log_of("--window 10us..40us");
    const Ended both = diff(early, late);
    INFO(both.out);
    CHECK(both.status == 0);
    CHECK_THAT(both.out, ContainsSubstring("10us..20us"));
    const Ended apart = diff(log_of("--window 0us..5us"), late);
    CHECK(apart.status == 2);
    CHECK_THAT(apart.err, ContainsSubstring("expected windows that overlap"));
}

TEST_CASE("diff is not content with equal windows of runs whose digests differ", "[unit]") {
    const std::string& whole = log_of("--window 0us..2us");
    const std::string& shorter = log_of("--duration 40us --window 0us..2us");
    const Ended ended = diff(whole, shorter);
    INFO(ended.out);
    CHECK(ended.status == 1);
    CHECK_THAT(ended.out, ContainsSubstring("but the digests of the runs differ"));
}

TEST_CASE("diff of logs that were cut says so and leaves out the instants that may not be whole", "[unit]") {
    const RecordedEvents whole = counting(100);
    RecordedEvents cut = counting(100);
    cut.events.erase(cut.events.begin(), cut.events.begin() + 40);
    cut.cut = 40;
    cut.window.from = {cut.events.front().t_ps};
    // Another step of the instant at which it begins was lost: no difference.
    cut.events.front().thread = "another";
    const auto comparison = locksim::compare(whole, cut);
    CHECK(comparison.same());
    CHECK(comparison.events_a.size() == 59);
    CHECK_THAT(locksim::comparison_screen(comparison, 80), ContainsSubstring("B lacks 40 of the events of 0ns..100ns"));
    // Behind that instant one counts.
    cut.events[1].thread = "another";
    CHECK(locksim::compare(whole, cut).parting->at == 0);
}

TEST_CASE("Two sequences part where a key differs, or where one of them ends", "[unit]") {
    const RecordedEvents a = counting(10);
    RecordedEvents b = counting(10);
    CHECK_FALSE(locksim::find_parting(a.events, b.events, locksim::Causes::compared));
    b.events[7].new_value = 99;
    const auto parting = locksim::find_parting(a.events, b.events, locksim::Causes::compared);
    REQUIRE(parting);
    CHECK(parting->at == 7);
    CHECK(parting->keys == std::vector<std::string>{"new"});
    b = counting(8);
    CHECK(locksim::find_parting(a.events, b.events, locksim::Causes::compared)->at == 8);
}

TEST_CASE("A cause whose time one log does not know yet is no difference, another cause is", "[unit]") {
    locksim::Event a;
    a.cause = R"({"kind":"taken","cpu":1,"t_ps":500})";
    locksim::Event b = a;
    b.cause = R"({"kind":"taken","cpu":1,"t_ps":null})";
    CHECK(locksim::same(a, b, locksim::Causes::compared));
    b.cause = R"({"kind":"taken","cpu":2,"t_ps":null})";
    CHECK_FALSE(locksim::same(a, b, locksim::Causes::compared));
    CHECK(locksim::same(a, b, locksim::Causes::ignored));
}

TEST_CASE("What became of a difference: owners in order, each thread's own steps, words", "[unit]") {
    const auto step = [](std::int64_t t, const char* thread, const char* label, std::uint64_t value) {
        locksim::Event event;
        event.t_ps = t;
        event.thread = thread;
        event.label = label;
        event.operation = "store";
        event.variable = "w";
        event.new_value = value;
        return event;
    };
    const std::vector<locksim::Event> a{step(0, "x", "release l", 0), step(1, "x", "work", 1),
                                        step(2, "y", "release l", 0), step(3, "x", "release l", 5)};
    const std::vector<locksim::Event> b{step(0, "x", "release l", 0), step(2, "x", "work", 1),
                                        step(3, "x", "release l", 0), step(4, "y", "release l", 6)};
    const auto parting = locksim::find_parting(a, b, locksim::Causes::compared);
    REQUIRE(parting);
    REQUIRE(parting->at == 1);
    const locksim::Aftermath after = locksim::aftermath(a, b, *parting, 5);
    REQUIRE(after.owners.size() == 1);
    CHECK(after.owners[0].lock == "l");
    CHECK(after.owners[0].a == std::vector<std::string>{"y", "x"});
    CHECK(after.owners[0].b == std::vector<std::string>{"x", "y"});
    REQUIRE(after.threads.size() == 2);
    CHECK(after.threads[0].thread == "x");
    CHECK(after.threads[0].same == 1);
    CHECK(after.threads[0].later_b_ps == 1);
    REQUIRE(after.words.size() == 1);
    CHECK(after.words[0].a == 5);
    CHECK(after.words[0].b == 6);
}
