#pragma once
// [expect]: inequalities over measures, parsed when the file loads and judged over the runs of all variants.
//
//   comparison  = sum ("<" | "<=" | ">" | ">=" | "==") sum
//   sum         = product (("+" | "-") product)*
//   product     = factor (("*" | "/") factor)*
//   factor      = number unit? | "(" sum ")" | measure | VARIANT "." measure
//   measure     = NAME "(" argument? ")"        argument: thread, group, lock, or another measure: p50(wait(timers))

#include <optional>
#include <string>
#include <vector>

#include "model/metrics/run_result.hpp"
#include "model/scenario/judging/measures.hpp"
#include "model/scenario/scenario.hpp"

namespace model {

struct JudgedExpectation {
    std::string text;
    std::string variant;
    std::string in;               ///< "13/16": in so many runs it held; empty where one run was judged
    std::string required;         ///< "12/16", "none/16"; empty where one run was judged
    std::optional<bool> holds;    ///< no value: not judged (not enough phases, variant not run)
    std::optional<double> value;  ///< of the left side, in the last run judged; ns, counts or shares
    bool value_is_time = false;   ///< `value` is in ns: reports print it with a unit
    bool hoped = false;
    std::string why;                 ///< of a hoped line
    std::string not_judged_because;  ///< "needs --phases 16"
};

/// Throws ConfigError at `text.position` if it does not parse, or names a thread, group, lock, variant or measure
/// that `scenarios` (all variants of the file) do not have. `variant`: whose expectation it is; measures without a
/// variant are of that one.
void check_expectation(const ExpectationText& text, const std::string& variant, const std::vector<Scenario>& scenarios);

/// The same for measures that a text names besides.
void check_measures(const std::vector<MeasureCall>& calls, const ExpectationText& text, const std::string& variant,
                    const std::vector<Scenario>& scenarios);

/// Judges every expectation of `scenarios` over `runs` (any seeds and phases; comparisons between variants pair runs
/// of equal seed and phase). One entry for each line of a file, and:
///   - a block with `in = "N/M"` is judged for each seed over its phases 1 to M, and must reach N for every seed. Each
///     of its lines holds if it does so by itself; where there are several, one more entry, "verdict and that
///     together", says whether they did so in the same runs. `in` counts the seed that did worst.
///   - a block with `in = "none/M"` is one entry, all its lines joined by "and": only together do they say something.
///   - all other lines must hold in every run; `in` then counts all of them (empty where there is only one).
/// So a file's expectations held if no entry that is not hoped has holds == false.
std::vector<JudgedExpectation> judge(const std::vector<Scenario>& scenarios, const std::vector<RunResult>& runs);

}  // namespace model
