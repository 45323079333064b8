#include "model/scenario/judging/expect.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "model/scenario/judging/comparison.hpp"
#include "model/scenario/judging/measures.hpp"
#include "model/scenario/reading/config_error.hpp"

namespace model {
namespace {

/// Runs by variant, seed and phase.
class Runs {
public:
    explicit Runs(const std::vector<RunResult>& runs) {
        for (const auto& run : runs) { by_key_[{run.variant, run.seed, run.phase}] = &run; }
    }

    const RunResult* find(const std::string& variant, std::uint64_t seed, std::int32_t phase) const {
        const auto found = by_key_.find({variant, seed, phase});
        return found == by_key_.end() ? nullptr : found->second;
    }

    /// In order of seed and phase.
    std::vector<const RunResult*> of(const std::string& variant) const {
        std::vector<const RunResult*> result;
        for (const auto& [key, run] : by_key_) {
            if (std::get<0>(key) == variant) { result.push_back(run); }
        }
        return result;
    }

private:
    std::map<std::tuple<std::string, std::uint64_t, std::int32_t>, const RunResult*> by_key_;
};

/// A verdict or a comparison, to be judged in one run at a time.
class Line {
public:
    static Line of_verdict(const std::string& verdict) {
        Line line;
        line.text_ = "verdict == " + verdict;
        line.verdict_ = verdict;
        return line;
    }
    static Line of_comparison(const ExpectationText& text) {
        Line line;
        line.text_ = text.text;
        line.comparison_ = parse_comparison(text);
        return line;
    }

    const std::string& text() const { return text_; }

    Outcome in(const RunResult& run, const Runs& runs) const {
        if (!comparison_) { return {.holds = to_string(run.verdict().kind) == verdict_}; }
        return evaluate(*comparison_, [&](const std::string& variant) {
            return variant.empty() ? &run : runs.find(variant, run.seed, run.phase);
        });
    }

private:
    std::string text_;
    std::string verdict_;
    std::optional<Comparison> comparison_;
};

/// All lines in one run; the value is that of the last comparison.
Outcome all_in(const std::vector<Line>& lines, const RunResult& run, const Runs& runs) {
    Outcome all{.holds = true};
    for (const auto& line : lines) {
        const Outcome one = line.in(run, runs);
        all.holds = all.holds && one.holds;
        all.value = one.value;
        all.value_is_time = one.value_is_time;
        if (!one.missing_variant.empty()) { all.missing_variant = one.missing_variant; }
    }
    return all;
}

/// In how many of some runs all of some lines held.
struct Tally {
    std::int32_t held = 0;
    std::int32_t runs = 0;
    std::optional<double> last_value;
    bool value_is_time = false;
    std::string missing_variant;
};

Tally tally(const std::vector<Line>& lines, const std::vector<const RunResult*>& over, const Runs& runs) {
    Tally result;
    for (const auto* run : over) {
        const Outcome outcome = all_in(lines, *run, runs);
        ++result.runs;
        result.held += outcome.holds ? 1 : 0;
        result.last_value = outcome.value;
        result.value_is_time = outcome.value_is_time;
        if (!outcome.missing_variant.empty()) { result.missing_variant = outcome.missing_variant; }
    }
    return result;
}

/// The expectations of one variant.
class BlockJudge {
public:
    BlockJudge(const Scenario& scenario, const Runs& runs)
        : scenario_(scenario), expect_(scenario.expect), runs_(runs), own_(runs.of(scenario.variant)) {}

    std::vector<JudgedExpectation> judged() {
        std::vector<Line> block;
        if (expect_.verdict != "any") { block.push_back(Line::of_verdict(expect_.verdict)); }
        for (const auto& text : expect_.that) { block.push_back(Line::of_comparison(text)); }
        if (expect_.in_of) {
            counted_block(block);
        } else {
            for (const auto& line : block) { every_run(line); }
        }
        for (const auto& text : expect_.always) { every_run(Line::of_comparison(text)); }
        for (const auto& hoped : expect_.hoped) {
            every_run(Line::of_comparison({hoped.that, hoped.position}));
            result_.back().hoped = true;
            result_.back().why = hoped.why;
        }
        return std::move(result_);
    }

private:
    JudgedExpectation& add(const std::string& text) {
        JudgedExpectation& entry = result_.emplace_back();
        entry.text = text;
        entry.variant = scenario_.variant;
        if (own_.empty()) { entry.not_judged_because = fmt::format("variant {} did not run", scenario_.variant); }
        return entry;
    }

    static std::string fraction(std::int32_t held, std::int32_t of) { return fmt::format("{}/{}", held, of); }

    static bool stop_if_missing(const Tally& tally, JudgedExpectation& entry) {
        if (tally.missing_variant.empty()) { return false; }
        entry.not_judged_because = fmt::format("needs variant {} with the same seed and phase", tally.missing_variant);
        return true;
    }

    void every_run(const Line& line) {
        JudgedExpectation& entry = add(line.text());
        if (own_.empty()) { return; }
        const Tally result = tally({line}, own_, runs_);
        if (stop_if_missing(result, entry)) { return; }
        entry.holds = result.held == result.runs;
        entry.value = result.last_value;
        entry.value_is_time = result.value_is_time;
        if (result.runs > 1) {
            entry.in = fraction(result.held, result.runs);
            entry.required = fraction(result.runs, result.runs);
        }
    }

    void counted_block(const std::vector<Line>& block) {
        if (block.empty()) { return; }
        if (expect_.in_none) {
            counted(fmt::format("{}", fmt::join(names_in(block, &Line::text), " and ")), block);
            return;
        }
        for (const auto& line : block) { counted(line.text(), {line}); }
        if (block.size() > 1) {
            counted(expect_.verdict == "any" ? "that together" : "verdict and that together", block);
            result_.back().value.reset();  // of several lines
        }
    }

    void counted(const std::string& text, const std::vector<Line>& lines) {
        JudgedExpectation& entry = add(text);
        const std::int32_t of = *expect_.in_of;
        entry.required = expect_.in_none ? fmt::format("none/{}", of) : fraction(*expect_.in_holds, of);
        std::optional<std::int32_t> worst;
        for (const auto seed : seeds()) {
            const auto phases = phases_of(seed);
            if (static_cast<std::int32_t>(phases.size()) < of) {
                entry.not_judged_because = fmt::format("needs --phases {}", of);
                return;
            }
            const Tally result = tally(lines, phases, runs_);
            if (stop_if_missing(result, entry)) { return; }
            entry.value = result.last_value;
            entry.value_is_time = result.value_is_time;
            const std::int32_t so_far = worst.value_or(result.held);
            worst = expect_.in_none ? std::max(so_far, result.held) : std::min(so_far, result.held);
        }
        if (!worst) { return; }
        entry.in = fraction(*worst, of);
        entry.holds = expect_.in_none ? *worst == 0 : *worst >= *expect_.in_holds;
    }

    std::set<std::uint64_t> seeds() const {
        std::set<std::uint64_t> result;
        for (const auto* run : own_) { result.insert(run->seed); }
        return result;
    }

    /// Those of the phases 1 to M that ran.
    std::vector<const RunResult*> phases_of(std::uint64_t seed) const {
        std::vector<const RunResult*> result;
        for (const auto* run : own_) {
            if (run->seed == seed && run->phase <= *expect_.in_of) { result.push_back(run); }
        }
        return result;
    }

    const Scenario& scenario_;
    const ExpectConfig& expect_;
    const Runs& runs_;
    std::vector<const RunResult*> own_;
    std::vector<JudgedExpectation> result_;
};

}  // namespace

void check_expectation(const ExpectationText& text, const std::string& variant,
                       const std::vector<Scenario>& scenarios) {
    check_measures(measures_in(parse_comparison(text)), text, variant, scenarios);
}

void check_measures(const std::vector<MeasureCall>& calls, const ExpectationText& text, const std::string& variant,
                    const std::vector<Scenario>& scenarios) {
    for (const auto& call : calls) {
        const std::string& wanted = call.variant.empty() ? variant : call.variant;
        const auto found = std::find_if(scenarios.begin(), scenarios.end(),
                                        [&](const Scenario& each) { return each.variant == wanted; });
        std::string problem;
        if (found == scenarios.end()) {
            problem =
                fmt::format("no variant {}{}", wanted, suggestion(wanted, names_in(scenarios, &Scenario::variant)));
        } else {
            problem = problem_of(call, *found);
        }
        if (!problem.empty()) { throw ConfigError(text.position, fmt::format("\"{}\": {}", text.text, problem)); }
    }
}

std::vector<JudgedExpectation> judge(const std::vector<Scenario>& scenarios, const std::vector<RunResult>& runs) {
    const Runs by_key(runs);
    std::vector<JudgedExpectation> result;
    for (const auto& scenario : scenarios) {
        if (!scenario.has_expect) { continue; }
        for (auto& entry : BlockJudge(scenario, by_key).judged()) { result.push_back(std::move(entry)); }
    }
    return result;
}

}  // namespace model
