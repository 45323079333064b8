// What a disturbance changes, and that it changes nothing else.
#include "model/scenario/running/disturbance.hpp"

#include <algorithm>
#include <set>

#include "model/scenario/reading/print_config.hpp"
#include "tests/catch.hpp"
#include "tests/model/scenario_fixture.hpp"

using namespace model;
using namespace model::test;

namespace {

const std::string lengths = R"toml(title = "lengths"
[machine]
preset = "duo"
[machine.cpus.0]
frequency = "2GHz"
[locks.timers]
type = "mcs"
[groups.little]
cpus = [0]
program = [
    {try_acquire = "timers", tries = 3, every = "800ns"}, {work = "uniform(9cycles, 11cycles)"}, {release = "timers"},
    {repeat = [{think = "0cycles"}], times = 2}, {delay = "20ns"}, {work = "exp(1us)"},
]
)toml";

/// With a try that the made-up catalogue allows.
const Scenario& scenario() {
    static const Scenario loaded =
        load_text(replaced(lengths, "try_acquire = \"timers\", tries = 3, every = \"800ns\"", "acquire = \"timers\""))
            .front();
    return loaded;
}

std::vector<std::string> sets() {
    std::vector<std::string> texts;
    for (const auto& change : cycle_changes(scenario())) { texts.push_back(change.set); }
    return texts;
}

bool has(const std::vector<std::string>& texts, const std::string& text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

RunResult with_verdict(VerdictKind kind, const std::vector<std::string>& threads) {
    RunResult run;
    for (const char* name : {"big.0", "big.1", "little"}) {
        ThreadResult& thread = run.threads.emplace_back();
        thread.name = name;
        thread.group = thread.name.substr(0, thread.name.find('.'));
    }
    run.verdicts.emplace_back();
    run.verdicts.back().kind = kind;
    run.verdicts.back().threads = threads;
    return run;
}

}  // namespace

TEST_CASE("each length of a program is changed by a cycle of the CPU that spends it", "[unit]") {
    const auto texts = sets();
    for (const char* text :
         {"groups.little.program.1.work=uniform(10cycles, 12cycles)",
          "groups.little.program.1.work=uniform(8cycles, 10cycles)", "groups.little.program.4.delay=20.5ns",
          "groups.little.program.4.delay=19.5ns", "groups.little.program.3.repeat.0.think=1cycle",
          "groups.little.program.5.work=exp(1.0005us)", "locks.timers.mcs.gap=4cycles",
          "locks.timers.mcs.pause=0cycles"}) {
        INFO(text);
        CHECK(has(texts, text));
    }
    // Nothing is shorter than nothing, and a hit takes at least a cycle.
    CHECK_FALSE(has(texts, "groups.little.program.3.repeat.0.think=-1cycle"));
    for (const auto& text : texts) { CHECK(text.find("=-") == std::string::npos); }
    CHECK(std::set<std::string>(texts.begin(), texts.end()).size() == texts.size());
}

TEST_CASE("a change of one cycle is what --set makes of its text", "[unit]") {
    const std::string text =
        replaced(lengths, "try_acquire = \"timers\", tries = 3, every = \"800ns\"", "acquire = \"timers\"");
    for (const auto& change : cycle_changes(scenario())) {
        INFO(change.set);
        const std::string by_set = config_digest_of(load_text(text, options({change.set})).front());
        CHECK(config_digest_of(changed(scenario(), change)) == by_set);
        CHECK(by_set != scenario().config_digest);
    }
}

TEST_CASE("the first changes are spread over programs and the machine", "[unit]") {
    const auto texts = sets();
    REQUIRE(texts.size() >= 16);
    const auto of_machine =
        std::count_if(texts.begin(), texts.begin() + 16, [](const auto& text) { return text.starts_with("machine."); });
    CHECK(of_machine == 8);
}

TEST_CASE("noise is at least one percent, drawn anew, and no other stream is", "[unit]") {
    RunOptions options;
    options.phase = 3;
    const Disturbed first = with_noise(scenario(), options, 1);
    const Disturbed second = with_noise(scenario(), options, 2);
    CHECK(first.scenario.noise.work.ppm == 10'000);
    CHECK(first.scenario.noise.latency.ppm == 10'000);
    CHECK(first.scenario.seed == scenario().seed);
    CHECK(first.options.phase == 3);
    CHECK_FALSE(first.options.tie_seed);
    REQUIRE(first.options.noise_seed);
    CHECK(*first.options.noise_seed != *second.options.noise_seed);
    Scenario noisy = scenario();
    noisy.noise.work.ppm = 100'000;
    CHECK(with_noise(noisy, options, 1).scenario.noise.work.ppm == 100'000);
}

TEST_CASE("another order of ties leaves the noise as it was", "[unit]") {
    const Disturbed tied = with_tie_order(scenario(), {}, 1);
    CHECK(tied.scenario.tie_break == TieBreak::seeded);
    CHECK(tied.options.tie_seed);
    CHECK_FALSE(tied.options.noise_seed);
    CHECK(tied.scenario.noise.work == scenario().noise.work);
}

TEST_CASE("verdicts are the same if they are of one kind and about the same groups", "[unit]") {
    const RunResult one = with_verdict(VerdictKind::starvation, {"big.0"});
    CHECK(same_verdict(one, with_verdict(VerdictKind::starvation, {"big.1"})));
    CHECK_FALSE(same_verdict(one, with_verdict(VerdictKind::starvation, {"little"})));
    CHECK_FALSE(same_verdict(one, with_verdict(VerdictKind::livelock, {"big.0"})));
    CHECK(same_verdict(with_verdict(VerdictKind::ok, {}), with_verdict(VerdictKind::ok, {})));
}
