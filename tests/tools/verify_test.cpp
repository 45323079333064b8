// `verify`: sound runs stay the same in unlike processes, planted faults are found and named, nothing is left behind.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "locks/catalogue.hpp"
#include "model/scenario/reading/loader.hpp"
#include "model/scenario/running/runner.hpp"
#include "tests/catch.hpp"
#include "tests/tools/called_command.hpp"
#include "tests/tools/report_fixture.hpp"
#include "tools/locksim/comparing/checkpoints.hpp"

using namespace locksim_test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

const std::string two_cpus = data_folder + "/configs/two_cpus.toml";
const std::string long_sections = data_folder + "/configs/long_sections.toml";

/// The command on the scenario of long sections with a lock of planted_locks/, which are compiled once for all tests.
std::string planted(const std::string& verb, const std::string& lock) {
    static const TemporaryFolder cache;
    return "env XDG_CACHE_HOME='" + (cache / "cache") + "' " + LOCKSIM_BINARY + " " + verb + " " + long_sections +
           " --locks " + data_folder + "/planted_locks --set locks.l.type=" + lock + " ";
}
Ended verify_planted(const std::string& lock, const std::string& more = "") {
    return shell(planted("verify", lock) + more);
}

/// The line of planted_locks/NAME.cpp that has this text: "NAME.cpp:LINE".
std::string place_of(const std::string& name, const std::string& text) {
    const std::vector<std::string> lines = lines_of(content(data_folder + "/planted_locks/" + name + ".cpp"));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].find(text) != std::string::npos) { return name + ".cpp:" + std::to_string(i + 1); }
    }
    return "no such line";
}

void check_screen(const std::string& text) {
    INFO(text);
    CHECK(lines_of(text).size() <= 24);
    CHECK(widest(text) <= 80);
}

/// Processes whose command line has this text.
std::size_t processes_with(const std::string& text) {
    namespace fs = std::filesystem;
    std::size_t count = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
        if (content(entry.path().string() + "/cmdline").find(text) != std::string::npos) { ++count; }
    }
    return count;
}

/// Waits at most ten seconds.
template <class Condition>
bool comes_true(const Condition& condition) {
    for (int i = 0; i < 200; ++i) {
        if (condition()) { return true; }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
}

}  // namespace

TEST_CASE("verify ends with 0 where every process has the same digests, those that run prints", "[determinism]") {
    const Ended verified = call("verify " + two_cpus + " --phases 2 -v");
    INFO(verified.err);
    CHECK(verified.status == 0);
    CHECK(verified.err.empty());
    CHECK_THAT(verified.out, ContainsSubstring("4 runs, each with one digest in all three"));
    const Ended run = call("run " + two_cpus + " --phases 2");
    const std::string digest = run.out.substr(run.out.find("digest ") + 7, 16);
    CHECK_THAT(verified.out, ContainsSubstring(digest + " (of 4 runs)"));
}

TEST_CASE("verify prints a screen of 24 lines and 80 columns, or JSON", "[unit]") {
    check_screen(call("verify " + two_cpus).out);
    const Ended verified = call("verify " + two_cpus + " --format json --seeds 3..4");
    CHECK(verified.status == 0);
    const Json json = Json::parse(verified.out);
    CHECK(json["schema"] == "locksim.verify/1");
    CHECK(json["same"] == true);
    REQUIRE(json["processes"].size() == 3);
    CHECK(json["processes"][2]["spin_elision_toggled"] == true);
    REQUIRE(json["runs"].size() == 4);
    for (const Json& run : json["runs"]) {
        CHECK(run["same"] == true);
        CHECK(run["digests"]["plain"] == run["digests"]["moved"]);
        CHECK(run["digests"]["plain"] == run["digests"]["polling"]);
        CHECK(run["differences"].empty());
    }
    CHECK(json["runs"][1]["seed"] == 4);
}

TEST_CASE("verify finds a lock that draws its backoff from an address, and names the first event", "[determinism]") {
    for (const std::string lock : {"heap-backoff", "stack-backoff"}) {
        const Ended verified = verify_planted(lock, "--seed 5");
        INFO(lock << "\n" << verified.out << verified.err);
        CHECK(verified.status == 3);
        check_screen(verified.out);
        CHECK_THAT(verified.out, ContainsSubstring("B from A in 1, C from A in 0 of 1 run"));
        CHECK_THAT(verified.out, ContainsSubstring("is the first that differs between A and B: "));
        CHECK_THAT(verified.out, ContainsSubstring("/" + place_of(lock, "while (xchg_acquire")));
        CHECK_THAT(verified.err, ContainsSubstring("digests differ") && ContainsSubstring("repeat: ") &&
                                     ContainsSubstring(" verify ") && ContainsSubstring("--seed 5 --phase 1"));
    }
}

TEST_CASE("verify finds a wait whose predicate counts: only without spin elision it is asked at each poll",
          "[determinism]") {
    const Ended verified = verify_planted("counting-wait", "--format json");
    INFO(verified.out << verified.err);
    CHECK(verified.status == 3);
    const Json run = Json::parse(verified.out)["runs"][0];
    CHECK(run["digests"]["plain"] == run["digests"]["moved"]);
    CHECK(run["digests"]["plain"] != run["digests"]["polling"]);
    REQUIRE(run["differences"].size() == 1);
    const Json& difference = run["differences"][0];
    CHECK(difference["between"] == Json({"plain", "polling"}));
    CHECK(difference["step"] > 0);
    const Json& event = difference["events"]["polling"][0];
    CHECK(event["op"] == "wait_end");
    CHECK(event["polls"] == 3);
    CHECK_THAT(event["where"].get<std::string>(),
               ContainsSubstring(place_of("counting-wait", "smp_cond_load_relaxed")));
}

TEST_CASE("verify leaves a sound lock of the user's alone, even one that counts its polls by hand", "[determinism]") {
    const Ended verified = verify_planted("fixed-backoff", "--phases 2");
    INFO(verified.out << verified.err);
    CHECK(verified.status == 0);
}

TEST_CASE("verify counts its steps as an event log does, also where thousands come before the difference",
          "[determinism]") {
    // Hashes are compared every 4096 steps.
    const Ended verified = verify_planted("late-backoff", "--format json --duration 1ms");
    INFO(verified.err);
    REQUIRE(verified.status == 3);
    const Json difference = Json::parse(verified.out)["runs"][0]["differences"][0];
    const auto step = difference["step"].get<std::size_t>();
    CHECK(step > 4096);

    const TemporaryFolder folder;
    const std::string events = folder / "events.jsonl";
    const Ended run = shell(planted("run", "late-backoff") + "--duration 1ms --window 0us..1ms --events " + events);
    INFO(run.err);
    const std::vector<std::string> lines = lines_of(content(events));
    REQUIRE(lines.size() > step);
    CHECK(Json::parse(lines[step]) == difference["events"]["plain"][0]);
    CHECK(Json::parse(lines[step - 1]) == difference["before"]);
}

TEST_CASE("Every step that can be observed is the same with and without spin elision", "[determinism]") {
    model::LoadOptions load;
    load.configs_dir = data_folder + "/configs";
    for (const char* file : {"two_cpus.toml", "overtaken.toml", "long_sections.toml"}) {
        for (model::Scenario scenario :
             model::load_scenario(data_folder + "/configs/" + file, locks::catalogue(), load)) {
            INFO(file << " " << scenario.variant);
            std::uint64_t hashes[2] = {};
            for (const bool elision : {true, false}) {
                locksim::Checkpoints checkpoints(4096, [](std::uint64_t, std::uint64_t) {});
                scenario.spin_elision = elision;
                model::RunOptions looking;
                looking.observer = &checkpoints;
                REQUIRE(model::run(scenario, locks::catalogue(), looking));
                CHECK(checkpoints.steps() > 100);
                hashes[elision ? 1 : 0] = checkpoints.hash();
            }
            CHECK(hashes[0] == hashes[1]);
        }
    }
}

TEST_CASE("verify ends with 2 and prints nothing where its input is wrong", "[unit]") {
    for (const std::string& arguments :
         {std::string(""), std::string("/nonexistent.toml"), two_cpus + " --seed x", two_cpus + " --variant none",
          two_cpus + " --format csv", two_cpus + " --worker Z", two_cpus + " --locks /nonexistent"}) {
        const Ended verified = call("verify " + arguments);
        INFO(arguments << "\n" << verified.err);
        CHECK(verified.status == 2);
        CHECK(verified.out.empty());
        CHECK_THAT(verified.err, ContainsSubstring("error"));
    }
}

TEST_CASE("verify that is killed takes its processes with it", "[unit]") {
    const TemporaryFolder folder;  // its name is on their command lines
    std::ofstream(folder / "endless.toml") << content(long_sections);
    const Ended started = shell(std::string(LOCKSIM_BINARY) + " verify '" + (folder / "endless.toml") +
                                "' --duration 1000s >'" + (folder / "out") + "' 2>&1 & echo $!");
    const std::string pid = started.out.substr(0, started.out.find('\n'));
    REQUIRE_FALSE(pid.empty());
    // The parent, three processes, and a copy of each that runs.
    CHECK(comes_true([&] { return processes_with(folder / "endless.toml") == 7; }));
    CHECK(shell("kill -9 " + pid).status == 0);
    CHECK(comes_true([&] { return processes_with(folder / "endless.toml") == 0; }));
}

TEST_CASE("verify that is interrupted ends with 130, and its processes with it", "[unit]") {
    const TemporaryFolder folder;
    std::ofstream(folder / "endless.toml") << content(long_sections);
    const Ended ended = shell("timeout --foreground --preserve-status -s TERM 1 " + std::string(LOCKSIM_BINARY) +
                              " verify '" + (folder / "endless.toml") + "' --duration 1000s");
    CHECK(ended.status == 130);
    CHECK(ended.out.empty());
    CHECK(comes_true([&] { return processes_with(folder / "endless.toml") == 0; }));
}
