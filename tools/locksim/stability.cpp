#include "tools/locksim/stability.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/scenario/running/disturbance.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

using Count = model::Survival::Count;

class SurvivalTest {
public:
    SurvivalTest(const model::Scenario& scenario, const model::RunResult& undisturbed,
                 const model::Catalogue& catalogue, const model::RunOptions& options,
                 const std::function<void(std::int32_t)>& next)
        : scenario_(scenario), undisturbed_(undisturbed), catalogue_(catalogue), options_(options), next_(next) {}

    std::optional<model::Survival> run() {
        if (!run_all(model::with_noise, survival_.noise_1pct)) { return std::nullopt; }
        if (!run_all(model::with_tie_order, survival_.tie_orders)) { return std::nullopt; }
        if (!run_cycle_changes()) { return std::nullopt; }
        return std::move(survival_);
    }

private:
    using Disturb = model::Disturbed (*)(const model::Scenario&, const model::RunOptions&, std::uint64_t);

    std::optional<model::RunResult> run_one(const model::Scenario& scenario, const model::RunOptions& options) {
        next_(++done_);
        return model::run(scenario, catalogue_, options);
    }

    bool run_all(Disturb disturb, Count& count) {
        for (std::uint64_t n = 1; n <= disturbed_runs; ++n) {
            const model::Disturbed disturbed = disturb(scenario_, options_, n);
            const auto result = run_one(disturbed.scenario, disturbed.options);
            if (!result) { return false; }
            ++count.runs;
            count.same += model::same_verdict(*result, undisturbed_) ? 1 : 0;
        }
        return true;
    }

    bool run_cycle_changes() {
        Count& count = survival_.one_cycle;
        for (const model::CycleChange& change : model::cycle_changes(scenario_)) {
            if (count.runs == disturbed_runs) { break; }
            const auto result = run_one(model::changed(scenario_, change), options_);
            if (!result) { return false; }
            if (result->digest == undisturbed_.digest) { continue; }
            const bool same = model::same_verdict(*result, undisturbed_);
            ++count.runs;
            count.same += same ? 1 : 0;
            survival_.changes.push_back({change.set, result->verdict().kind, same});
        }
        return true;
    }

    const model::Scenario& scenario_;
    const model::RunResult& undisturbed_;
    const model::Catalogue& catalogue_;
    const model::RunOptions& options_;
    const std::function<void(std::int32_t)>& next_;
    model::Survival survival_;
    std::int32_t done_ = 0;
};

std::string fraction(const Count& count) { return fmt::format("{}/{}", count.same, count.runs); }

bool survives_all(const model::Survival& survival) {
    for (const Count& count : {survival.noise_1pct, survival.tie_orders, survival.one_cycle}) {
        if (count.same < count.runs) { return false; }
    }
    return true;
}

/// "lse, seed 2, phase 3", as far as it tells the runs apart.
std::string name_of(const model::RunResult& run, const std::vector<model::RunResult>& runs) {
    std::vector<std::string> parts;
    const auto add = [&](auto member, const std::string& part) {
        const bool differs = std::any_of(runs.begin(), runs.end(),
                                         [&](const model::RunResult& other) { return other.*member != run.*member; });
        if (differs) { parts.push_back(part); }
    };
    add(&model::RunResult::variant, run.variant);
    add(&model::RunResult::seed, fmt::format("seed {}", run.seed));
    add(&model::RunResult::phase, fmt::format("phase {}", run.phase));
    return join(parts, ", ");
}

}  // namespace

std::optional<model::Survival> survival(const model::Scenario& scenario, const model::RunResult& undisturbed,
                                        const model::Catalogue& catalogue, const model::RunOptions& options,
                                        const std::function<void(std::int32_t)>& next) {
    return SurvivalTest(scenario, undisturbed, catalogue, options, next).run();
}

std::string survival_text(const model::Survival& survival) {
    return fmt::format("1 % noise {}, tie orders {}, one cycle {}", fraction(survival.noise_1pct),
                       fraction(survival.tie_orders), fraction(survival.one_cycle));
}

std::string stability_summary(const std::vector<model::RunResult>& runs) {
    const model::RunResult& worst = worst_run(runs);
    if (!worst.verdict().survives) { return ""; }
    const std::string name = name_of(worst, runs);
    std::string text = (name.empty() ? "" : name + ": ") + survival_text(*worst.verdict().survives);
    std::size_t others = 0;
    std::vector<std::string> fragile;
    for (const model::RunResult& run : runs) {
        if (&run == &worst || !run.verdict().survives) { continue; }
        ++others;
        if (!survives_all(*run.verdict().survives)) {
            fragile.push_back(fmt::format("{}: {}", name_of(run, runs), survival_text(*run.verdict().survives)));
        }
    }
    for (const std::string& one : fragile) { text += "; " + one; }
    const std::size_t rest = others - fragile.size();
    if (rest > 0) { text += fmt::format("; the other {} survive{} all", rest, rest == 1 ? "s" : ""); }
    return text;
}

std::vector<std::string> stability_lines(const std::vector<model::RunResult>& runs) {
    std::vector<std::string> lines;
    for (const model::RunResult& run : runs) {
        const model::Verdict& verdict = run.verdict();
        if (!verdict.survives) { continue; }
        if (lines.empty()) { lines = {"", "how many disturbed runs have the same verdict"}; }
        lines.push_back(fmt::format("  {}, seed {}, phase {}: {}", run.variant, run.seed, run.phase,
                                    model::to_string(verdict.kind)));
        lines.push_back("    " + survival_text(*verdict.survives));
        for (const model::Survival::Change& change : verdict.survives->changes) {
            lines.push_back(fmt::format("    {} {}: --set {}", change.same ? "same" : "not ",
                                        model::to_string(change.verdict), shell_quote(change.set)));
        }
    }
    return lines;
}

}  // namespace locksim
