#pragma once
// What must hold for every text that somebody may hand to the loader. Shared by the fuzz target and by the tests of
// what it has found.

#include <algorithm>
#include <chrono>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "model/scenario/judging/comparison.hpp"
#include "model/scenario/judging/expect.hpp"
#include "model/scenario/reading/loader.hpp"
#include "model/scenario/reading/machine_reader.hpp"
#include "model/scenario/running/runner.hpp"

namespace fuzz {

/// Lines "#set PATH=VALUE" of a text are its --set options, lines "#expect COMPARISON" are expectations of their own:
/// comments for TOML, so that one text holds everything.
struct Input {
    std::vector<std::string> sets;
    std::vector<model::ExpectationText> expectations;
};

inline Input input_of(std::string_view text) {
    constexpr std::size_t most = 8;
    Input input;
    std::istringstream lines{std::string(text)};
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.starts_with("#set ") && input.sets.size() < most) { input.sets.push_back(line.substr(5)); }
        if (line.starts_with("#expect ") && input.expectations.size() < most) {
            input.expectations.push_back({line.substr(8), {"input.toml", number}});
        }
    }
    return input;
}

/// Without comments and the empty lines around them: print_config says in one what compares with a variant that the
/// printed file lacks.
inline std::string settings_of(const std::string& text) {
    std::istringstream lines(text);
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && !line.starts_with('#')) { kept += line + "\n"; }
    }
    return kept;
}

/// Gives a run up after so many looks, a few milliseconds apart.
class Patience : public model::RunMonitor {
public:
    bool keep_going(sim::Time) override { return ++looks_ < 3; }

private:
    int looks_ = 0;
};

/// The scenario printed, loaded and printed again is the same. Empty, or what is wrong.
inline std::string fault_of_printing(const model::Scenario& scenario, const model::Catalogue& catalogue,
                                     const model::LoadOptions& options) {
    const std::string printed = model::print_config(scenario, catalogue);
    try {
        const auto again = model::load_scenario_text(printed, "printed.toml", catalogue, options);
        if (again.size() != 1) { return fmt::format("{} variants are printed\n{}", again.size(), printed); }
        if (again[0].config_digest != scenario.config_digest) {
            return fmt::format("variant {} printed is another scenario:\n{}\n--- printed again:\n{}", scenario.variant,
                               printed, model::print_config(again[0], catalogue));
        }
        const std::string second = model::print_config(again[0], catalogue);
        if (settings_of(second) == settings_of(printed)) { return {}; }
        return fmt::format("variant {} printed twice differs:\n{}\n---\n{}", scenario.variant, printed, second);
    } catch (const model::ConfigError& error) {
        return fmt::format("variant {} printed is no scenario: {}\n{}", scenario.variant, error.what(), printed);
    }
}

inline bool is_small(const model::Scenario& scenario) {
    std::size_t threads = 0;
    for (const auto& group : scenario.groups) { threads += group.cpus.size(); }
    return threads <= 16 && scenario.lines.size() <= 16 && scenario.locks.size() <= 16 &&
           model::count_cpus(scenario.machine) <= 512;
}

/// A first microsecond: whatever loads must start.
inline void run_a_little(model::Scenario scenario, const model::Catalogue& catalogue) {
    if (!is_small(scenario)) { return; }
    scenario.duration = std::min(scenario.duration, sim::microseconds(1));
    scenario.warmup = {};
    Patience patience;
    (void)model::run(scenario, catalogue, {.monitor = &patience});
}

/// Empty if the text is a scenario that keeps all promises, or is refused as it should be; else what is wrong.
inline std::string fault_of(std::string_view text, const std::string& configs, const model::Catalogue& catalogue) {
    const Input input = input_of(text);
    const model::LoadOptions plain{.configs_dir = configs, .sets = {}, .seed = {}, .duration = {}, .variant = {}};
    model::LoadOptions options = plain;
    options.sets = input.sets;
    try {
        const auto scenarios = model::load_scenario_text(text, "input.toml", catalogue, options);
        for (const auto& scenario : scenarios) {
            std::string fault = fault_of_printing(scenario, catalogue, plain);
            if (!fault.empty()) { return fault; }
        }
        for (const auto& scenario : scenarios) { run_a_little(scenario, catalogue); }
        for (const auto& expectation : input.expectations) { model::check_expectation(expectation, "base", scenarios); }
    } catch (const model::ConfigError& error) {
        if (error.position().file.empty()) { return fmt::format("a message without a place: {}", error.what()); }
    }
    for (const auto& expectation : input.expectations) {
        try {
            (void)model::parse_comparison(expectation);
        } catch (const model::ConfigError&) {
            // Refused, as it should be.
        }
    }
    return {};
}

}  // namespace fuzz
