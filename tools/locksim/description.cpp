#include "tools/locksim/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <type_traits>

#include "build_info.hpp"
#include "model/scenario/reading/enum_names.hpp"
#include "model/scenario/reading/fields.hpp"
#include "model/scenario/reading/loader.hpp"
#include "model/scenario/reading/units.hpp"
#include "tools/locksim/json_text.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

// Values as configurations spell them ---------------------------------------------------------------------------------

std::string spelled(bool value) { return value ? "true" : "false"; }
std::string spelled(std::int64_t value) { return std::to_string(value); }
std::string spelled(const std::string& value) { return value.empty() ? "\"\"" : value; }
std::string spelled(const model::Span& value) { return model::format_span(value); }
std::string spelled(const model::Distribution& value) { return model::format_distribution(value); }

std::vector<DescriptionRow> parameter_rows(const std::vector<model::ParameterSpec>& parameters) {
    std::vector<DescriptionRow> rows;
    for (const model::ParameterSpec& parameter : parameters) {
        const std::string preset = std::visit([](const auto& value) { return spelled(value); }, parameter.preset);
        rows.push_back({parameter.name, preset, parameter.doc});
    }
    return rows;
}

// Source files
// ----------------------------------------------------------------------------------------------------------

/// Empty if it cannot be read.
std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string comment_of(std::string_view file, const std::string& locks_dir) {
    std::string text;
    if (!locks_dir.empty()) { text = header_comment(content(std::filesystem::path(locks_dir) / file)); }
    if (text.empty()) { text = header_comment(content(std::filesystem::path(build_info::source_dir) / file)); }
    return text;
}

// Machines: the field lists know every number
// ---------------------------------------------------------------------------

/// Makes a row of each field that a visitor is shown; marks those that `estimated` names, by path or by bare name.
class FieldRows {
public:
    FieldRows(std::string prefix, const std::vector<std::string>& estimated)
        : prefix_(std::move(prefix)), estimated_(estimated) {}

    template <typename Member>
    void operator()(const model::FieldSpec& field, const Member& member) {
        if constexpr (std::is_same_v<Member, std::vector<std::string>>) {
            return;  // the list of estimated numbers itself
        } else {
            const std::string value = text(member, field.unit);
            if (value.empty() || field.name == "title" || field.name == "description") { return; }
            std::string doc(field.doc);
            if (is_estimated(std::string(field.name))) { doc = "ESTIMATED; " + doc; }
            rows.push_back({std::string(field.name), value, doc});
        }
    }

    std::vector<DescriptionRow> rows;

private:
    bool is_estimated(const std::string& name) const {
        const auto names = [&](const std::string& entry) { return entry == name || entry == prefix_ + name; };
        return std::any_of(estimated_.begin(), estimated_.end(), names);
    }

    static std::string text(const std::string& value, model::Unit) { return value; }
    static std::string text(sim::Time value, model::Unit) { return model::format_time(value); }
    static std::string text(model::Frequency value, model::Unit) { return model::format_frequency(value); }
    static std::string text(const model::Span& value, model::Unit) { return model::format_span(value); }
    template <typename Value>
    static std::string text(const std::optional<Value>& value, model::Unit unit) {
        return value ? text(*value, unit) : "";
    }
    template <typename Value>
    requires std::is_integral_v<Value>
    static std::string text(Value value, model::Unit unit) {
        return unit == model::Unit::cycles ? model::format_cycles(value) : std::to_string(value);
    }
    template <typename Value>
    requires std::is_enum_v<Value>
    static std::string text(Value value, model::Unit) { return std::string(model::name_of(value)); }

    std::string prefix_;
    const std::vector<std::string>& estimated_;
};

template <typename Struct>
DescriptionSection fields_of(const Struct& values, const std::string& path, const model::MachineConfig& machine) {
    FieldRows rows(path.empty() ? "" : path + ".", machine.estimated);
    model::visit_fields(values, rows);
    return {path, std::move(rows.rows)};
}

// Scenarios
// -------------------------------------------------------------------------------------------------------------

std::string threads_of(const model::GroupConfig& group) {
    std::string text = "threads on all other CPUs";
    if (!group.cpus.empty()) { text = "CPUs " + model::format_cpu_list(group.cpus); }
    if (group.cpus.empty() && group.count > 0) { text = fmt::format("{} threads", group.count); }
    return text;
}

std::string body_of(const model::GroupConfig& group) {
    if (!group.workload.empty()) { return "workload " + group.workload; }
    return fmt::format("a program of {} steps", group.program.size());
}

DescriptionSection expectations_of(const model::Scenario& scenario) {
    const model::ExpectConfig& expect = scenario.expect;
    DescriptionSection section{scenario.variant == "base" ? "expect" : "expect." + scenario.variant, {}};
    section.rows.push_back({"verdict", expect.verdict, ""});
    if (expect.in_of) {
        const std::string least = expect.in_none ? "none" : std::to_string(expect.in_holds.value_or(0));
        section.rows.push_back({"in", fmt::format("{}/{}", least, *expect.in_of), ""});
    }
    for (const model::ExpectationText& line : expect.that) { section.rows.push_back({"that", line.text, ""}); }
    for (const model::ExpectationText& line : expect.always) { section.rows.push_back({"always", line.text, ""}); }
    for (const model::HopedExpectation& line : expect.hoped) { section.rows.push_back({"hoped", line.that, line.why}); }
    return section;
}

/// Not the explanation: who describes a lesson may still want to take it.
DescriptionSection lesson_of(const model::Scenario& scenario, const model::LessonConfig& lesson) {
    DescriptionSection section{"lesson", {{"goal", lesson.goal, ""}, {"predict", lesson.predict, ""}}};
    for (const std::string& answer : lesson.answers) { section.rows.push_back({"answer", answer, ""}); }
    section.rows.push_back({"take it", fmt::format("run {} --lesson", scenario.file), ""});
    return section;
}

std::string variants_text(const std::vector<model::Scenario>& variants) {
    std::vector<std::string> names;
    names.reserve(variants.size());
    for (const model::Scenario& scenario : variants) { names.push_back(scenario.variant); }
    return join(names, ", ");
}

// Printing
// --------------------------------------------------------------------------------------------------------------

std::string section_text(const DescriptionSection& section, std::size_t width) {
    std::size_t key_width = 0;
    std::size_t value_width = 0;
    bool has_docs = false;
    for (const DescriptionRow& row : section.rows) {
        key_width = std::max(key_width, display_width(row.key));
        value_width = std::max(value_width, display_width(row.value));
        has_docs = has_docs || !row.doc.empty();
    }
    // Long values push the sentences below them.
    const bool beside = has_docs && key_width + value_width + 6 <= width / 2;
    const std::size_t indent = 2 + key_width + 2;
    const std::size_t doc_indent = beside ? indent + value_width + 2 : indent;
    std::string text = section.title.empty() ? "" : "\n" + section.title + "\n";
    for (const DescriptionRow& row : section.rows) {
        const std::string head = "  " + pad_right(row.key, key_width) + "  ";
        std::vector<std::string> lines = wrap(printable(row.value), width > indent ? width - indent : 1);
        const std::vector<std::string> docs = wrap(printable(row.doc), width > doc_indent ? width - doc_indent : 1);
        if (lines.empty()) { lines.emplace_back(); }
        if (beside && !docs.empty()) { lines.front() = pad_right(lines.front(), value_width) + "  " + docs.front(); }
        for (std::size_t i = 0; i < lines.size(); ++i) {
            text += (i == 0 ? head : std::string(indent, ' ')) + lines[i] + "\n";
        }
        for (std::size_t i = beside ? 1 : 0; i < docs.size(); ++i) {
            text += std::string(doc_indent, ' ') + docs[i] + "\n";
        }
    }
    return text;
}

}  // namespace

std::string header_comment(const std::string& source) {
    std::istringstream lines(source);
    std::string comment;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("//")) {
            comment += line.substr(line.starts_with("// ") ? 3 : 2) + "\n";
        } else if (!comment.empty()) {
            break;
        }
    }
    return comment;
}

Description describe_lock(const model::LockEntry& lock, const std::string& locks_dir) {
    const model::LockTraits& traits = lock.traits;
    const auto [fairness, fairness_doc] = [&]() -> std::pair<std::string, std::string> {
        switch (traits.fairness) {
            case model::Fairness::none: return {"none", "anyone may take a free lock"};
            case model::Fairness::fifo: return {"fifo", "by order of arrival"};
            case model::Fairness::bounded: return {"bounded", "those of the holder's node first, but only so often"};
        }
        return {};
    }();
    const bool own_node = traits.spins_on == model::SpinsOn::own_node;
    DescriptionSection facts{"", {}};
    facts.rows = {{"file", std::string(lock.file), ""},
                  {"fairness", fairness, fairness_doc},
                  {"spins_on", own_node ? "own_node" : "lock_word",
                   own_node ? "each waiter on a line of its own" : "all on the lock"},
                  {"lock_bytes", std::to_string(traits.lock_bytes), "size of the lock"},
                  {"context_bytes", std::to_string(traits.context_bytes),
                   traits.context_per_cpu ? "per CPU" : "per thread and acquisition"},
                  {"try_lock", lock.has_try_lock ? "yes" : "no", "whether a program may use try_acquire"}};
    Description description{"lock", std::string(traits.name), std::string(lock.summary), {facts}, ""};
    if (!lock.parameters.empty()) { description.sections.push_back({"parameters", parameter_rows(lock.parameters)}); }
    description.text = comment_of(lock.file, locks_dir);
    return description;
}

Description describe_workload(const model::WorkloadEntry& workload) {
    Description description{"workload", std::string(workload.name), std::string(workload.summary), {}, ""};
    description.sections.push_back({"", {{"file", std::string(workload.file), ""}}});
    if (!workload.parameters.empty()) {
        description.sections.push_back({"parameters", parameter_rows(workload.parameters)});
    }
    description.text = comment_of(workload.file, "");
    return description;
}

Description describe_machine(const model::MachineConfig& machine) {
    Description description{"machine", machine.preset, machine.title, {}, machine.description};
    description.sections.push_back(fields_of(machine, "", machine));
    for (const auto& [name, cluster] : machine.clusters) {
        description.sections.push_back(fields_of(cluster, "clusters." + name, machine));
    }
    for (const auto& [name, distance] : machine.distances) {
        description.sections.push_back(fields_of(distance, "distances." + name, machine));
    }
    for (const auto& [cpu, override] : machine.cpus) {
        description.sections.push_back(fields_of(override, fmt::format("cpus.{}", cpu), machine));
    }
    const std::string share = fmt::format("{} of {}", model::count_estimated(machine), model::count_numbers(machine));
    description.sections.push_back(
        {"estimated", {{"count", share, ""}, {"numbers", join(machine.estimated, ", "), ""}}});
    return description;
}

Description describe_scenario(const std::vector<model::Scenario>& variants) {
    const model::Scenario& base = variants.front();
    DescriptionSection facts{"", {}};
    facts.rows = {{"file", base.file, ""},
                  {"machine", base.machine.preset, ""},
                  {"duration", model::format_time(base.duration), ""},
                  {"seed", std::to_string(base.seed), ""},
                  {"phases", std::to_string(base.phases), ""},
                  {"variants", variants_text(variants), ""}};
    Description description{"scenario", base.file, base.title, {facts}, base.description};
    DescriptionSection locks{"locks", {}};
    for (const model::LockConfig& lock : base.locks) { locks.rows.push_back({lock.name, lock.type, ""}); }
    DescriptionSection groups{"groups", {}};
    for (const model::GroupConfig& group : base.groups) {
        groups.rows.push_back({group.name, fmt::format("{}: {}", threads_of(group), body_of(group)), ""});
    }
    DescriptionSection fitted{"fitted", {}};
    for (const model::FittedConfig& fit : base.fitted) { fitted.rows.push_back({fit.parameter, fit.range, fit.why}); }
    for (DescriptionSection* section : {&locks, &groups, &fitted}) {
        if (!section->rows.empty()) { description.sections.push_back(std::move(*section)); }
    }
    if (base.lesson) { description.sections.push_back(lesson_of(base, *base.lesson)); }
    if (!base.has_expect) { return description; }
    for (const model::Scenario& scenario : variants) { description.sections.push_back(expectations_of(scenario)); }
    return description;
}

std::string description_table(const Description& description, std::size_t width) {
    std::string text;
    const std::string head = fmt::format("{} {}: {}", description.kind, description.name, description.summary);
    for (const std::string& line : wrap(printable(head), width)) { text += line + "\n"; }
    for (const DescriptionSection& section : description.sections) { text += section_text(section, width); }
    if (description.text.empty()) { return text; }
    return text + "\n" + rewrapped(description.text, width);
}

std::string description_json(const std::vector<Description>& descriptions) {
    std::vector<Record> records;
    for (const Description& description : descriptions) {
        Record record{{"kind", description.kind}, {"name", description.name}, {"summary", description.summary}};
        for (const DescriptionSection& section : description.sections) {
            const std::string prefix = section.title.empty() ? "" : section.title + ".";
            for (const DescriptionRow& row : section.rows) { record.emplace_back(prefix + row.key, row.value); }
        }
        record.emplace_back("text", description.text);
        records.push_back(std::move(record));
    }
    return json_records("locksim.describe/1", "described", records);
}

}  // namespace locksim
