// `locksim compare` as a user calls it.

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/tools/process.hpp"
#include "tests/tools/report_fixture.hpp"

using namespace locksim_test;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string scenario = test_configs() + "/two_cpus.toml";

/// The same with a noise that the seed draws.
void write_noisy(const TemporaryFolder& folder) {
    std::ofstream(folder / "noisy.toml") << content(scenario) << "\n[noise]\nwork = \"5%\"\nlatency = \"5%\"\n";
}

ProcessEnd compare(const TemporaryFolder& folder, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "compare");
    return call_in(folder / "", arguments);
}

nlohmann::json compared(const TemporaryFolder& folder, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--format", "json"});
    const ProcessEnd end = compare(folder, arguments);
    INFO(end.err);
    REQUIRE(end.status == 0);
    CHECK(end.err.empty());
    return nlohmann::json::parse(end.out);
}

std::vector<std::string> names_of(const nlohmann::json& report) {
    std::vector<std::string> names;
    for (const auto& variant : report["variants"]) { names.push_back(variant["name"]); }
    return names;
}

double mean(const nlohmann::json& report, std::size_t row) {
    return report["variants"][row]["measures"]["ns_per_acquisition"]["mean"];
}

}  // namespace

TEST_CASE("Locks are set side by side, the first is what the others are compared with", "[unit]") {
    const TemporaryFolder folder;
    write_noisy(folder);
    const ProcessEnd end = compare(folder, {"noisy.toml", "--lock", "ticket,mcs,tas"});
    INFO(end.out << end.err);
    CHECK(end.status == 0);
    CHECK(end.err.empty());
    CHECK_THAT(end.out, ContainsSubstring("seeds 1 to 5") && ContainsSubstring("tas takes ") &&
                            ContainsSubstring("times as long as ticket (95 %: ") &&
                            ContainsSubstring("expect    not judged"));
    CHECK(lines_of(end.out).size() <= 24);
    CHECK(widest(end.out) <= 80);
    CHECK(end.out.find('\x1b') == std::string::npos);
    CHECK(end.out.find('#') == std::string::npos);  // bars are for terminals
}

TEST_CASE("The same lock twice has the ratio 1 exactly, and says so", "[unit]") {
    const TemporaryFolder folder;
    write_noisy(folder);
    const nlohmann::json report = compared(folder, {"noisy.toml", "--lock", "mcs,mcs"});
    CHECK(names_of(report) == std::vector<std::string>{"mcs", "mcs (2)"});
    for (const auto& [name, measure] : report["variants"][1]["measures"].items()) {
        INFO(name);
        CHECK(measure["ratio"] == nlohmann::json{{"value", 1}, {"low", 1}, {"high", 1}, {"n", 5}});
        CHECK(measure["difference"] == nlohmann::json{{"value", 0}, {"low", 0}, {"high", 0}, {"n", 5}});
    }
    CHECK(report["variants"][0]["measures"]["ns_per_acquisition"]["low"] <
          report["variants"][0]["measures"]["ns_per_acquisition"]["high"]);
    CHECK_THAT(compare(folder, {"noisy.toml", "--lock", "mcs,mcs"}).out,
               ContainsSubstring("mcs (2) runs as mcs does, event for event"));
}

TEST_CASE("More thinking between acquisitions takes more time per acquisition", "[unit]") {
    const TemporaryFolder folder;
    write_noisy(folder);
    const std::string path = "groups.both.program.3.think=";
    const nlohmann::json report = compared(folder, {"noisy.toml", "--vary", path + "100ns,400ns,1600ns"});
    CHECK(names_of(report) == std::vector<std::string>{"think=100ns", "think=400ns", "think=1600ns"});
    CHECK(mean(report, 0) < mean(report, 1));
    CHECK(mean(report, 1) < mean(report, 2));
    // Two CPUs that think for so long hardly ever meet: each adds half of its own time.
    CHECK(mean(report, 2) - mean(report, 1) == Approx(600).epsilon(0.1));
}

TEST_CASE("A single value is compared with the scenario as it stands", "[unit]") {
    const TemporaryFolder folder;
    CHECK(names_of(compared(folder, {scenario, "--lock", "mcs"})) == std::vector<std::string>{"ticket", "mcs"});
    CHECK(names_of(compared(folder, {scenario, "--lock", "tas", "--variant", "mcs"})) ==
          std::vector<std::string>{"mcs", "tas"});
    CHECK(names_of(compared(folder, {scenario, "--vary", "duration=20us"})) ==
          std::vector<std::string>{"base", "duration=20us"});
    const ProcessEnd same = compare(folder, {scenario, "--lock", "ticket"});
    CHECK(same.status == 2);
    CHECK_THAT(same.err, ContainsSubstring("the scenario's lock is ticket already"));
}

TEST_CASE("Without --lock and --vary the file's own variants are compared", "[unit]") {
    const TemporaryFolder folder;
    CHECK(names_of(compared(folder, {scenario})) == std::vector<std::string>{"base", "mcs"});
    CHECK(names_of(compared(folder, {scenario, "--variant", "mcs,base"})) == std::vector<std::string>{"mcs", "base"});
    const ProcessEnd one = compare(folder, {scenario, "--variant", "mcs"});
    CHECK(one.status == 2);
    CHECK_THAT(one.err, ContainsSubstring("nothing to compare"));
    CHECK_THAT(compare(folder, {scenario, "--variant", "mcs,mcz"}).err, ContainsSubstring("no such variant"));
}

TEST_CASE("Several options give every combination", "[unit]") {
    const TemporaryFolder folder;
    const std::string think = "groups.both.program.3.think=100ns,200ns";
    const nlohmann::json report =
        compared(folder, {scenario, "--lock", "ticket,mcs", "--vary", think, "--vary", "noise.work=0%,1%"});
    CHECK(names_of(report).size() == 8);
    CHECK(names_of(report)[5] == "mcs, think=100ns, work=1%");
    CHECK(report["variants"][5]["set"] ==
          nlohmann::json{"locks.l.type=mcs", "groups.both.program.3.think=100ns", "noise.work=1%"});
}

TEST_CASE("Wrong comparisons end with 2 before anything runs, and name what is wrong", "[unit]") {
    const TemporaryFolder folder;
    std::ofstream(folder / "two_locks.toml") << content(scenario) << "\n[locks.other]\ntype = \"tas\"\n";
    std::ofstream(folder / "only_base.toml") << content(scenario).substr(0, content(scenario).find("[variants"));
    const std::string many = "1ns,2ns,3ns,4ns,5ns,6ns,7ns,8ns,9ns";
    struct Wrong {
        std::vector<std::string> arguments;
        const char* says;
    };
    for (const Wrong& wrong : std::vector<Wrong>{
             {{"two_locks.toml", "--lock", "ticket,mcs"}, "--vary locks.l.type=ticket,mcs"},
             {{scenario, "--lock", "ticket,mcz"}, "mcz: no such lock; did you mean \"mcs\"?"},
             {{scenario, "--lock", "ticket,"}, "an empty value"},
             {{scenario, "--lock", ""}, "not an empty text"},
             {{scenario, "--vary", "groups.both.cuont=1,2"}, "--vary groups.both.cuont=1: "},
             {{scenario, "--vary", "groups.none.count=1,2"}, "no such group"},
             {{scenario, "--vary", "groups.both.count="}, "no value"},
             {{scenario, "--vary", "groups.both.count=1,,2"}, "an empty value"},
             {{scenario, "--vary", "duration"}, "expected PATH=VALUE,VALUE"},
             {{scenario, "--vary", "=1,2"}, "expected PATH=VALUE,VALUE"},
             {{scenario, "--vary", "duration=10us,x"}, "--vary duration=x: "},
             {{scenario, "--vary", "duration=10us", "--vary", "duration=20us"}, "is varied already"},
             {{scenario, "--vary", "seed=1,2"}, "--seeds A..B"},
             {{scenario, "--lock", "mcs,tas", "--vary", "locks.l.type=mcs"}, "both choose locks"},
             {{scenario, "--vary", "machine.hit=" + many, "--vary", "groups.both.program.3.think=" + many},
              "more than 64 combinations"},
             {{"only_base.toml"}, "nothing to compare: expected --lock"},
             {{scenario, "--seeds", "3..1"}, "--seeds 3..1"},
             {{scenario, "--seed", "1", "--seeds", "1..2"}, "expected one of them"},
             {{scenario, "--phases", "4"}, "--phases"},
             {{"none.toml"}, "none.toml"}}) {
        const ProcessEnd end = compare(folder, wrong.arguments);
        INFO(wrong.arguments.back() << "\n" << end.err);
        CHECK(end.status == 2);
        CHECK(end.out.empty());
        CHECK_THAT(end.err, ContainsSubstring(wrong.says));
    }
}

TEST_CASE("One seed has no intervals, and the report says so", "[unit]") {
    const TemporaryFolder folder;
    write_noisy(folder);
    const ProcessEnd end = compare(folder, {"noisy.toml", "--lock", "ticket,mcs", "--seed", "7"});
    CHECK(end.status == 0);
    CHECK_THAT(end.out, ContainsSubstring("one seed: no intervals") && ContainsSubstring("--seeds 7..11") &&
                            !ContainsSubstring("95 %"));
    const nlohmann::json measure =
        compared(folder, {"noisy.toml", "--lock", "ticket,mcs", "--seed", "7"})["variants"][1]["measures"]["jain"];
    CHECK(measure["low"].is_null());
    CHECK(measure["ratio"]["high"].is_null());
    CHECK(measure["ratio"]["value"].is_number());
}

TEST_CASE("A verdict that is not ok is shown and changes no exit status", "[unit]") {
    const TemporaryFolder folder;
    const ProcessEnd end = compare(
        folder, {scenario, "--vary", "groups.both.program=[{acquire=\"l\"},{release=\"l\"}],[{acquire=\"l\"}]"});
    INFO(end.out << end.err);
    CHECK(end.status == 0);
    CHECK_THAT(end.out, ContainsSubstring("DEADLOCK") && ContainsSubstring("deadlocks both.") &&
                            ContainsSubstring("program#1 does not"));
}

TEST_CASE("The JSON of a comparison has every key of locksim.compare/1", "[unit]") {
    const TemporaryFolder folder;
    write_noisy(folder);
    const nlohmann::json report = compared(folder, {"noisy.toml", "--lock", "ticket,mcs", "--seeds", "3..5"});
    CHECK(report["schema"] == "locksim.compare/1");
    CHECK(report["scenario"]["file"] == "noisy.toml");
    CHECK(report["seeds"] == nlohmann::json{{"first", 3}, {"last", 5}});
    CHECK(report["planned_runs"] == 6);
    CHECK(report["finished_runs"] == 6);
    CHECK(report["confidence"] == 0.95);
    CHECK(report["reference"] == "ticket");
    CHECK(report["main_measure"] == "ns_per_acquisition");
    CHECK(report["phase"] == 1);
    REQUIRE(report["variants"].size() == 2);
    for (const auto& variant : report["variants"]) {
        CHECK(variant["n"] == 3);
        CHECK(variant["variant"] == "base");
        CHECK(variant["verdicts"] == nlohmann::json{{"ok", 3}});
        REQUIRE(variant["runs"].size() == 3);
        CHECK(variant["runs"][2]["seed"] == 5);
        CHECK(variant["runs"][0]["verdict"]["kind"] == "ok");
        for (const char* name : {"ns_per_acquisition", "ns_per_operation", "throughput_per_s", "longest_wait_ns",
                                 "p99_wait_ns", "jain", "transfers_per_acquisition"}) {
            INFO(name);
            const auto& measure = variant["measures"][name];
            double sum = 0;
            for (const auto& run : variant["runs"]) { sum += run[name].get<double>(); }
            CHECK(measure["mean"].get<double>() == Approx(sum / 3));
            CHECK(measure["low"] <= measure["mean"]);
            CHECK(measure["mean"] <= measure["high"]);
            CHECK(measure["n"] == 3);
            for (const char* pair : {"ratio", "difference"}) {
                for (const char* key : {"value", "low", "high", "n"}) { CHECK(measure[pair][key].is_number()); }
            }
        }
    }
    // The same run as `run` makes of it.
    const ProcessEnd run = call_in(folder / "", {"run", "noisy.toml", "--variant", "base", "--set", "locks.l.type=mcs",
                                                 "--seed", "4", "--format", "json"});
    const nlohmann::json single = nlohmann::json::parse(run.out)["runs"][0];
    CHECK(single["digest"] == report["variants"][1]["runs"][1]["digest"]);
    CHECK(single["ns_per_acquisition"] == report["variants"][1]["runs"][1]["ns_per_acquisition"]);
}

TEST_CASE("The CSV of a comparison has a row for each variant and measure", "[unit]") {
    const TemporaryFolder folder;
    write_noisy(folder);
    const ProcessEnd end = compare(folder, {"noisy.toml", "--vary", "groups.both.cpus=[0],[0, 1]", "--format", "csv"});
    CHECK(end.status == 0);
    const std::vector<std::string> lines = lines_of(end.out);
    REQUIRE(lines.size() == 1 + 2 * 7);
    CHECK(lines[0].starts_with("scenario.file,phase,variant,set,reference,name,measure,n,mean,low,high,ratio.value"));
    CHECK(
        lines[8].starts_with("noisy.toml,1,base,\"groups.both.cpus=[0, 1]\",cpus=[0],\"cpus=[0, 1]\","
                             "ns_per_acquisition,5,"));
}

TEST_CASE("A comparison that is interrupted keeps what has finished", "[unit]") {
    const TemporaryFolder folder;
    write_noisy(folder);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(::open((folder / "err").c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
        prepare_child(folder / "");
        ::signal(SIGINT, SIG_DFL);
        exec_locksim({"compare", "noisy.toml", "--lock", "ticket,mcs", "--seeds", "1..1000000", "--format", "json",
                      "--output", "report"});
    }
    ::usleep(700'000);
    ::kill(child, SIGINT);
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(shell_status(status) == 130);
    CHECK_THAT(content(folder / "err"), ContainsSubstring("interrupted: ") && ContainsSubstring("finished and kept"));
    const nlohmann::json report = nlohmann::json::parse(content(folder / "report"));
    const std::size_t first = report["variants"][0]["n"];
    const std::size_t second = report["variants"][1]["n"];
    CHECK(first + second == report["finished_runs"]);
    CHECK(second > 0);
    CHECK(first - second <= 1);  // seed by seed: what is left can be paired
    CHECK(report["variants"][1]["measures"]["jain"]["ratio"]["n"] == second);
}

TEST_CASE("A comparison does not overwrite its scenario, and says where it cannot write", "[unit]") {
    const TemporaryFolder folder;
    write_noisy(folder);
    CHECK(compare(folder, {"noisy.toml", "--lock", "ticket,mcs", "--output", "noisy.toml"}).status == 2);
    CHECK(compare(folder, {"noisy.toml", "--lock", "ticket,mcs", "--output", "/dev/full"}).status == 4);
}
