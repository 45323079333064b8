#include "model/scenario/reading/print_config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/scenario/judging/comparison.hpp"
#include "model/scenario/lesson.hpp"
#include "model/scenario/reading/loader.hpp"
#include "model/scenario/reading/value_printer.hpp"

namespace model {
namespace {

/// A visitor of field lists that writes "key = value" lines.
class TablePrinter {
public:
    explicit TablePrinter(std::vector<std::string> omitted = {}) : omitted_(std::move(omitted)) {}

    template <class Member>
    void operator()(const FieldSpec& spec, const Member& member) {
        if (std::find(omitted_.begin(), omitted_.end(), spec.name) != omitted_.end()) { return; }
        const std::string value = value_text(spec, member);
        if (!value.empty()) { text_ += fmt::format("{} = {}\n", key_text(spec.name), value); }
    }

    const std::string& text() const { return text_; }

private:
    std::vector<std::string> omitted_;
    std::string text_;
};

template <class Struct>
std::string fields_text(const Struct& fields, std::vector<std::string> omitted = {}) {
    TablePrinter printer(std::move(omitted));
    visit_fields(fields, printer);
    return printer.text();
}

template <class Struct>
std::string table_text(const std::string& header, const Struct& fields, std::vector<std::string> omitted = {}) {
    return fmt::format("\n[{}]\n{}", header, fields_text(fields, std::move(omitted)));
}

std::string parameters_text(const std::string& header, const ParameterValues& values) {
    if (values.empty()) { return {}; }
    std::string text = fmt::format("\n[{}]\n", header);
    for (const auto& [name, value] : values) { text += fmt::format("{} = {}\n", key_text(name), value_text(value)); }
    return text;
}

std::string machine_text(const MachineConfig& machine) {
    std::string text = fmt::format("\n[machine]\npreset = {}\n{}", toml_string(machine.preset), fields_text(machine));
    for (const auto& [name, cluster] : machine.clusters) {
        text += table_text("machine.clusters." + key_text(name), cluster);
    }
    for (const auto& [name, distance] : machine.distances) {
        text += table_text("machine.distances." + key_text(name), distance);
    }
    text += table_text("machine.tick", machine.tick) + table_text("machine.ipi", machine.ipi);
    for (const auto& [cpu, settings] : machine.cpus) {
        text += table_text(fmt::format("machine.cpus.{}", cpu), settings);
    }
    return text;
}

std::string group_text(const GroupConfig& group) {
    const std::string header = "groups." + key_text(group.name);
    // The loader has resolved count to cpus, and a group has one kind of body.
    const std::string other_body = group.workload.empty() ? "workload" : "program";
    return table_text(header, group, {"count", other_body}) +
           parameters_text(header + "." + key_text(group.workload), group.parameters);
}

/// Everything that has an influence on a run.
std::string settings_text(const Scenario& scenario) {
    std::string text = fields_text(scenario) + machine_text(scenario.machine) + table_text("noise", scenario.noise);
    for (const auto& lock : scenario.locks) {
        const std::string header = "locks." + key_text(lock.name);
        text += table_text(header, lock) + parameters_text(header + "." + key_text(lock.type), lock.parameters);
    }
    for (const auto& line : scenario.lines) { text += table_text("lines." + key_text(line.name), line); }
    if (!scenario.flags.empty()) { text += "\n[flags]\n"; }
    for (const auto& flag : scenario.flags) { text += fmt::format("{} = {}\n", key_text(flag.name), flag.initial); }
    for (const auto& group : scenario.groups) { text += group_text(group); }
    for (const auto& event : scenario.events) { text += "\n[[events]]\n" + fields_text(event); }
    return text;
}

/// The printed file has one variant, "base": a comparison with another one cannot be judged there.
bool names_other_variant(const ExpectationText& text, const std::string& own) {
    const auto calls = measures_in(parse_comparison(text));
    return std::any_of(calls.begin(), calls.end(), [&](const MeasureCall& call) {
        return !call.variant.empty() && !(call.variant == "base" && own == "base");
    });
}

std::string expect_text(const Scenario& scenario) {
    if (!scenario.has_expect) { return {}; }
    ExpectConfig expect = scenario.expect;
    std::string left_out;
    const auto is_left_out = [&](const ExpectationText& text) {
        if (!names_other_variant(text, scenario.variant)) { return false; }
        left_out += fmt::format("# compares with another variant: {}\n", toml_string(text.text));
        return true;
    };
    std::erase_if(expect.that, is_left_out);
    std::erase_if(expect.always, is_left_out);
    std::erase_if(expect.hoped, [&](const HopedExpectation& hoped) {
        return is_left_out({hoped.that, hoped.position});
    });
    return "\n[expect]\n" + left_out + fields_text(expect);
}

std::string fitted_text(const Scenario& scenario) {
    std::string text;
    for (const auto& fitted : scenario.fitted) { text += table_text("fitted." + key_text(fitted.parameter), fitted); }
    return text;
}

std::string lesson_table_text(const Scenario& scenario) {
    if (!scenario.lesson) { return {}; }
    const LessonConfig own = lesson_of_one_variant(*scenario.lesson, scenario.variant);
    std::string text = table_text("lesson", own);
    if (own.explain == scenario.lesson->explain) { return text; }
    return "\n# figures of other variants are named, not filled in" + text;
}

/// FNV-1a, 64 bits.
std::uint64_t hash_of(const std::string& text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) { hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3; }
    return hash;
}

}  // namespace

std::string print_config(const Scenario& scenario, const Catalogue&) {
    return settings_text(scenario) + expect_text(scenario) + fitted_text(scenario) + lesson_table_text(scenario);
}

std::string config_digest_of(const Scenario& scenario) {
    return fmt::format("{:016x}", hash_of(settings_text(scenario)));
}

}  // namespace model
