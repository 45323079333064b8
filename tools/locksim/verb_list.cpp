// `locksim list WHAT`: one line per lock, workload, machine, scenario or lesson.

#include <fmt/format.h>

#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/reading/loader.hpp"
#include "tools/locksim/configs.hpp"
#include "tools/locksim/json_text.hpp"
#include "tools/locksim/log.hpp"
#include "tools/locksim/output.hpp"
#include "tools/locksim/text.hpp"
#include "tools/locksim/user_locks.hpp"
#include "tools/locksim/verbs.hpp"

namespace locksim {

namespace {

struct Listed {
    std::string name;
    std::string summary;
    std::string file;
};

std::vector<Listed> locks(const Options& options) {
    std::vector<Listed> rows;
    for (const model::LockEntry* lock : load_catalogue(options.locks).locks) {
        rows.push_back({std::string(lock->traits.name), std::string(lock->summary), std::string(lock->file)});
    }
    return rows;
}

std::vector<Listed> workloads(const Options& options) {
    std::vector<Listed> rows;
    for (const model::WorkloadEntry* workload : load_catalogue(options.locks).workloads) {
        rows.push_back({std::string(workload->name), std::string(workload->summary), std::string(workload->file)});
    }
    return rows;
}

/// A file that does not load is listed as such: the list is where one looks for it.
template <typename Title>
Listed listed(const std::string& name, const std::string& path, Title title) {
    try {
        return {name, title(), path};
    } catch (const model::ConfigError& error) {
        log::warning(error.what());
        return {name, "(does not load)", path};
    }
}

std::vector<Listed> machines(const Options&) {
    const std::string configs = configs_dir();
    std::vector<Listed> rows;
    for (const ConfigFile& file : machine_files(configs)) {
        rows.push_back(listed(file.name, file.path, [&] { return model::load_machine(file.name, configs).title; }));
    }
    return rows;
}

/// By path, so that a line's first word can be given to `run`.
std::vector<Listed> scenarios(const Options& options, bool lessons_only) {
    const std::string configs = configs_dir();
    const model::Catalogue catalogue = load_catalogue(options.locks);
    const model::LoadOptions load{.configs_dir = configs, .sets = {}, .seed = {}, .duration = {}, .variant = "base"};
    std::vector<Listed> rows;
    for (const ConfigFile& file : scenario_files(configs)) {
        bool is_lesson = false;
        Listed row = listed(short_path(file.path), file.path, [&] {
            const model::Scenario scenario = model::load_scenario(file.path, catalogue, load).front();
            is_lesson = scenario.lesson.has_value();
            return scenario.title + (is_lesson && !lessons_only ? " (lesson)" : "");
        });
        if (is_lesson || !lessons_only) { rows.push_back(std::move(row)); }
    }
    return rows;
}

std::vector<Listed> rows_of(const Options& options) {
    if (options.name == "locks") { return locks(options); }
    if (options.name == "workloads") { return workloads(options); }
    if (options.name == "machines") { return machines(options); }
    if (options.name == "scenarios") { return scenarios(options, false); }
    if (options.name == "lessons") { return scenarios(options, true); }
    throw InputError(
        fmt::format("list {}: expected one of locks, workloads, machines, scenarios, lessons", options.name));
}

/// The summary beside the name if there is room for it, else below.
std::string table(const std::vector<Listed>& rows, std::size_t width) {
    std::size_t longest = 0;
    for (const Listed& row : rows) { longest = std::max(longest, display_width(row.name)); }
    const bool beside = longest + 2 <= width / 2;
    const std::size_t indent = beside ? longest + 2 : 4;
    std::string text;
    for (const Listed& row : rows) {
        const std::vector<std::string> summary = wrap(printable(row.summary), width - indent);
        std::string head = pad_right(row.name, summary.empty() || !beside ? 0 : indent);
        if (!beside) {
            text += head + "\n";  // a path to copy is never cut
            head = std::string(indent, ' ');
        }
        if (summary.empty() && beside) { text += head + "\n"; }
        for (const std::string& line : summary) {
            text += head + line + "\n";
            head = std::string(indent, ' ');
        }
    }
    return text;
}

std::string json(const std::vector<Listed>& rows, const std::string& what) {
    std::vector<Record> records;
    for (const Listed& row : rows) {
        records.push_back({{"name", row.name}, {"summary", row.summary}, {"file", row.file}});
    }
    return json_records("locksim.list/1", what, records);
}

}  // namespace

ExitStatus verb_list(const Options& options) {
    const std::vector<Listed> rows = rows_of(options);
    const auto output = open_output(options.output);
    output->write(options.format == Format::json ? json(rows, options.name) : table(rows, output->terminal().width));
    output->finish();
    return ExitStatus::ok;
}

}  // namespace locksim
