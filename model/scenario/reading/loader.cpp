// load_scenario: which values win (overlays), all variants of a file, and the checks over the whole file.
#include "model/scenario/reading/loader.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "model/metrics/run_result.hpp"
#include "model/scenario/judging/expect.hpp"
#include "model/scenario/lesson.hpp"
#include "model/scenario/reading/machine_reader.hpp"
#include "model/scenario/reading/overlay.hpp"
#include "model/scenario/reading/print_config.hpp"
#include "model/scenario/reading/scenario_reader.hpp"
#include "model/scenario/reading/table_reader.hpp"
#include "model/scenario/reading/toml_reader.hpp"

namespace model {
namespace {

using Overrides = std::vector<Override>;

/// What a run is not made of: neither variants nor options change it.
constexpr std::array<std::string_view, 4> fixed_tables{"variants", "expect", "fitted", "lesson"};

const std::vector<std::string> expect_keys{"verdict", "in", "that", "always", "hoped"};

// --- overrides -------------------------------------------------------------------------------------------

void check_overridable(const Override& change) {
    const std::string& first = change.path.front();
    if (std::find(fixed_tables.begin(), fixed_tables.end(), first) == fixed_tables.end()) { return; }
    throw ConfigError(change.position,
                      fmt::format("{}: [{}] cannot be overridden", fmt::join(change.path, "."), first));
}

/// Of one "PATH=VALUE", given to `option`.
Overrides overrides_of_set(const std::string& option, const std::string& text) {
    const SourcePosition where{option + " " + text, 0};
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) { throw ConfigError(where, "expected PATH=VALUE"); }
    if (!is_utf8(text)) { throw ConfigError(where, "is not UTF-8"); }  // print-config could not write it
    const auto path = split_path(text.substr(0, equals));
    const Node value = read_toml_value(text.substr(equals + 1), where);
    if (value.is_table()) { return overrides_in(value, path); }
    return {{path, where, value}};
}

Overrides overrides_of_options(const LoadOptions& options) {
    Overrides changes;
    for (const auto& set : options.sets) {
        for (auto& change : overrides_of_set("--set", set)) { changes.push_back(std::move(change)); }
    }
    if (options.seed) {
        const SourcePosition where{fmt::format("--seed {}", *options.seed), 0};
        const auto seed = std::min<std::uint64_t>(*options.seed, std::numeric_limits<std::int64_t>::max());
        changes.push_back({{"seed"}, where, {static_cast<std::int64_t>(seed), where}});
    }
    if (options.duration) {
        const SourcePosition where{"--duration " + *options.duration, 0};
        changes.push_back({{"duration"}, where, {*options.duration, where}});
    }
    for (const auto& value : options.varied) {
        for (auto& change : overrides_of_set("--vary", value)) { changes.push_back(std::move(change)); }
    }
    return changes;
}

/// `wanted` is missing. Throws ConfigError if a key of the table looks like it.
void check_misspelled(const Node& table, const std::string& wanted, const std::string& path) {
    for (const auto& entry : *table.get_if<Node::Table>()) {
        if (nearest_name(entry.key, {wanted}).empty()) { continue; }
        throw ConfigError(entry.position,
                          fmt::format("{}: unknown key; did you mean \"{}\"?", joined_path(path, entry.key), wanted));
    }
}

/// The machine file that is named last: by the scenario, the variant, an option.
Node chosen_preset(const Node& document, const Overrides& changes) {
    const Node* machine = document.find("machine");
    if (machine != nullptr && !machine->is_table()) {
        reject(*machine, "machine", "a table [machine] with preset = \"NAME\"");
    }
    const Node* preset = machine != nullptr ? machine->find("preset") : nullptr;
    for (const auto& change : changes) {
        if (change.path == std::vector<std::string>{"machine", "preset"}) { preset = &change.value; }
    }
    if (preset == nullptr) {
        check_misspelled(machine != nullptr ? *machine : document, machine != nullptr ? "preset" : "machine",
                         machine != nullptr ? "machine" : "");
        const SourcePosition where = machine != nullptr ? machine->position : SourcePosition{document.position.file, 0};
        throw ConfigError(where, "machine.preset is missing: the name of a machine file");
    }
    if (preset->get_if<std::string>() == nullptr) { reject(*preset, "machine.preset", "the name of a machine file"); }
    return *preset;
}

/// The tree of one variant: machine file <- [machine] <- variant <- options.
struct Resolved {
    Node tree;
    std::string preset;
};
Resolved resolve(const Node& document, const Overrides& changes, const std::string& configs_dir) {
    const Node preset = chosen_preset(document, changes);
    const std::string name = *preset.get_if<std::string>();

    Node tree = document;
    for (const auto table : fixed_tables) { tree.erase(table); }
    Overrides own_machine;
    if (Node* machine = tree.find("machine")) {
        own_machine = overrides_in(*machine, {"machine"});
        tree.erase("machine");
    }
    tree.insert("machine", read_machine_file(name, configs_dir, preset.position));
    for (const auto& change : own_machine) { apply_override(tree, change); }
    for (const auto& change : changes) {
        check_overridable(change);
        apply_override(tree, change);
    }
    tree.find("machine")->erase("preset");
    return {std::move(tree), name};
}

// --- variants, expectations, fitted parameters ---------------------------------------------------------------

struct Variant {
    std::string name;
    Overrides changes;
};

std::vector<Variant> variants_of(const Node& document) {
    std::vector<Variant> variants{{"base", {}}};
    for (const auto& entry : entries_of(document, "", "variants")) {
        const std::string path = joined_path("variants", entry.key);
        check_name(entry, path);
        const bool taken =
            entry.key == "base" || std::find(expect_keys.begin(), expect_keys.end(), entry.key) != expect_keys.end();
        if (taken) {
            throw ConfigError(entry.position,
                              fmt::format("{}: this name has a meaning of its own: choose another", path));
        }
        if (!entry.value.is_table()) { reject(entry.value, path, "a table of overrides"); }
        variants.push_back({entry.key, overrides_in(entry.value, {})});
    }
    return variants;
}

/// [expect] for "base" (whose table also holds those of the other variants), else [expect.VARIANT].
ExpectConfig read_expect(const Node& table, const std::string& path, const std::vector<std::string>& allowed) {
    ExpectConfig expect;
    read_table(table, path, expect, allowed);
    expect.position = table.position;
    auto known = verdict_names();
    known.emplace_back("any");
    if (std::find(known.begin(), known.end(), expect.verdict) == known.end()) {
        reject_name(*table.find("verdict"), path + ".verdict", "verdict", known);
    }
    return expect;
}

/// Where there is an [expect] at all, a variant without a block of its own is expected to be ok.
void add_expectations(const Node& document, std::vector<Scenario>& scenarios) {
    const Node* expect = document.find("expect");
    if (expect == nullptr) { return; }
    std::vector<std::string> other_variants;
    for (const auto& scenario : scenarios) {
        if (scenario.variant != "base") { other_variants.push_back(scenario.variant); }
    }
    std::int32_t phases = 1;
    for (auto& scenario : scenarios) {
        scenario.has_expect = true;
        if (scenario.variant == "base") {
            scenario.expect = read_expect(*expect, "expect", other_variants);
        } else if (const Node* own = expect->find(scenario.variant)) {
            scenario.expect = read_expect(*own, joined_path("expect", scenario.variant), {});
        }
        phases = std::max(phases, scenario.expect.in_of.value_or(1));
    }
    // Comparisons pair equal phases, so all variants need as many as the one that needs most.
    for (auto& scenario : scenarios) { scenario.phases = std::max(scenario.phases, phases); }
}

void check_expectations(const std::vector<Scenario>& scenarios) {
    for (const auto& scenario : scenarios) {
        const ExpectConfig& expect = scenario.expect;
        for (const auto& text : expect.that) { check_expectation(text, scenario.variant, scenarios); }
        for (const auto& text : expect.always) { check_expectation(text, scenario.variant, scenarios); }
        for (const auto& hoped : expect.hoped) {
            check_expectation({hoped.that, hoped.position}, scenario.variant, scenarios);
        }
    }
}

/// A parameter that was fitted must be one: written in the file, or a default that print_config writes.
void add_fitted(const Node& document, const Catalogue& catalogue, std::vector<Scenario>& scenarios) {
    const auto& entries = entries_of(document, "", "fitted");
    if (entries.empty()) { return; }
    const Node printed = read_toml_text(print_config(scenarios.front(), catalogue), "print-config");
    for (const auto& entry : entries) {
        const std::string path = "fitted." + key_text(entry.key);
        FittedConfig fitted{.parameter = entry.key, .range = "", .why = ""};
        read_table(entry.value, path, fitted);
        const auto parameter = split_path(entry.key);
        std::vector<std::string> known;
        if (value_at(document, parameter, known) == nullptr && value_at(printed, parameter, known) == nullptr) {
            throw ConfigError(entry.position, fmt::format("{}: the scenario has no such parameter{}", path,
                                                          suggestion(parameter.back(), known)));
        }
        for (auto& scenario : scenarios) { scenario.fitted.push_back(fitted); }
    }
}

void add_lesson(const Node& document, const Catalogue& catalogue, bool overridden, std::vector<Scenario>& scenarios) {
    const Node* table = document.find("lesson");
    if (table == nullptr) { return; }
    std::vector<Node> printed;
    printed.reserve(scenarios.size());
    for (const auto& scenario : scenarios) {
        printed.push_back(read_toml_text(print_config(scenario, catalogue), "print-config"));
    }
    const LessonConfig lesson = read_lesson(*table, printed, scenarios, overridden);
    for (auto& scenario : scenarios) { scenario.lesson = lesson; }
}

}  // namespace

namespace {

/// Every variant of the file at `path`, or the one asked for.
std::vector<Scenario> load_document(const Node& document, const std::string& path, const Catalogue& catalogue,
                                    const LoadOptions& options) {
    if (document.get_if<Node::Table>()->empty()) {
        throw ConfigError({path, 0}, "is empty: expected a scenario (`locksim help scenario`)");
    }
    const auto variants = variants_of(document);
    const auto names = names_in(variants, &Variant::name);
    if (options.variant && std::find(names.begin(), names.end(), *options.variant) == names.end()) {
        throw ConfigError({"--variant " + *options.variant, 0},
                          fmt::format("{} has no such variant{}", path, suggestion(*options.variant, names)));
    }

    const Overrides from_options = overrides_of_options(options);
    std::vector<Scenario> scenarios;
    for (const auto& variant : variants) {
        Overrides changes = variant.changes;
        changes.insert(changes.end(), from_options.begin(), from_options.end());
        const Resolved resolved = resolve(document, changes, options.configs_dir);
        Scenario& scenario = scenarios.emplace_back(read_scenario(resolved.tree, catalogue));
        scenario.file = path;
        scenario.variant = variant.name;
        scenario.machine.preset = resolved.preset;
    }
    // All variants, even where one is asked for: its comparisons may name the others.
    add_expectations(document, scenarios);
    check_expectations(scenarios);
    add_fitted(document, catalogue, scenarios);
    add_lesson(document, catalogue, !options.sets.empty() || !options.varied.empty(), scenarios);
    for (auto& scenario : scenarios) { scenario.config_digest = config_digest_of(scenario); }
    if (options.variant) {
        std::erase_if(scenarios, [&](const Scenario& each) { return each.variant != *options.variant; });
    }
    return scenarios;
}

}  // namespace

std::vector<Scenario> load_scenario(const std::string& path, const Catalogue& catalogue, const LoadOptions& options) {
    return load_document(read_toml_file(path), path, catalogue, options);
}

std::vector<Scenario> load_scenario_text(std::string_view text, const std::string& name, const Catalogue& catalogue,
                                         const LoadOptions& options) {
    return load_document(read_toml_text(text, name), name, catalogue, options);
}

}  // namespace model
