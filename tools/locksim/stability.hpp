#pragma once
// `run --stability`: does a verdict survive small disturbances?

#include <functional>
#include <optional>
#include <string>

#include "model/scenario/catalogue.hpp"
#include "model/scenario/running/runner.hpp"
#include "tools/locksim/report.hpp"

namespace locksim {

/// Of each of the three kinds of disturbance.
constexpr std::int32_t disturbed_runs = 16;
constexpr std::int32_t all_disturbed_runs = 3 * disturbed_runs;

/// Runs the scenario disturbed in three ways and counts how often the verdict is that of `undisturbed`. Changes of one
/// cycle that leave the trace as it was do not count: the next takes their place. `next(n)` is told before the n-th
/// disturbed run. No value: the monitor of `options` gave up.
std::optional<model::Survival> survival(const model::Scenario& scenario, const model::RunResult& undisturbed,
                                        const model::Catalogue& catalogue, const model::RunOptions& options,
                                        const std::function<void(std::int32_t)>& next);

/// "1 % noise 16/16, tie orders 16/16, one cycle 9/16".
std::string survival_text(const model::Survival& survival);

/// For the first screen: the run that deserves a look, and how the others fared. Empty: nothing was tested.
std::string stability_summary(const std::vector<model::RunResult>& runs);

/// For -v: a row for each run, and below it the changes that it did not survive.
std::vector<std::string> stability_lines(const std::vector<model::RunResult>& runs);

}  // namespace locksim
