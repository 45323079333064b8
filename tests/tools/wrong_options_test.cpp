// Command lines that are wrong: status 2, one message that names the option, what was written and what was expected,
// nothing on stdout, no file.

#include <fstream>

#include "tests/catch.hpp"
#include "tests/tools/process.hpp"

using namespace locksim_test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

const std::string file = test_configs() + "/two_cpus.toml";

struct WrongCall {
    std::vector<std::string> arguments;
    std::string says;
};

void check_calls(const std::vector<WrongCall>& rows) {
    for (const WrongCall& row : rows) {
        const TemporaryFolder folder;
        const ProcessEnd end = call_in(folder / "", row.arguments);
        INFO((row.arguments.empty() ? "" : row.arguments.back()) << "\n" << end.out << end.err);
        CHECK(end.status == 2);
        CHECK(end.out.empty());
        CHECK_THAT(end.err, StartsWith("locksim: error: " + row.says));
        CHECK(folder.files() == 0);
    }
}

/// The same of `run FILE` and these.
void check_run_options(const std::vector<WrongCall>& rows) {
    std::vector<WrongCall> calls = rows;
    for (WrongCall& call : calls) { call.arguments.insert(call.arguments.begin(), {"run", file}); }
    check_calls(calls);
}

}  // namespace

TEST_CASE("Verbs and options that are not there are refused with the nearest one", "[unit]") {
    check_calls({
        {{}, "no verb given: expected one of run, "},
        {{"rnu", file}, "unknown verb \"rnu\": expected one of run, "},
        {{file}, "unknown verb"},
        {{"run"}, "FILE is required; see `locksim run --help`"},
        {{"run", file, "--sed", "1"}, "unknown option --sed (did you mean --set?); see `locksim run --help`"},
        {{"run", "list", file}, "list: cannot be read"},
        {{"list", "locks", "run"}, "unexpected argument run; see `locksim list --help`"},
        {{"print-config", file, file}, "unexpected argument "},
        // It said "unknown option" and nothing else.
        {{"--timeline"}, "unknown option --timeline (an option of run: `locksim run ... --timeline`)"},
        {{"list", "locks", "--seed", "1"}, "unknown option --seed (an option of run, "},
        {{"list", "lokcs"}, "list lokcs: expected one of locks, workloads"},
        {{"describe", "tickte"},
         "describe tickte: no lock, workload, machine or scenario has this name; did you mean \"ticket\"?"},
        {{"help", "expct"}, "help expct: no such topic; did you mean \"expect\"?"},
    });
}

TEST_CASE("Values of options that are wrong are refused with what was expected", "[unit]") {
    check_run_options({
        {{"--seeds", "5..2"}, "--seeds 5..2: expected A..B, two whole numbers below 2^53 with A <= B"},
        {{"--seed", "9007199254740992"}, "--seed 9007199254740992: expected a whole number from 0 to 9007199254740991"},
        {{"--seed", "-1"}, "--seed -1: expected a whole number"},
        {{"--phases", "0"}, "--phases 0: expected a whole number from 1 to 1000000"},
        {{"--duration", "0"}, "--duration 0: duration = \"0\": expected a time such as \"20us\""},
        {{"--duration", "0ns"}, "--duration 0ns: duration = \"0ns\": expected 1ps to 86400s"},
        {{"--duration", "99999999999999999999s"}, "--duration 99999999999999999999s: duration = "},
        {{"--variant", "msc"}, "--variant msc: " + file + " has no such variant; did you mean \"mcs\"?"},
        {{"--format", "xml"}, "--format xml: expected one of csv, json, table"},
        {{"--format"}, "--format: expected a value, csv|json|table; see `locksim run --help`"},
        {{"--log-level", "loud"}, "--log-level loud: expected one of debug, info"},
        {{"--window", "1us..2us"}, "--window without --events and --trace"},
        {{"--events", "e", "--window", "2us..1us"}, "--window 2us..1us: expected FROM..TO"},
        {{"--timeline=5..6"}, "--timeline=5..6: expected FROM..TO"},
        // An empty value was taken for no option.
        {{"--seed", ""}, "--seed \"\": expected N, not an empty text"},
        {{"--output", ""}, "--output \"\": expected FILE, not an empty text"},
        {{"--seed", "1", "--seed", "2"}, "--seed: "},
    });
}

TEST_CASE("Overrides that fit nothing are refused with their text", "[unit]") {
    check_run_options({
        {{"--set", "duraton=1ms"}, "--set duraton=1ms: duraton: unknown key; did you mean \"duration\"?"},
        {{"--set", "locks.m.type=mcs"}, "--set locks.m.type=mcs: locks.m: no such lock; did you mean \"l\"?"},
        {{"--set", "locks.l.type=5"}, "--set locks.l.type=5: locks.l.type = 5: expected a string"},
        {{"--set", "seed=1.5"}, "--set seed=1.5: seed = 1.5: expected an integer"},
        {{"--set", "groups.both.program.9.work=1us"}, "--set groups.both.program.9.work=1us: groups.both.program.9: "},
        {{"--set", "=3"}, "--set =3: expected PATH=VALUE"},
        {{"--set", "duration"}, "--set duration: expected PATH=VALUE"},
        {{"--set", "title=\xff"}, "--set title="},
    });
}

TEST_CASE("Outputs that cannot go where they are sent are refused before anything runs", "[unit]") {
    check_run_options({
        {{"--output", "a", "--events", "a"}, "--events, --trace and --output name the same file"},
        // It wrote one over the other.
        {{"--output", "a", "--events", "./a"}, "--events, --trace and --output name the same file"},
        {{"--output", "b/../a", "--trace", "a"}, "--events, --trace and --output name the same file"},
        {{"--output", file}, "--output " + file + ": is a scenario file of this command"},
        // It made a file called "-".
        {{"--events", "-"}, "--events - and the report both go to stdout: expected a file for the report"},
        {{"--events", "-", "--trace", "-", "--output", "a"}, "--events - and --trace - both go to stdout"},
    });
}

TEST_CASE("A dash is stdout", "[unit]") {
    const TemporaryFolder folder;
    const ProcessEnd events = call_in(folder / "", {"run", file, "--events", "-", "--output", "report"});
    CHECK(events.status == 0);
    CHECK_THAT(events.out, StartsWith("{\"schema\":\"locksim.events/1\""));
    CHECK_THAT(content(folder / "report"), ContainsSubstring("Two CPUs, one lock"));
    CHECK(folder.files() == 1);
    const ProcessEnd report = call_in(folder / "", {"run", file, "--output", "-"});
    CHECK_THAT(report.out, ContainsSubstring("Two CPUs, one lock"));
    CHECK(folder.files() == 1);
}

TEST_CASE("A folder of locks that holds nothing to compile is refused", "[unit]") {
    const TemporaryFolder locks;
    check_run_options({
        {{"--locks", "/nonexistent"}, "--locks /nonexistent: expected a folder with lock files (NAME.cpp)"},
        {{"--locks", file}, "--locks " + file + ": expected a folder"},
        {{"--locks", locks / ""}, "--locks " + (locks / "") + ": no .cpp file in it"},
    });
    std::ofstream(locks / "7 locks.cpp") << "\n";
    check_run_options({{{"--locks", locks / ""}, (locks / "7 locks.cpp") + ": expected a file name of letters"}});
}
