// What a user may hand to the command that is wrong: each row is one kind, with the words that must come back. What
// differs from these by name only stands in tests/model/loader_test.cpp.

#include <sys/stat.h>

#include <fstream>

#include "tests/catch.hpp"
#include "tests/tools/process.hpp"

using namespace locksim_test;
using Catch::Matchers::StartsWith;

namespace {

/// Correct; a row changes one place. Line numbers of the rows count here.
const std::string correct = R"(title = "Small"
duration = "10us"
[machine]
preset = "test"
[locks.l]
type = "ticket"
[flags]
go = 0
[groups.g]
cpus = [0]
program = [
    {acquire = "l", label = "take"},
    {work = "10cycles"},
    {release = "l"},
]
)";

struct WrongText {
    std::string kind;
    std::string from;  ///< empty: `to` is added at the end, from line 16 on
    std::string to;
    std::string says;  ///< how the message begins
};

std::string changed(const WrongText& row) {
    if (row.from.empty()) { return correct + row.to; }
    const std::size_t at = correct.find(row.from);
    REQUIRE(at != std::string::npos);
    return std::string(correct).replace(at, row.from.size(), row.to);
}

void check_refused(const ProcessEnd& end, const std::string& says) {
    INFO(end.out << end.err);
    CHECK(end.status == 2);
    CHECK(end.out.empty());
    CHECK(end.err.size() < 3000);
    CHECK_THAT(end.err, StartsWith("locksim: error: " + says));
    CHECK(end.err.find("locksim: ") == end.err.rfind("locksim: "));  // said once
}

/// As FILE of `run`, with an output that must not appear.
void check_texts(const std::vector<WrongText>& rows) {
    for (const WrongText& row : rows) {
        const TemporaryFolder folder;
        std::ofstream(folder / "wrong.toml", std::ios::binary) << changed(row);
        INFO(row.kind);
        check_refused(call_in(folder / "", {"run", "wrong.toml", "--output", "out", "--events", "log"}), row.says);
        CHECK(folder.files() == 1);
    }
}

std::string repeated(const std::string& text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) { result += text; }
    return result;
}

}  // namespace

TEST_CASE("The scenario that the rows of wrong input change is right", "[unit]") {
    const TemporaryFolder folder;
    std::ofstream(folder / "right.toml") << correct;
    const ProcessEnd end = call_in(folder / "", {"run", "right.toml", "--output", "out", "--events", "log"});
    INFO(end.err);
    CHECK(end.status == 0);
    CHECK(end.err.empty());
    CHECK(folder.files() == 3);
}

TEST_CASE("Wrong names, units and values in a file are refused at their line", "[unit]") {
    const std::string label = "{acquire = \"l\", label = \"take\"}";
    check_texts({
        {"an unknown key", "duration", "duraton", "wrong.toml:2: duraton: unknown key; did you mean \"duration\"?"},
        {"an unknown table", "[flags]", "[flag]", "wrong.toml:7: flag: unknown key; did you mean \"flags\"?"},
        {"an unknown key of a step", "{work = \"10cycles\"}", "{work = \"10cycles\", lable = \"x\"}",
         "wrong.toml:13: groups.g.program.1.lable: unknown key; did you mean \"label\"?"},
        {"an unknown step", "{work =", "{wrok =",
         "wrong.toml:13: groups.g.program.1: {wrok = ...}: no verb of a step; did you mean \"work\"?"},
        {"a unit of something else", "10us", "10MHz",
         "wrong.toml:2: duration = \"10MHz\": expected a time such as \"20us\""},
        {"no unit", "\"10us\"", "10", "wrong.toml:2: duration = 10: expected a time such as \"20us\""},
        {"a negative time", "10us", "-10us", "wrong.toml:2: duration = \"-10us\": expected a time"},
        {"no time at all", "10us", "0ns", "wrong.toml:2: duration = \"0ns\": expected 1ps to 86400s"},
        {"a time beyond 64 bits", "10us", "9223372036854775808ps",
         "wrong.toml:2: duration = \"9223372036854775808ps\": "},
        {"a span at the end of 64 bits", "10cycles", "9223372036854775807ps",
         "wrong.toml:13: groups.g.program.1.work = \"9223372036854775807ps\": expected at most 86400s"},
        {"an integer beyond 64 bits", "go = 0", "go = 9223372036854775808",
         "wrong.toml:8: no valid TOML: Error while parsing decimal integer: '9223372036854775808'"},
        {"a seed beyond 2^53", "title = \"Small\"", "seed = 9007199254740992",
         "wrong.toml:1: seed = 9007199254740992: expected 0 to 9007199254740991"},
        {"a wrong type", "title = \"Small\"", "title = [1]", "wrong.toml:1: title = [...]: expected a string"},
        {"a number that is none", "10cycles", "nan",
         "wrong.toml:13: groups.g.program.1.work = \"nan\": expected a span"},
        {"an unknown type of lock", "\"ticket\"", "\"tickte\"",
         "wrong.toml:6: locks.l.type = \"tickte\": no such type of lock; did you mean \"ticket\"?"},
        {"an unknown lock", label, "{acquire = \"ll\"}",
         "wrong.toml:12: groups.g.program: {acquire = \"ll\"}: no lock \"ll\" is declared; did you mean \"l\"?"},
        {"an unknown workload", "", "[groups.h]\nworkload = \"countre\"\n",
         "wrong.toml:17: groups.h.workload = \"countre\": no such workload; did you mean \"counter\"?"},
        {"an unknown machine", "\"test\"", "\"tset\"", "wrong.toml:4: no machine \"tset\" in "},
        {"a machine in another folder", "\"test\"", "\"../machines/test\"",
         "wrong.toml:4: no machine \"../machines/test\" in "},
        {"a machine that is a word", "[machine]\npreset = \"test\"", "machine = \"test\"\n",
         "wrong.toml:3: machine = \"test\": expected a table [machine] with preset = \"NAME\""},
        {"a misspelled table that must be there", "[machine]", "[machin]",
         "wrong.toml:3: machin: unknown key; did you mean \"machine\"?"},
        {"a misspelled key that must be there", "preset", "prest",
         "wrong.toml:4: machine.prest: unknown key; did you mean \"preset\"?"},
        {"machines are not based on others", "preset = \"test\"", "preset = \"test\"\nbased_on = \"test\"",
         "wrong.toml:5: machine.based_on: unknown key"},
        {"a CPU out of range", "cpus = [0]", "cpus = [4]",
         "wrong.toml:10: groups.g.cpus: there is no CPU 4: the machine has CPUs 0 to 1"},
        {"two threads on one CPU", "cpus = [0]", "cpus = [0, 0]",
         "wrong.toml:10: groups.g.cpus: CPU 0 is already named by group g: expected one thread a CPU"},
        {"a million CPUs", "preset = \"test\"", "preset = \"test\"\nclusters.all.cpus = 1000000",
         "wrong.toml:5: machine.clusters.all.cpus = 1000000: expected 1 to 4096"},
        {"a million threads", "cpus = [0]", "count = 1000000",
         "wrong.toml:10: groups.g.count = 1000000: expected 0 to 4096"},
        {"a release of what is not held", label, "{work = \"1us\"}",
         "wrong.toml:14: groups.g.program: {release = \"l\"}: no acquire of this lock before it"},
        {"repeats in repeats in repeats", label, repeated("{repeat = [", 3) + label + repeated("], times = 2}", 3),
         "wrong.toml:12: groups.g.program.0.repeat.0: a repeat inside a repeat: only one level is there"},
        {"a program that takes no time", "[\n    " + label + ",\n    {work = \"10cycles\"},\n    {release = \"l\"},\n]",
         "[{irq = \"on\"}]", "wrong.toml:11: groups.g.program: no step takes time"},
        // These hung until the watchdog ended them with status 3.
        {"steps without end at one instant", "cpus = [0]\nprogram = [",
         "cpus = [0]\niterations = 9000000000000000000\nprogram = [{irq = \"on\"}]\n[groups.h]\nprogram = [",
         "wrong.toml:12: groups.g.program: no step takes time: expected one that does, or iterations of at most 1000000"},
        {"a repeat without end at one instant", label,
         "{repeat = [{work = \"0ns\"}], times = 9000000000000000000}, " + label,
         "wrong.toml:12: groups.g.program: {repeat = [{work = \"0cycles\"}], times = 9000000000000000000}: no step of it takes time"},
        {"a length that is always zero", "[\n    " + label + ",\n    {work = \"10cycles\"},\n    {release = \"l\"},\n]",
         "[{work = \"uniform(0ns, 0ns)\"}]", "wrong.toml:11: groups.g.program: no step takes time"},
    });
}

TEST_CASE("Wrong variants, expectations and events in a file are refused at their line", "[unit]") {
    const auto that = [](const std::string& comparison) { return "[expect]\nthat = ['" + comparison + "']\n"; };
    const auto event = [](const std::string& keys) { return "[[events]]\n" + keys + "\n"; };
    check_texts({
        {"a variant of a variant", "", "[variants.a.variants.b]\nseed = 3\n",
         "wrong.toml:17: variants.b.seed: [variants] cannot be overridden"},
        {"a variant that invents a lock", "", "[variants.a]\n\"locks.m.type\" = \"mcs\"\n",
         "wrong.toml:17: locks.m: no such lock; did you mean \"l\"?"},
        {"expectations of no variant", "", "[variants.fast]\n[expect.fsat]\n",
         "wrong.toml:17: expect.fsat: unknown key; did you mean \"fast\"?"},
        {"more phases than there are", "", "[expect]\nin = \"17/16\"\n",
         "wrong.toml:17: expect.in = \"17/16\": expected \"N/M\""},
        {"an unknown verdict", "", "[expect]\nverdict = \"deadlok\"\n",
         "wrong.toml:17: expect.verdict = \"deadlok\": no such verdict; did you mean \"deadlock\"?"},
        {"an unknown measure", "", that("longest_wiat(g) > 1us"),
         "wrong.toml:17: \"longest_wiat(g) > 1us\": no measure longest_wiat; did you mean \"longest_wait\"?"},
        {"an unknown thread", "", that("longest_wait(g.7) > 1us"),
         "wrong.toml:17: \"longest_wait(g.7) > 1us\": longest_wait(g.7): no such thread or group; there are: g"},
        {"a parenthesis that stays open", "", that("longest_wait(g > 1us"),
         "wrong.toml:17: \"longest_wait(g > 1us\": expected ) at \"> 1us\""},
        {"parentheses without end", "", that(repeated("(", 100'000) + "1 > 0"), "wrong.toml:17: \"((("},
        {"a time against a number", "", that("longest_wait(g) > 5"),
         "wrong.toml:17: \"longest_wait(g) > 5\": compares a time (ps, ns, us, ms, s) with a plain number"},
        // It loaded, and then failed without a reason.
        {"a division by zero", "", that("longest_wait(g) / 0 > 1us"),
         "wrong.toml:17: \"longest_wait(g) / 0 > 1us\": divides by zero"},
        {"nothing to compare", "", that("longest_wait(g)"),
         "wrong.toml:17: \"longest_wait(g)\": expected <, <=, >, >= or =="},
        // A terminal would have obeyed.
        {"control characters", "", "[expect]\nthat = [\"\\u001b[2J > 1\"]\n", "wrong.toml:17: \"\\u001b[2J > 1\": "},
        {"an event before the beginning", "", event("at = \"-1us\"\ncpu = 0\nstall = \"1us\""),
         "wrong.toml:17: events.at = \"-1us\": expected a time"},
        {"an event at an unknown step", "", event("on = \"tkae\"\nkill = true"),
         "wrong.toml:17: events.on = \"tkae\": no such label of a step; did you mean \"take\"?"},
        {"an event of an unknown thread", "", event("at = \"1us\"\nthread = \"h\"\nkill = true"),
         "wrong.toml:18: events.thread = \"h\": no such thread; did you mean \"g\"?"},
        {"an event on no CPU", "", event("at = \"1us\"\ncpu = 64\nstall = \"1us\""),
         "wrong.toml:18: events.cpu: there is no CPU 64: the machine has CPUs 0 to 1"},
    });
}

TEST_CASE("What is hardly text, or far too much of it, is refused without crash or hang", "[unit]") {
    struct Row {
        std::string kind, text, says;
    };
    const std::vector<Row> rows{
        {"nothing", "", "wrong.toml: is empty: expected a scenario"},
        {"only a comment", "# later\n", "wrong.toml: is empty: expected a scenario"},
        {"zero bytes", std::string(4096, '\0'), "wrong.toml:1: no valid TOML"},
        {"no UTF-8", "title = \"x\"\n\xff\xfe\x80\n", "wrong.toml:2: no valid TOML: the byte 0xff is not UTF-8"},
        // The TOML library went on with undefined behaviour.
        {"a letter that keys have not", "title = \"\u00e9\"  # \u00e9\ndur\u00e9e = 1\n",
         "wrong.toml:2: no valid TOML: \"\u00e9\" outside of quotes and comments"},
        {"a letter behind a bracket inside of a token", "that =+[\"\u00e9\n",
         "wrong.toml:1: no valid TOML: \"\u00e9\" outside of quotes and comments"},
        {"a letter behind a second =", "that = 1=\"\u00e9\"\n",
         "wrong.toml:1: no valid TOML: \"\u00e9\" outside of quotes and comments"},
        {"a program",
         "\x7f"
         "ELF\x02\x01\x01" +
             std::string(64, '\0'),
         "wrong.toml:1: no valid TOML"},
        {"a byte order mark",
         "\xef\xbb\xbf"
         "titel = 1\n" +
             correct,
         "wrong.toml:1: titel: unknown key"},
        {"lines that end as on Windows", "title = \"x\"\r\n\r\n[machine]\r\npreset = \"test\"\r\nx = 1\r\n",
         "wrong.toml:5: machine.x: unknown key"},
        {"lines that end as on old Macs", "a = 1\rb = 2\r", "wrong.toml:1: no valid TOML"},
        {"a key twice", "seed = 1\nseed = 2\n", "wrong.toml:2: no valid TOML"},
        {"a table twice", correct + "[locks.l]\n", "wrong.toml:16: no valid TOML"},
        {"lists in lists", "\nx = " + repeated("[", 100'000), "wrong.toml:2: no valid TOML"},
        {"tables in tables", "\nx = " + repeated("{x = ", 100'000), "wrong.toml:2: no valid TOML"},
        // Both were a stack overflow, status 139.
        {"a key of many parts", "\n" + repeated("a.", 100'000) + "b = 1\n",
         "wrong.toml:2: a key of more than 16 parts"},
        {"a table of many parts", "\n[" + repeated("a.", 100'000) + "b]\n",
         "wrong.toml:2: a key of more than 16 parts"},
        {"an override of many parts", correct + "[variants.v]\n'" + repeated("a.", 100'000) + "b' = 1\n",
         "wrong.toml:17: a.a.a...: a path of more than 32 parts"},
        {"a long line", correct + "x = \"" + std::string(1'000'000, 'x') + "\"\n",
         "wrong.toml:16: groups.g.x: unknown key"},
        {"a long key", correct + std::string(1'000'000, 'x') + " = 1\n", "wrong.toml:16: groups.g.xxx"},
        {"a hundred megabytes", repeated(std::string(999'999, '#') + "\n", 100), "wrong.toml: more than 4 MiB"},
        {"many keys", repeated("[x", 300'000), "wrong.toml:1: no valid TOML"},
    };
    for (const Row& row : rows) {
        const TemporaryFolder folder;
        std::ofstream(folder / "wrong.toml", std::ios::binary) << row.text;
        INFO(row.kind);
        for (const char* verb : {"run", "print-config"}) {
            check_refused(call_in(folder / "", {verb, "wrong.toml", "--output", "out"}), row.says);
        }
        CHECK(folder.files() == 1);
    }
}

TEST_CASE("What is no file, or one that cannot be read, is refused with the reason", "[unit]") {
    const TemporaryFolder folder;
    std::ofstream(folder / "right.toml") << correct;
    std::ofstream(folder / "secret.toml") << correct;
    ::chmod((folder / "secret.toml").c_str(), 0);
    ::chmod((folder / "").c_str(), 0755);
    const auto as_nobody = [] {
        if (::geteuid() == 0 && ::setuid(65534) != 0) { ::_exit(125); }
    };
    check_refused(call_in(folder / "", {"run", "rigth.toml"}),
                  "rigth.toml: cannot be read: No such file or directory; did you mean \"right.toml\"?");
    check_refused(call_in(folder / "", {"run", "right"}),
                  "right: cannot be read: No such file or directory; did you mean \"right.toml\"?");
    check_refused(call_in(folder / "", {"run", "."}), ".: cannot be read: it is a folder; expected a file");
    check_refused(call_in(folder / "", {"run", "secret.toml"}, as_nobody),
                  "secret.toml: cannot be read: Permission denied");
    check_refused(call_in(folder / "", {"run", "/dev/null"}), "/dev/null: is empty");
    check_refused(call_in(folder / "", {"run", "right.toml/x"}), "right.toml/x: cannot be read: Not a directory");
    // It ate all memory and never ended.
    check_refused(call_in(folder / "", {"run", "/dev/zero"}), "/dev/zero: more than 4 MiB");
    // All files load before anything runs.
    check_refused(call_in(folder / "", {"run", "right.toml", "missing.toml"}), "missing.toml: cannot be read");
    CHECK(folder.files() == 2);
}

TEST_CASE("A scenario may come through a pipe, and an endless one is refused", "[unit]") {
    const TemporaryFolder folder;
    const std::string pipe = folder / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const auto written = [&](const std::string& text, int times) {
        const pid_t writer = ::fork();
        if (writer == 0) {
            std::signal(SIGPIPE, SIG_DFL);
            std::ofstream stream(pipe);
            for (int i = 0; i < times; ++i) { stream << text; }
            stream.close();
            ::_exit(0);
        }
        ProcessEnd end = call_in(folder / "", {"run", "pipe"});
        ::kill(writer, SIGKILL);
        ::waitpid(writer, nullptr, 0);
        return end;
    };
    CHECK(written(correct, 1).status == 0);
    check_refused(written("# and so on\n", 1'000'000'000), "pipe: more than 4 MiB");
}
