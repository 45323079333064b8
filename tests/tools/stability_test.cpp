// Does a verdict survive? One that is an accident of its numbers must not, one that follows from the lock must.

#include "tools/locksim/stability.hpp"

#include <set>

#include "model/scenario/reading/loader.hpp"
#include "model/scenario/running/disturbance.hpp"
#include "tests/catch.hpp"
#include "tests/tools/report_fixture.hpp"
#include "tools/locksim/user_locks.hpp"

using namespace locksim_test;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Tested {
    model::RunResult run;
    std::vector<std::int32_t> told;  ///< the disturbed runs, as they were announced
};

model::Scenario loaded(const std::string& file, const std::vector<std::string>& sets) {
    model::LoadOptions load;
    load.configs_dir = std::string(LOCKSIM_SOURCE_DIR) + "/configs";
    load.sets = sets;
    load.variant = "base";
    return model::load_scenario(load.configs_dir + "/" + file, locksim::load_catalogue(""), load).front();
}

Tested test(const model::Scenario& scenario) {
    const model::Catalogue catalogue = locksim::load_catalogue("");
    Tested tested{*model::run(scenario, catalogue), {}};
    tested.run.verdicts.front().survives =
        locksim::survival(scenario, tested.run, catalogue, {}, [&](std::int32_t n) { tested.told.push_back(n); });
    REQUIRE(tested.run.verdict().survives);
    return tested;
}

model::Survival all_of(std::int32_t same, std::int32_t runs) {
    model::Survival survival;
    for (auto* count : {&survival.noise_1pct, &survival.tie_orders, &survival.one_cycle}) { *count = {same, runs}; }
    survival.changes = {{"groups.big.program.1.work=11cycles", model::VerdictKind::ok, false}};
    return survival;
}

class GiveUp : public model::RunMonitor {
public:
    bool keep_going(sim::Time) override { return false; }
};

}  // namespace

TEST_CASE("A livelock that only one phase has does not survive noise, nor a cycle more or less", "[unit]") {
    const Tested tested = test(loaded("scenarios/unlucky-try.toml", {}));
    CHECK(tested.run.verdict().kind == model::VerdictKind::livelock);
    const model::Survival& survival = *tested.run.verdict().survives;
    CHECK(survival.noise_1pct.runs == 16);
    CHECK(survival.noise_1pct.same == 0);
    CHECK(survival.tie_orders.same == 16);  // no two events at one time decide anything here
    CHECK(survival.one_cycle.runs >= 10);
    CHECK(survival.one_cycle.same <= survival.one_cycle.runs / 2);
    CHECK(survival.changes.size() == static_cast<std::size_t>(survival.one_cycle.runs));
}

TEST_CASE("A starvation that the lock makes survives", "[unit]") {
    const Tested tested = test(loaded("lessons/slow-cpu.toml", {"duration=5ms"}));
    CHECK(tested.run.verdict().kind == model::VerdictKind::starvation);
    const model::Survival& survival = *tested.run.verdict().survives;
    for (const auto& count : {survival.noise_1pct, survival.tie_orders, survival.one_cycle}) {
        CHECK(count.runs == 16);
        CHECK(count.same == 16);
    }
    CHECK(tested.told.size() >= 48);
    CHECK(tested.told.front() == 1);
    CHECK(tested.told.back() == static_cast<std::int32_t>(tested.told.size()));
}

TEST_CASE("Other noise and other tie orders give other runs, the same ones give the same", "[unit]") {
    const model::Catalogue catalogue = locksim::load_catalogue("");
    const model::Scenario scenario = loaded("lessons/slow-cpu.toml", {"duration=1ms", "warmup=0us"});
    const auto digest = [&](const model::Disturbed& disturbed) {
        return model::run(disturbed.scenario, catalogue, disturbed.options)->digest;
    };
    CHECK(digest(model::with_noise(scenario, {}, 1)) != digest(model::with_noise(scenario, {}, 2)));
    CHECK(digest(model::with_noise(scenario, {}, 1)) == digest(model::with_noise(scenario, {}, 1)));
    CHECK(digest(model::with_noise(scenario, {}, 1)) != model::run(scenario, catalogue)->digest);
    // Without noise in the scenario its seed has no say: the disturbance's has.
    const model::Scenario quiet = loaded("lessons/slow-cpu.toml", {"duration=1ms", "warmup=0us", "noise.work=0%"});
    CHECK(digest(model::with_noise(quiet, {}, 1)) != digest(model::with_noise(quiet, {}, 2)));
}

TEST_CASE("Where the seeded tie order is the scenario's own, the disturbance's seed still makes another", "[unit]") {
    const model::Catalogue catalogue = locksim::load_catalogue("");
    // Eight threads in step on a machine without transfer times: ties everywhere.
    const model::Scenario scenario =
        loaded("lessons/ticket-rereads.toml", {"duration=20us", "warmup=0us", "machine.preset=ideal", "noise.work=0%",
                                               "noise.latency=0%", "noise.start_phase=0ns", "tie_break=seeded"});
    std::set<std::uint64_t> digests{model::run(scenario, catalogue)->digest};
    for (std::uint64_t n = 1; n <= 4; ++n) {
        const model::Disturbed disturbed = model::with_tie_order(scenario, {}, n);
        digests.insert(model::run(disturbed.scenario, catalogue, disturbed.options)->digest);
    }
    CHECK(digests.size() == 5);
}

TEST_CASE("An interrupt leaves a verdict untested", "[unit]") {
    const model::Catalogue catalogue = locksim::load_catalogue("");
    const model::Scenario scenario = loaded("lessons/slow-cpu.toml", {});
    const model::RunResult run = *model::run(scenario, catalogue);
    GiveUp monitor;
    model::RunOptions options;
    options.monitor = &monitor;
    CHECK_FALSE(locksim::survival(scenario, run, catalogue, options, [](std::int32_t) {}));
}

TEST_CASE("The first screen says how the verdicts fared, and which did not survive", "[unit]") {
    locksim::FileReport report = two_variants();
    CHECK(locksim::stability_summary(report.runs).empty());
    report.runs[0].verdicts.front().survives = all_of(16, 16);
    report.runs[1].verdicts.front().survives = all_of(16, 16);
    CHECK(locksim::stability_summary(report.runs) ==
          "base: 1 % noise 16/16, tie orders 16/16, one cycle 16/16; the other 1 survives all");
    report.runs[1].verdicts.front().survives = all_of(3, 16);
    CHECK(locksim::stability_summary(report.runs) ==
          "base: 1 % noise 16/16, tie orders 16/16, one cycle 16/16; lse: 1 % noise 3/16, tie orders 3/16, one "
          "cycle 3/16");
    const std::string screen = locksim::first_screen(report, options(), {});
    CHECK_THAT(screen, ContainsSubstring("\nstable base: 1 % noise 16/16") && !ContainsSubstring("not tested"));
    CHECK(lines_of(screen).size() <= 24);
    CHECK_THAT(locksim::details(report, {}), ContainsSubstring("not  ok: --set groups.big.program.1.work=11cycles"));
}

TEST_CASE("The reports for programs have what was tested, and null where nothing was", "[unit]") {
    locksim::Report report{{two_variants()}};
    CHECK_THAT(locksim::json_report(report, "1"), ContainsSubstring("\"survives\": null"));
    report.files[0].runs[0].verdicts.front().survives = all_of(9, 16);
    const std::string json = locksim::json_report(report, "1");
    CHECK_THAT(json, ContainsSubstring("\"noise_1pct\": \"9/16\"") && ContainsSubstring("\"tie_orders\": \"9/16\"") &&
                         ContainsSubstring("\"one_cycle\": \"9/16\"") &&
                         ContainsSubstring("\"set\": \"groups.big.program.1.work=11cycles\""));
    CHECK_THAT(locksim::csv_report(report),
               ContainsSubstring("verdict.survives.one_cycle") && ContainsSubstring("9/16"));
}
