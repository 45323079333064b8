// The built command, as a user calls it: exit statuses, what goes to stdout and what to stderr.

#include <cstdlib>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/tools/called_command.hpp"
#include "tests/tools/report_fixture.hpp"
#include "tests/tools/temporary_folder.hpp"
#include "tools/locksim/text.hpp"

using namespace locksim_test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string& data = data_folder;
const std::string scenario = data + "/configs/two_cpus.toml";

/// The value behind `"KEY": ` where it stands first.
std::string json_value(const std::string& json, const std::string& key) {
    const std::size_t begin = json.find("\"" + key + "\": ");
    return begin == std::string::npos ? "" : json.substr(begin, json.find('\n', begin) - begin);
}

}  // namespace

TEST_CASE("A run as expected ends with 0, prints a first screen and nothing else", "[unit]") {
    const Ended run = call("run " + scenario);
    INFO(run.err);
    CHECK(run.status == 0);
    CHECK(run.err.empty());
    CHECK_THAT(run.out, ContainsSubstring("Two CPUs, one lock"));
    CHECK(lines_of(run.out).size() <= 24);
}

TEST_CASE("A failed expectation ends with 1 and a line that repeats the run", "[unit]") {
    const TemporaryFolder folder;
    std::ofstream(folder / "fails.toml") << content(scenario)
                                         << "\n[expect.mcs]\nthat = [\"acquisitions(both) < 1\"]\n";
    const Ended run = call("run --format json " + (folder / "fails.toml"));
    CHECK(run.status == 1);
    CHECK_THAT(run.err, ContainsSubstring("acquisitions(both) < 1") && ContainsSubstring("repeat: "));
    CHECK(run.out.front() == '{');
}

TEST_CASE("Wrong input ends with 2 before anything runs", "[unit]") {
    const TemporaryFolder folder;
    std::ofstream(folder / "wrong.toml") << content(scenario) << "\n[expect.mcs]\nverdict = \"okay\"\n";
    for (const std::string& arguments :
         {"run " + scenario + " " + (folder / "wrong.toml"), "run " + scenario + " --seed x", std::string("rnu"),
          "run " + scenario + " --variant none", std::string("describe nothing-like-it"), std::string("list things")}) {
        const Ended run = call(arguments);
        INFO(arguments << "\n" << run.err);
        CHECK(run.status == 2);
        CHECK(run.out.empty());
        CHECK_THAT(run.err, ContainsSubstring("error"));
    }
}

TEST_CASE("A result that cannot be written ends with 4, and the old file stays", "[unit]") {
    CHECK(call("run " + scenario, ">/dev/full").status == 4);
    CHECK(call("run " + scenario, ">&-").status == 4);
    CHECK(call("run " + scenario + " --output /dev/full").status == 4);
    CHECK(call("run " + scenario + " --output /nonexistent/folder/result").status == 4);
    CHECK(call("--help", ">/dev/full").status == 4);
    CHECK(call("run " + scenario + " --output /dev/null").status == 0);
}

TEST_CASE("Options for looking that do not fit together end with 2 and print nothing", "[unit]") {
    for (const char* options :
         {"--window 1us..2us", "--events e --window 2us..1us", "--timeline=5us", "--timeline --format json",
          "--events same --trace same", "--events e --window 10ms..20ms"}) {
        const TemporaryFolder folder;
        const Ended run = shell("cd '" + (folder / "") + "'; " LOCKSIM_BINARY " run " + scenario + " " + options);
        INFO(options << "\n" << run.err);
        CHECK(run.status == 2);
        CHECK(run.out.empty());
        CHECK_THAT(run.err, ContainsSubstring("expected") || ContainsSubstring("the run ended at"));
        CHECK(folder.files() == 0);
    }
    const Ended two = call("run --events e " + scenario + " " + scenario);
    CHECK(two.status == 2);
    CHECK_THAT(two.err, ContainsSubstring("expected one"));
}

TEST_CASE("Event log and trace are files like every other result", "[unit]") {
    const TemporaryFolder folder;
    const std::string both = "--events '" + (folder / "events.jsonl") + "' --trace '" + (folder / "trace.json") + "' ";
    const Ended run = call("run --variant mcs " + both + scenario);
    INFO(run.err);
    CHECK(run.status == 0);
    CHECK(run.err.empty());
    CHECK(folder.files() == 2);
    CHECK_THAT(run.out, ContainsSubstring("steps of mcs, seed 1, phase 1") && ContainsSubstring("trace.json"));
    const std::string events = content(folder / "events.jsonl");
    CHECK(events.starts_with("{\"schema\":\"locksim.events/1\""));
    CHECK(lines_of(events).size() > 100);

    // For programs stdout holds the report alone.
    const Ended json = call("run --format json " + both + scenario);
    CHECK(json.out.front() == '{');
    CHECK(json.err.empty());

    CHECK(call("run --events /dev/full " + scenario).status == 4);
    CHECK(call("run --trace /nonexistent/folder/trace " + scenario).status == 4);
    CHECK(call("run --trace /dev/null --events /dev/null " + scenario).status == 0);
    CHECK_THAT(shell(LOCKSIM_BINARY " run -q --output /dev/null --events /dev/stdout " + scenario + " | head -1").out,
               ContainsSubstring("locksim.events/1"));
}

TEST_CASE("A window with too many steps is cut, and stderr says so", "[unit]") {
    const Ended run = call("run --variant base --duration 80ms --events /dev/null --window 0us..80ms " + scenario);
    CHECK(run.status == 0);
    CHECK_THAT(run.err, ContainsSubstring("--events: kept the first 200 000 events of"));
}

TEST_CASE("A starvation by LL/SC is explained, charted and written out", "[unit]") {
    const Ended run = call("run --timeline --trace /dev/null " + data + "/configs/overtaken.toml");
    INFO(run.out << run.err);
    CHECK(run.status == 0);
    CHECK_THAT(run.out, ContainsSubstring("SC ok/fail") && ContainsSubstring("times in a row") &&
                            ContainsSubstring("timeline of base") && ContainsSubstring("holds the lock"));
    CHECK(widest(run.out) <= 80);
    const Ended plain = call("run " + data + "/configs/overtaken.toml");
    CHECK(lines_of(plain.out).size() <= 24);
    CHECK_THAT(plain.out, ContainsSubstring("times in a row") && ContainsSubstring("--timeline"));
}

TEST_CASE("A livelock by LL/SC is explained by the store-exclusives that were lost", "[unit]") {
    // Symptom: its why line named the last access of one thread, and the steps of a workload had no names.
    const std::string configs = std::string(LOCKSIM_SOURCE_DIR) + "/configs";
    const Ended run = shell("LOCKSIM_CONFIGS=" + configs + " " + LOCKSIM_BINARY +
                            " run --variant base --duration 20ms " + configs + "/seeds/001-timer.toml");
    INFO(run.out << run.err);
    CHECK_THAT(run.out, ContainsSubstring("nobody gets on for") && ContainsSubstring("expire's SC failed") &&
                            ContainsSubstring("cancel's release (") && ContainsSubstring("nothing ended it"));
}

TEST_CASE("Events that never happen are told on stderr, and change nothing else", "[unit]") {
    const TemporaryFolder folder;
    std::ofstream(folder / "events.toml") << content(scenario) << R"(
[[events]]
at = "1s"
cpu = 0
stall = "1us"
[[events]]
at = "1us"
cpu = 0
stall = "1us"
)";
    const Ended run = call("run --phases 2 --format json " + (folder / "events.toml"));
    CHECK(run.status == 0);
    CHECK(run.out.front() == '{');
    CHECK_THAT(run.err,
               ContainsSubstring("events.toml:24: events: never happened in base: at = \"1s\": the run ended at "
                                 "50us (so in 2 of 2 runs)") &&
                   ContainsSubstring("never happened in mcs") && !ContainsSubstring("events.toml:28"));

    std::ofstream(folder / "label.toml") << R"(
[machine]
preset = "test"
[groups.g]
iterations = 3
program = [{work = "1us", label = "x"}]
[[events]]
on = "x"
nth = 7
kill = true
)";
    CHECK_THAT(call("run " + (folder / "label.toml")).err,
               ContainsSubstring(
                   "label.toml:7: events: never happened in base: on = \"x\", nth = 7: this step began 6 times"));
    CHECK(call("run -q " + (folder / "label.toml")).err.empty());
}

TEST_CASE("A reader that goes away ends the command quietly", "[unit]") {
    const Ended run = shell("bash -c '" + std::string(LOCKSIM_BINARY) + " run -v --phases 2 " + scenario +
                            " | true; exit ${PIPESTATUS[0]}'");
    CHECK(run.status == 0);
    CHECK(run.err.empty());
}

TEST_CASE("An interrupted command ends with 130 and keeps what was finished", "[unit]") {
    for (const char* signal : {"INT", "TERM"}) {
        // In the foreground: else timeout signals its whole group too, and a second signal kills at once (143).
        const Ended interrupted = shell("timeout --foreground -s " + std::string(signal) + " --preserve-status 2 " +
                                        LOCKSIM_BINARY + " run --format json --duration 3000s " + scenario);
        INFO(interrupted.err);
        CHECK(interrupted.status == 130);
        CHECK_THAT(interrupted.out, ContainsSubstring("\"runs\": []"));
    }
}

TEST_CASE("The same command gives the same bytes, but for the host's time", "[unit]") {
    const std::string command = "run --format csv --phases 2 --seeds 1..2 " + scenario;
    const Ended first = call(command);
    CHECK(first.status == 0);
    CHECK(first.out == call(command).out);
    CHECK(lines_of(first.out).size() == 1 + 2 * 2 * 2 * 3);
}

TEST_CASE("What print-config prints runs the same", "[unit]") {
    const TemporaryFolder folder;
    CHECK(call("print-config " + scenario + " --variant mcs --seed 7 --output " + (folder / "printed.toml")).status ==
          0);
    const Ended original = call("run --format json --variant mcs --seed 7 " + scenario);
    const Ended printed = call("run --format json --variant base " + (folder / "printed.toml"));
    INFO(printed.err);
    CHECK(json_value(printed.out, "digest") == json_value(original.out, "digest"));
    CHECK(json_value(printed.out, "config_digest") == json_value(original.out, "config_digest"));
    CHECK_FALSE(json_value(printed.out, "digest").empty());
}

TEST_CASE("The catalogue can be listed and described", "[unit]") {
    CHECK_THAT(call("list locks").out, ContainsSubstring("ticket") && ContainsSubstring("mcs"));
    CHECK_THAT(call("list machines").out, ContainsSubstring("two CPUs of round numbers"));
    CHECK_THAT(call("list scenarios").out, ContainsSubstring("Two CPUs, one lock"));
    CHECK_THAT(call("describe mcs").out, ContainsSubstring("context_bytes") && ContainsSubstring("WHAT"));
    CHECK_THAT(call("describe test").out, ContainsSubstring("ESTIMATED"));
    CHECK_THAT(call("describe two_cpus").out, ContainsSubstring("acquisitions(both) > 0"));
    CHECK_THAT(call("help measures").out, ContainsSubstring("longest_wait"));
}

TEST_CASE("A lock of the user's runs as one of the tree does", "[unit]") {
    const std::string command = "run --format json --variant base --set locks.l.type=";
    const Ended own = call(command + "my-ticket --locks " + data + "/locks " + scenario);
    INFO(own.err);
    CHECK(own.status == 0);
    CHECK(json_value(own.out, "digest") == json_value(call(command + "ticket " + scenario).out, "digest"));
}

TEST_CASE("A folder of locks that cannot be used ends with 2 and says why", "[unit]") {
    const TemporaryFolder folder;
    const std::string list = "list locks --locks " + (folder / "");
    CHECK_THAT(call("list locks --locks " + (folder / "none")).err, ContainsSubstring("expected a folder"));
    CHECK_THAT(call(list).err, ContainsSubstring("no .cpp file"));
    std::ofstream(folder / "wrong.cpp") << "int wrong = ;\n";
    const Ended wrong = call(list);
    CHECK(wrong.status == 2);
    CHECK_THAT(wrong.err, ContainsSubstring("wrong.cpp:1:") && ContainsSubstring("does not compile"));
    std::ofstream(folder / "wrong.cpp") << "int no_entry;\n";
    CHECK_THAT(call(list).err, ContainsSubstring("expected it to define `const model::LockEntry wrong_entry`"));
    const Ended no_compiler = shell("export LOCKSIM_CXX=/nonexistent/g++; " + std::string(LOCKSIM_BINARY) + " " + list);
    CHECK(no_compiler.status == 2);
    CHECK_THAT(no_compiler.err, ContainsSubstring("cannot start the compiler"));
}
