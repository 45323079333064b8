#pragma once
// Scenario and machine files: TOML in, plain structs out, every mistake an error with file and line.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/scenario/catalogue.hpp"
#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/scenario.hpp"

namespace model {

struct LoadOptions {
    std::string configs_dir;               ///< folder that holds machines/
    std::vector<std::string> sets;         ///< "PATH=VALUE" as given to --set, in order; they win over the variants
    std::vector<std::string> varied = {};  ///< "PATH=VALUE", one of the values of each --vary; they win over the sets
    std::optional<std::uint64_t> seed = {};
    std::optional<std::string> duration = {};
    std::optional<std::string> variant = {};  ///< only this one; unknown: an error with the names there are
};

/// All variants, "base" first (or the one asked for). Names are resolved against the catalogue, [expect] lines parsed.
std::vector<Scenario> load_scenario(const std::string& path, const Catalogue& catalogue, const LoadOptions& options);

/// The same of a text; `name` stands for the file. The machine files still come from options.configs_dir.
std::vector<Scenario> load_scenario_text(std::string_view text, const std::string& name, const Catalogue& catalogue,
                                         const LoadOptions& options);

/// One machine file by preset name.
MachineConfig load_machine(const std::string& preset, const std::string& configs_dir);

/// The resolved scenario, every default filled in, as a file that runs the same (machine written out in full).
std::string print_config(const Scenario& scenario, const Catalogue& catalogue);

/// How many numbers a machine has that a measurement could give, and how many of them stand in `estimated` (which may
/// also name what is no number, such as the discipline): "3 of 9 numbers estimated".
std::int32_t count_numbers(const MachineConfig& machine);
std::int32_t count_estimated(const MachineConfig& machine);

/// Generated documentation in Markdown: every table and key with unit, default and sentence. Topics: "scenario",
/// "steps", "machine", "expect", "measures", "verdicts", "units". Unknown topic: empty.
std::string help_topic(const std::string& topic);
const std::vector<std::string>& help_topics();

}  // namespace model
