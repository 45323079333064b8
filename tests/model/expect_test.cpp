// [expect]: the grammar, the names, and judging, on hand-made results.
#include "model/scenario/judging/expect.hpp"

#include <cmath>

#include "model/scenario/judging/comparison.hpp"
#include "tests/catch.hpp"
#include "tests/model/scenario_fixture.hpp"

using namespace model;
using namespace model::test;
using Catch::Matchers::ContainsSubstring;

namespace {

Summary times(double p50, double max) {
    Summary summary;
    summary.samples = 10;
    summary.min = summary.mean = summary.p50 = summary.p90 = p50;
    summary.p99 = summary.p999 = summary.max = max;
    return summary;
}

ThreadResult thread(const std::string& name, const std::string& group, std::uint64_t acquisitions,
                    double longest_wait_ns) {
    ThreadResult result;
    result.name = name;
    result.group = group;
    result.acquisitions = acquisitions;
    result.operations = acquisitions / 2;
    result.longest_wait_ns = longest_wait_ns;
    if (acquisitions != 0) { result.wait_ns = times(longest_wait_ns / 2, longest_wait_ns); }
    result.finished = acquisitions > 100;
    result.cas_fail = 3;
    result.sc_fail = 5;
    return result;
}

/// little: 100 acquisitions; big.0: 300, big.1: 600; one lock, one that nobody took.
RunResult a_run(const std::string& variant = "base", std::uint64_t seed = 1, std::int32_t phase = 1,
                double little_wait_ns = 6e6) {
    RunResult run;
    run.variant = variant;
    run.seed = seed;
    run.phase = phase;
    run.simulated_ns = 2e8;
    run.ns_per_acquisition = 250;
    run.verdicts.emplace_back();
    run.verdicts.back().kind = little_wait_ns > 5e6 ? VerdictKind::starvation : VerdictKind::ok;
    run.threads = {thread("little", "little", 100, little_wait_ns), thread("big.0", "big", 300, 400),
                   thread("big.1", "big", 600, 900), thread("idle", "idle", 0, 0)};
    LockResult timers;
    timers.name = "timers";
    timers.acquisitions = 1000;
    timers.contended = 900;
    timers.failed_tries = 7;
    timers.throughput_per_s = 5000;
    timers.wait_ns = times(200, 6e6);
    timers.hold_ns = times(50, 60);
    timers.handover_ns = times(100, 130);
    timers.transfers_per_acquisition = {{"near", 1.5}, {"cross", 0.5}};
    timers.jain = 0.75;
    timers.longest_streak = 40;
    timers.longest_bypass = 500;
    timers.steals = 33;
    LockResult unused;
    unused.name = "unused";
    run.locks = {timers, unused};
    return run;
}

/// What a comparison gives in a_run(), or in variant "fast", where little waits 1 us.
Outcome outcome(const std::string& text) {
    const RunResult base = a_run();
    const RunResult fast = a_run("fast", 1, 1, 1000);
    return evaluate(parse_comparison({text, {}}),
                    [&](const std::string& variant) { return variant == "fast" ? &fast : &base; });
}
bool holds(const std::string& text) { return outcome(text).holds; }

std::string problem(const std::string& text) {
    try {
        parse_comparison({text, {"x.toml", 7}});
    } catch (const ConfigError& error) { return error.what(); }
    return "parsed";
}

Scenario scenario_of(const std::string& variant) {
    Scenario scenario;
    scenario.variant = variant;
    scenario.has_expect = true;
    scenario.locks.resize(2);
    scenario.locks[0].name = "timers";
    scenario.locks[1].name = "unused";
    scenario.groups.resize(3);
    scenario.groups[0].name = "little";
    scenario.groups[0].cpus = {0};
    scenario.groups[1].name = "big";
    scenario.groups[1].cpus = {1, 2};
    scenario.groups[2].name = "idle";
    scenario.groups[2].cpus = {3};
    return scenario;
}

std::string name_problem(const std::string& text) {
    std::vector<Scenario> scenarios{scenario_of("base"), scenario_of("fast")};
    scenarios[1].groups[1].name = "huge";
    try {
        check_expectation({text, {"x.toml", 7}}, "base", scenarios);
    } catch (const ConfigError& error) { return error.what(); }
    return "";
}

std::vector<ExpectationText> texts(const std::vector<std::string>& lines) {
    std::vector<ExpectationText> result;
    result.reserve(lines.size());
    for (const auto& line : lines) { result.push_back({line, {}}); }
    return result;
}

/// Sixteen phases, in the first `starving` of which little starves.
std::vector<RunResult> sixteen_phases(int starving, std::uint64_t seed = 1) {
    std::vector<RunResult> runs;
    for (std::int32_t phase = 1; phase <= 16; ++phase) {
        runs.push_back(a_run("base", seed, phase, phase <= starving ? 6e6 : 1000));
    }
    return runs;
}

Scenario counted(std::int32_t at_least, const std::vector<std::string>& that) {
    Scenario scenario = scenario_of("base");
    scenario.expect.verdict = "starvation";
    scenario.expect.in_holds = at_least;
    scenario.expect.in_of = 16;
    scenario.expect.in_none = at_least == 0;
    scenario.expect.that = texts(that);
    return scenario;
}

}  // namespace

// --- grammar ---------------------------------------------------------------------------------------------

TEST_CASE("numbers take the units of times, shares and rates", "[unit]") {
    CHECK(holds("1us == 1000ns"));
    CHECK(holds("1ms == 1000us"));
    CHECK(holds("1s == 1000ms"));
    CHECK(holds("1ns == 1000ps"));
    CHECK(holds("50% == 0.5"));
    CHECK(holds("1MHz == 1000kHz"));
    CHECK(holds("1GHz == 1000000000Hz"));
}

TEST_CASE("products bind closer than sums, and both from the left", "[unit]") {
    CHECK(holds("2 + 3 * 4 == 14"));
    CHECK(holds("(2 + 3) * 4 == 20"));
    CHECK(holds("10 - 3 - 2 == 5"));
    CHECK(holds("24 / 4 / 2 == 3"));
    CHECK(holds("2*3+4==10"));
    CHECK(holds("1MHz * 2us == 2"));
    CHECK(holds("6us / 2us == 3"));
}

TEST_CASE("each comparison is exact at its limit", "[unit]") {
    CHECK(holds("longest_wait(little) >= 6ms"));
    CHECK_FALSE(holds("longest_wait(little) > 6ms"));
    CHECK(holds("longest_wait(little) <= 6ms"));
    CHECK_FALSE(holds("longest_wait(little) < 6ms"));
    CHECK(holds("longest_wait(little) == 6ms"));
    CHECK_FALSE(holds("longest_wait(little) == 6.000001ms"));
}

TEST_CASE("bad grammar is an error at the line, with the place", "[unit]") {
    CHECK(problem("longest_wait(little) >= 5ms") == "parsed");
    CHECK(problem("5 >") == "x.toml:7: \"5 >\": expected a number, a measure or ( at its end");
    CHECK(problem("5 = 5") == "x.toml:7: \"5 = 5\": expected <, <=, >, >= or == at \"= 5\"");
    CHECK_THAT(problem("5"), ContainsSubstring("expected <, <=, >, >= or == at its end"));
    CHECK_THAT(problem("1 < 2 < 3"), ContainsSubstring("expected nothing more at \"< 3\""));
    CHECK_THAT(problem("(1 < 2"), ContainsSubstring("expected ) at \"< 2\""));
    CHECK_THAT(problem("5sec > 1s"),
               ContainsSubstring("expected a unit (ps, ns, us, ms, s, %, Hz, kHz, MHz, GHz) at \"sec > 1s\""));
    CHECK_THAT(problem("40cycles > 1s"), ContainsSubstring("expected a unit"));
    CHECK_THAT(problem("-1 < 2"), ContainsSubstring("expected a number, a measure or ("));
    CHECK_THAT(problem("jain > 1"), ContainsSubstring("expected ( at \"> 1\""));
    CHECK_THAT(problem("jain(timers > 1"), ContainsSubstring("expected ) at \"> 1\""));
    CHECK_THAT(problem("share(big.) > 1"), ContainsSubstring("expected the number of a thread"));
    CHECK_THAT(problem(std::string(60, '(') + "1"), ContainsSubstring("too many parentheses"));
}

TEST_CASE("a time compares with a time only", "[unit]") {
    CHECK(
        problem("longest_wait(little) >= 5") ==
        "x.toml:7: \"longest_wait(little) >= 5\": compares a time (ps, ns, us, ms, s) with a plain number or a share (%)");
    CHECK_THAT(problem("acquisitions(little) >= 5us"),
               ContainsSubstring("compares a plain number or a share (%) with a time"));
    CHECK_THAT(problem("throughput(timers) > 3"), ContainsSubstring("compares a rate (Hz, kHz, MHz, GHz) with"));
    CHECK_THAT(problem("5us + 1 > 3us"), ContainsSubstring("adds a time (ps, ns, us, ms, s) with a plain number"));
    CHECK(problem("longest_wait(little) / 2us > 3") == "parsed");
    CHECK(problem("throughput(timers) > 3MHz") == "parsed");
}

TEST_CASE("a name may have a minus inside, and none at its end", "[unit]") {
    const Comparison comparison = parse_comparison({"two-sockets.share(qdisc-xmit.3) > 10%-1%", {}});
    CHECK(comparison.left.measure.variant == "two-sockets");
    CHECK(comparison.left.measure.argument == "qdisc-xmit.3");
    CHECK(comparison.right.kind == Term::Kind::subtract);
}

// --- measures --------------------------------------------------------------------------------------------

TEST_CASE("every measure gives what the run says", "[unit]") {
    for (const auto* text :
         {"acquisitions(timers) == 1000", "acquisitions(little) == 100", "operations(little) == 50",
          "share(little) == 10%",         "finished(little) == 0",       "finished(big.1) == 1",
          "cas_failures(little) == 3",    "sc_failures(little) == 5",    "imbalance(little) == 1",
          "contended(timers) == 900",     "throughput(timers) == 5kHz",  "jain(timers) == 0.75",
          "streak(timers) == 40",         "bypass(timers) == 500",       "steals(timers) == 33",
          "failed_tries(timers) == 7",    "transfers(timers) == 2",      "ns_per_acquisition() == 250ns",
          "simulated() == 200ms",         "p50(wait(timers)) == 200ns",  "max(wait(timers)) == 6ms",
          "p50(wait(little)) == 3ms",     "p99(hold(timers)) == 60ns",   "mean(handover(timers)) == 100ns",
          "min(hold(timers)) == 50ns",    "p90(hold(timers)) == 50ns",   "p999(hold(timers)) == 60ns"}) {
        INFO(text);
        CHECK(holds(text));
    }
}

TEST_CASE("a group's wait is the largest of its threads', its count the sum", "[unit]") {
    CHECK(holds("longest_wait(big) == 900ns"));
    CHECK(holds("longest_wait(big.0) == 400ns"));
    CHECK(holds("max(wait(big)) == 900ns"));
    CHECK(holds("acquisitions(big) == 900"));
    CHECK(holds("share(big) == 90%"));
    CHECK(holds("finished(big) == 2"));
    CHECK(holds("cas_failures(big) == 6"));
    CHECK(holds("sc_failures(big) == 10"));
}

TEST_CASE("a group's imbalance is its thread with most by that with fewest acquisitions", "[unit]") {
    CHECK(holds("imbalance(big) == 2"));
    RunResult run = a_run();
    const auto imbalance = [&] {
        return evaluate(parse_comparison({"imbalance(big) >= 4", {}}), [&](const std::string&) { return &run; });
    };
    CHECK_FALSE(imbalance().holds);
    run.threads[1].acquisitions = 0;
    CHECK(imbalance().holds);
    CHECK(std::isinf(*imbalance().value));
    run.threads[2].acquisitions = 0;
    CHECK_FALSE(imbalance().value);
}

TEST_CASE("a measure without samples has no value and makes its comparison false", "[unit]") {
    for (const auto* text :
         {"longest_wait(idle) <= 5us", "longest_wait(idle) > 5us", "jain(unused) <= 1", "transfers(unused) < 1",
          "p50(wait(unused)) < 1s", "p50(contended_wait(timers)) < 1s", "acquisitions(big) / acquisitions(idle) > 0"}) {
        INFO(text);
        CHECK_FALSE(outcome(text).holds);
        CHECK_FALSE(outcome(text).value);
    }
    CHECK(holds("acquisitions(idle) == 0"));
}

TEST_CASE("the value reported is that of the left side, rates per second", "[unit]") {
    CHECK(*outcome("longest_wait(little) >= 5ms").value == 6e6);
    CHECK(std::llround(*outcome("throughput(timers) > 1Hz").value) == 5000);
    CHECK(*outcome("acquisitions(big) / acquisitions(little) < 2").value == 9);
}

TEST_CASE("a measure of another variant reads that variant's run", "[unit]") {
    CHECK(holds("fast.longest_wait(little) == 1us"));
    CHECK(holds("longest_wait(little) == 6000 * fast.longest_wait(little)"));
    CHECK(holds("p50(wait(little)) > fast.p50(wait(little))"));
}

TEST_CASE("unknown measures, threads, locks and variants are errors with the nearest name", "[unit]") {
    CHECK(name_problem("longest_wait(little) > 1us").empty());
    CHECK(name_problem("longest_wait(big.1) > 1us").empty());
    CHECK(name_problem("fast.longest_wait(huge.0) > 1us").empty());
    CHECK(name_problem("longest_wiat(little) > 1us") ==
          "x.toml:7: \"longest_wiat(little) > 1us\": no measure longest_wiat; did you mean \"longest_wait\"?");
    CHECK_THAT(name_problem("longest_wait(litle) > 1us"),
               ContainsSubstring("longest_wait(litle): no such thread or group; did you mean \"little\"?"));
    CHECK_THAT(name_problem("longest_wait(big.2) > 1us"),
               ContainsSubstring("no such thread or group; did you mean \"big.0\"?"));
    CHECK_THAT(name_problem("longest_wait(timers) > 1us"), ContainsSubstring("no such thread or group"));
    CHECK_THAT(name_problem("jain(little) > 1"),
               ContainsSubstring("jain(little): no such lock; there are: timers, unused"));
    CHECK_THAT(name_problem("fsat.jain(timers) > 1"), ContainsSubstring("no variant fsat; did you mean \"fast\"?"));
    CHECK_THAT(name_problem("fast.share(big) > 1"), ContainsSubstring("share(big): no such thread or group"));
    CHECK_THAT(name_problem("wait(timers) > 1us"),
               ContainsSubstring("wait is a set of times: write for example p50(wait(timers))"));
    CHECK_THAT(name_problem("p50(timers) > 1us"),
               ContainsSubstring("p50 is a statistic of a set of times: write for example p50(wait(timers))"));
    CHECK_THAT(name_problem("p95(wait(timers)) > 1us"), ContainsSubstring("no statistic p95; did you mean \"p90\"?"));
    CHECK_THAT(name_problem("p50(jain(timers)) > 1"), ContainsSubstring("jain is one value and has no p50"));
    CHECK_THAT(name_problem("simulated(little) > 1us"), ContainsSubstring("simulated() takes no argument"));
    CHECK_THAT(name_problem("jain() > 1"), ContainsSubstring("jain(): no such lock"));
}

TEST_CASE("a name that a group and a lock share is refused where it could mean both", "[unit]") {
    Scenario scenario = scenario_of("base");
    scenario.locks[0].name = "little";
    CHECK_THROWS_WITH(check_expectation({"acquisitions(little) > 1", {"x.toml", 7}}, "base", {scenario}),
                      ContainsSubstring("both a group and a lock have this name"));
    CHECK_NOTHROW(check_expectation({"jain(little) > 1", {}}, "base", {scenario}));
    CHECK_NOTHROW(check_expectation({"share(little) > 1", {}}, "base", {scenario}));
}

// --- judging ---------------------------------------------------------------------------------------------

TEST_CASE("without a count the verdict and each line must hold in every run", "[unit]") {
    Scenario scenario = scenario_of("base");
    scenario.expect.verdict = "starvation";
    scenario.expect.that = texts({"longest_wait(little) >= 5ms"});
    scenario.expect.always = texts({"longest_wait(big) <= 10us"});

    const auto once = judge({scenario}, {a_run()});
    REQUIRE(once.size() == 3);
    CHECK(once[0].text == "verdict == starvation");
    CHECK(once[0].holds == true);
    CHECK(once[0].in.empty());
    CHECK_FALSE(once[0].value);
    CHECK(once[1].text == "longest_wait(little) >= 5ms");
    CHECK(once[1].value == 6e6);
    CHECK(once[2].holds == true);

    const auto often = judge({scenario}, sixteen_phases(15));
    CHECK(often[0].holds == false);
    CHECK(often[0].in == "15/16");
    CHECK(often[0].required == "16/16");
    CHECK(often[1].holds == false);
    CHECK(often[1].value == 1000);  // of the last run
    CHECK(often[2].holds == true);
    CHECK(often[2].in == "16/16");
}

TEST_CASE("a counted block holds from its limit on", "[unit]") {
    const Scenario scenario = counted(12, {"longest_wait(little) >= 5ms"});
    const auto enough = judge({scenario}, sixteen_phases(12));
    REQUIRE(enough.size() == 3);
    CHECK(enough[1].in == "12/16");
    CHECK(enough[1].required == "12/16");
    CHECK(enough[1].holds == true);
    CHECK(enough[2].text == "verdict and that together");
    CHECK(enough[2].holds == true);

    const auto few = judge({scenario}, sixteen_phases(11));
    for (const auto& entry : few) {
        CHECK(entry.holds == false);
        CHECK(entry.in == "11/16");
    }
}

TEST_CASE("lines of a counted block that hold in different runs do not hold together", "[unit]") {
    // Starvation in phases 1 to 12; the other line in the odd phases.
    const Scenario scenario = counted(8, {"simulated() < 200ms"});
    auto runs = sixteen_phases(12);
    for (auto& run : runs) {
        if (run.phase % 2 == 1) { run.simulated_ns = 1e8; }
    }
    const auto entries = judge({scenario}, runs);
    CHECK(entries[0].in == "12/16");
    CHECK(entries[0].holds == true);
    CHECK(entries[1].in == "8/16");
    CHECK(entries[1].holds == true);
    CHECK(entries[2].in == "6/16");
    CHECK(entries[2].holds == false);
}

TEST_CASE("a control block is judged as a whole and must hold in no phase", "[unit]") {
    const Scenario scenario = counted(0, {"longest_wait(little) >= 5ms"});
    const auto none = judge({scenario}, sixteen_phases(0));
    REQUIRE(none.size() == 1);
    CHECK(none[0].text == "verdict == starvation and longest_wait(little) >= 5ms");
    CHECK(none[0].in == "0/16");
    CHECK(none[0].required == "none/16");
    CHECK(none[0].holds == true);
    CHECK(judge({scenario}, sixteen_phases(1))[0].holds == false);
}

TEST_CASE("with fewer phases than the count names nothing of the block is judged", "[unit]") {
    Scenario scenario = counted(12, {"longest_wait(little) >= 5ms"});
    scenario.expect.always = texts({"longest_wait(big) <= 10us"});
    auto runs = sixteen_phases(16);
    runs.pop_back();
    const auto entries = judge({scenario}, runs);
    REQUIRE(entries.size() == 4);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK_FALSE(entries[i].holds);
        CHECK(entries[i].not_judged_because == "needs --phases 16");
        CHECK(entries[i].required == "12/16");
    }
    CHECK(entries[3].holds == true);  // always needs no count
}

TEST_CASE("more phases than the count names do not enter it", "[unit]") {
    auto runs = sixteen_phases(12);
    for (std::int32_t phase = 17; phase <= 20; ++phase) { runs.push_back(a_run("base", 1, phase)); }
    CHECK(judge({counted(12, {})}, runs)[0].in == "12/16");
}

TEST_CASE("every seed must reach the count by itself, and the worst is shown", "[unit]") {
    auto runs = sixteen_phases(16, 1);
    for (auto& run : sixteen_phases(12, 2)) { runs.push_back(run); }
    CHECK(judge({counted(12, {})}, runs)[0].holds == true);
    CHECK(judge({counted(12, {})}, runs)[0].in == "12/16");
    for (auto& run : sixteen_phases(11, 3)) { runs.push_back(run); }
    CHECK(judge({counted(12, {})}, runs)[0].holds == false);
    CHECK(judge({counted(0, {})}, runs)[0].in == "16/16");
}

TEST_CASE("comparisons between variants pair runs of equal seed and phase", "[unit]") {
    Scenario base = scenario_of("base");
    base.expect.verdict = "any";
    Scenario fast = scenario_of("fast");
    fast.expect.that = texts({"longest_wait(little) < base.longest_wait(little)"});
    std::vector<RunResult> runs = sixteen_phases(16);
    for (std::int32_t phase = 1; phase <= 16; ++phase) { runs.push_back(a_run("fast", 1, phase, 1000)); }
    const auto entries = judge({base, fast}, runs);
    REQUIRE(entries.size() == 2);  // base expects nothing
    CHECK(entries[0].text == "verdict == ok");
    CHECK(entries[1].variant == "fast");
    CHECK(entries[1].holds == true);
    CHECK(entries[1].in == "16/16");

    runs.erase(runs.begin());  // base, phase 1
    const auto missing = judge({base, fast}, runs);
    CHECK_FALSE(missing[1].holds);
    CHECK(missing[1].not_judged_because == "needs variant base with the same seed and phase");
}

TEST_CASE("a variant that did not run is not judged", "[unit]") {
    const auto entries = judge({scenario_of("base"), scenario_of("fast")}, {a_run()});
    REQUIRE(entries.size() == 2);
    CHECK(entries[0].holds == false);  // a block without a verdict expects ok
    CHECK_FALSE(entries[1].holds);
    CHECK(entries[1].not_judged_because == "variant fast did not run");
}

TEST_CASE("hoped lines carry their value and reason", "[unit]") {
    Scenario scenario = scenario_of("base");
    scenario.expect.verdict = "any";
    scenario.expect.hoped = {{"share(little) >= 15%", "it would be fair", {}}};
    const auto entries = judge({scenario}, {a_run()});
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].hoped);
    CHECK(entries[0].why == "it would be fair");
    CHECK(entries[0].holds == false);
    CHECK(entries[0].value == 0.1);
}

TEST_CASE("a file without expectations is not judged", "[unit]") {
    Scenario scenario = scenario_of("base");
    scenario.has_expect = false;
    CHECK(judge({scenario}, {a_run()}).empty());
}
