#include "model/scenario/reading/scenario_reader.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/reading/machine_reader.hpp"
#include "model/scenario/reading/table_reader.hpp"
#include "model/scenario/reading/units.hpp"
#include "model/scenario/running/program.hpp"

namespace model {
namespace {

/// The key [NAME.TYPE] belongs to a row of the catalogue, chosen or not.
ParameterValues read_parameters(const Node& owner, const std::string& path, std::string_view type,
                                const std::vector<ParameterSpec>& specs) {
    ParameterValues values;
    for (const auto& spec : specs) { values[spec.name] = spec.preset; }
    const Node* table = owner.find(type);
    if (table == nullptr) { return values; }

    const std::string table_path = joined_path(path, type);
    if (!table->is_table()) { reject(*table, table_path, "a table of parameters"); }
    for (const auto& entry : *table->get_if<Node::Table>()) {
        const auto spec =
            std::find_if(specs.begin(), specs.end(), [&](const ParameterSpec& each) { return each.name == entry.key; });
        if (spec == specs.end()) {
            const auto known = names_in(specs, &ParameterSpec::name);
            throw ConfigError(entry.position, fmt::format("{}.{}: unknown parameter{}", table_path, entry.key,
                                                          suggestion(entry.key, known)));
        }
        values[entry.key] = read_parameter(entry.value, joined_path(table_path, entry.key), *spec);
    }
    return values;
}

class ScenarioReader {
public:
    ScenarioReader(const Node& root, const Catalogue& catalogue) : root_(root), catalogue_(catalogue) {}

    Scenario read() {
        read_table(root_, "", scenario_,
                   {"machine", "noise", "locks", "lines", "flags", "groups", "events", "variants", "expect", "fitted",
                    "lesson"});
        if (scenario_.warmup >= scenario_.duration) {
            reject(*root_.find("warmup"), "warmup",
                   fmt::format("less than duration, {}", format_time(scenario_.duration)));
        }
        scenario_.machine = read_machine(*root_.find("machine"), "machine");
        if (const Node* noise = root_.find("noise")) { read_table(*noise, "noise", scenario_.noise); }
        locks();
        lines();
        flags();
        groups();
        place_threads();
        place_handlers();
        for (const GroupConfig& group : scenario_.groups) {
            if (group.workload.empty()) { check_program(group, scenario_, catalogue_); }
        }
        events();
        return std::move(scenario_);
    }

private:
    void locks() {
        const auto types = names_in(catalogue_.locks, [](const LockEntry* row) { return row->traits.name; });
        for (const auto& entry : entries_of(root_, "", "locks")) {
            const std::string path = joined_path("locks", entry.key);
            check_name(entry, path);
            LockConfig& lock = scenario_.locks.emplace_back();
            lock.name = entry.key;
            lock.position = entry.value.position;
            read_table(entry.value, path, lock, types);
            if (catalogue_.find_lock(lock.type) == nullptr) {
                reject_name(*entry.value.find("type"), path + ".type", "type of lock", types);
            }
            for (const auto* row : catalogue_.locks) {
                auto values = read_parameters(entry.value, path, row->traits.name, row->parameters);
                if (row->traits.name == lock.type) { lock.parameters = std::move(values); }
            }
        }
    }

    void lines() {
        for (const auto& entry : entries_of(root_, "", "lines")) {
            const std::string path = joined_path("lines", entry.key);
            check_name(entry, path);
            LineConfig& line = scenario_.lines.emplace_back();
            line.name = entry.key;
            read_table(entry.value, path, line);
            if (line.home >= 0) {
                check_cpu(scenario_.machine, line.home, path + ".home", entry.value.find("home")->position);
            }
        }
    }

    void flags() {
        for (const auto& entry : entries_of(root_, "", "flags")) {
            check_name(entry, joined_path("flags", entry.key));
            FlagConfig& flag = scenario_.flags.emplace_back();
            flag.name = entry.key;
            read_value(entry.value, joined_path("flags", entry.key),
                       {.name = entry.key, .min = std::numeric_limits<std::int64_t>::min()}, flag.initial);
        }
    }

    void groups() {
        const auto workloads = names_in(catalogue_.workloads, &WorkloadEntry::name);
        for (const auto& entry : entries_of(root_, "", "groups")) {
            const std::string path = joined_path("groups", entry.key);
            check_name(entry, path);
            GroupConfig& group = scenario_.groups.emplace_back();
            group.name = entry.key;
            group.position = entry.value.position;
            read_table(entry.value, path, group, workloads);
            if (group.workload.empty() == group.program.empty()) {
                throw ConfigError(group.position,
                                  fmt::format("{}: a group needs either a program or a workload", path));
            }
            if (!group.workload.empty()) { workload(entry.value, path, group, workloads); }
            check_unused_parameters(entry.value, path);
        }
        if (scenario_.groups.empty()) {
            throw ConfigError({root_.position.file, 0}, "a scenario needs at least one [groups.NAME]");
        }
    }

    void workload(const Node& table, const std::string& path, GroupConfig& group,
                  const std::vector<std::string>& known) {
        const WorkloadEntry* row = catalogue_.find_workload(group.workload);
        if (row == nullptr) { reject_name(*table.find("workload"), path + ".workload", "workload", known); }
        group.parameters = read_parameters(table, path, row->name, row->parameters);
        const Node* written = table.find(row->name);
        for (const auto& [name, value] : group.parameters) {
            const Node* node = written != nullptr ? written->find(name) : nullptr;
            const auto* text = std::get_if<std::string>(&value);
            const SourcePosition& where = node != nullptr ? node->position : group.position;
            if (text != nullptr) {
                check_reference(name, *text, fmt::format("{}.{}.{}", path, row->name, name), where);
            }
        }
    }

    /// Tables of workloads that the group does not use are kept for its variants: they must be right all the same.
    void check_unused_parameters(const Node& table, const std::string& path) const {
        for (const auto* row : catalogue_.workloads) { read_parameters(table, path, row->name, row->parameters); }
    }

    /// A parameter called lock, line or flag names one.
    void check_reference(const std::string& parameter, const std::string& name, const std::string& path,
                         const SourcePosition& where) const {
        if (parameter == "lock") { check_declared("lock", scenario_.locks, name, path, where); }
        if (parameter == "line") { check_declared("line", scenario_.lines, name, path, where); }
        if (parameter == "flag") { check_declared("flag", scenario_.flags, name, path, where); }
    }

    template <class Config>
    static void check_declared(std::string_view what, const std::vector<Config>& all, const std::string& name,
                               const std::string& path, const SourcePosition& where) {
        const auto known = names_in(all, &Config::name);
        if (std::find(known.begin(), known.end(), name) != known.end()) { return; }
        throw ConfigError(where, fmt::format("{} = {}: no such {} is declared{}", path, toml_string(name), what,
                                             suggestion(name, known)));
    }

    /// One thread a CPU: those that groups name, then the lowest free ones for groups that only count.
    void place_threads() {
        for (auto& group : scenario_.groups) {
            if (group.interrupt != InterruptKind::none) { continue; }
            if (!group.cpus.empty() && group.count != 0) {
                throw ConfigError(group.position,
                                  fmt::format("groups.{}: cpus and count exclude each other", group.name));
            }
            for (const auto cpu : group.cpus) { take_named_cpu(group, cpu); }
        }
        for (auto& group : scenario_.groups) {
            if (group.interrupt == InterruptKind::none && group.cpus.empty() && group.count != 0) {
                take_free_cpus(group, group.count);
            }
        }
        for (auto& group : scenario_.groups) {
            if (group.interrupt == InterruptKind::none && group.cpus.empty()) {
                take_free_cpus(group, std::max(1, free_cpus()));
            }
        }
    }

    /// Handlers share their CPU with a thread; on no CPU named, they are on every one.
    void place_handlers() {
        std::map<std::int32_t, std::string> ticked;
        for (auto& group : scenario_.groups) {
            if (group.interrupt == InterruptKind::none) { continue; }
            const std::string path = joined_path("groups", group.name);
            if (group.count != 0 || group.iterations != 0) {
                const char* key = group.count != 0 ? "count" : "iterations";
                throw ConfigError(
                    group_node(group, key).position,
                    fmt::format("{}.{}: a handler runs when its interrupt comes: expected no {}", path, key, key));
            }
            for (const auto cpu : group.cpus) {
                check_cpu(scenario_.machine, cpu, path + ".cpus", group_node(group, "cpus").position);
            }
            for (std::int32_t cpu = 0; group.cpus.empty() && cpu < count_cpus(scenario_.machine); ++cpu) {
                group.cpus.push_back(cpu);
            }
            if (group.interrupt == InterruptKind::tick) { check_ticks(group, path, ticked); }
        }
    }

    void check_ticks(const GroupConfig& group, const std::string& path,
                     std::map<std::int32_t, std::string>& ticked) const {
        const SourcePosition& where = group_node(group, "interrupt").position;
        if (scenario_.machine.tick.period.ps == 0) {
            throw ConfigError(where, fmt::format("{}: the machine has no ticks: set machine.tick.period", path));
        }
        for (const auto cpu : group.cpus) {
            const auto [other, is_free] = ticked.emplace(cpu, group.name);
            if (!is_free) {
                throw ConfigError(where, fmt::format("{}: the ticks of CPU {} are handled by group {} already", path,
                                                     cpu, other->second));
            }
        }
    }

    std::int32_t free_cpus() const { return count_cpus(scenario_.machine) - static_cast<std::int32_t>(taken_.size()); }

    const Node& group_node(const GroupConfig& group, std::string_view key) const {
        const Node& table = *root_.find("groups")->find(group.name);
        const Node* value = table.find(key);
        return value != nullptr ? *value : table;
    }

    void take_named_cpu(const GroupConfig& group, std::int32_t cpu) {
        const std::string path = fmt::format("groups.{}.cpus", group.name);
        const SourcePosition& where = group_node(group, "cpus").position;
        check_cpu(scenario_.machine, cpu, path, where);
        const auto [taken, is_free] = taken_.emplace(cpu, group.name);
        if (!is_free) {
            throw ConfigError(where, fmt::format("{}: CPU {} is already named by group {}: expected one thread a CPU",
                                                 path, cpu, taken->second));
        }
    }

    void take_free_cpus(GroupConfig& group, std::int32_t count) {
        if (count > free_cpus()) {
            throw ConfigError(group_node(group, "count").position,
                              fmt::format("groups.{}: {} more threads wanted, but only {} of {} CPUs are left",
                                          group.name, count, free_cpus(), count_cpus(scenario_.machine)));
        }
        for (std::int32_t cpu = 0; static_cast<std::int32_t>(group.cpus.size()) < count; ++cpu) {
            if (taken_.emplace(cpu, group.name).second) { group.cpus.push_back(cpu); }
        }
        group.count = 0;  // cpus says it now
    }

    void events() {
        const Node* list = root_.find("events");
        if (list == nullptr) { return; }
        const auto* events = list->get_if<Node::Array>();
        if (events == nullptr) { reject(*list, "events", "tables [[events]]"); }
        for (const auto& node : *events) {
            EventConfig& event = scenario_.events.emplace_back();
            event.position = node.position;
            read_table(node, "events", event);
            check_event(event, node);
        }
    }

    void check_event(const EventConfig& event, const Node& node) const {
        const auto fail = [&](const std::string& message) { throw ConfigError(node.position, "events: " + message); };
        if (event.at.has_value() == event.on.has_value()) { fail("expected either `at` or `on`"); }
        const int effects = int{event.frequency.has_value()} + int{event.stall.has_value()} + int{event.kill};
        if (effects != 1) { fail("expected one of `frequency`, `stall` and `kill`"); }
        if (event.on) { check_label(event, node); }
        if (event.at && event.nth != 1) { fail("`nth` goes with `on`"); }
        if (event.thread) { check_thread(event, node); }
        if (event.at && !event.kill && !event.cpu) { fail("expected `cpu`"); }
        if (event.at && event.kill && !event.thread) { fail("expected `thread`"); }
        if (event.at && !event.kill && event.thread) { fail("`thread` goes with `on` or with `kill`"); }
        if (event.kill && event.cpu) { fail("`kill` has a `thread`, no `cpu`"); }
        if (event.cpu) { check_cpu(scenario_.machine, *event.cpu, "events.cpu", node.find("cpu")->position); }
    }

    void check_label(const EventConfig& event, const Node& node) const {
        std::vector<std::string> known;
        for (const GroupConfig& group : scenario_.groups) { collect_labels(group.program, known); }
        if (std::find(known.begin(), known.end(), *event.on) == known.end()) {
            reject_name(*node.find("on"), "events.on", "label of a step", known);
        }
    }
    static void collect_labels(const std::vector<Step>& steps, std::vector<std::string>& labels) {
        for (const Step& step : steps) {
            const bool known = std::find(labels.begin(), labels.end(), step.label) != labels.end();
            if (!step.label.empty() && !known) { labels.push_back(step.label); }
            collect_labels(step.body, labels);
        }
    }

    void check_thread(const EventConfig& event, const Node& node) const {
        std::vector<std::string> known;
        for (const GroupConfig& group : scenario_.groups) {
            if (group.interrupt != InterruptKind::none) { continue; }  // a handler is no thread
            for (std::size_t i = 0; i < group.cpus.size(); ++i) { known.push_back(thread_name(group, i)); }
        }
        if (std::find(known.begin(), known.end(), *event.thread) == known.end()) {
            reject_name(*node.find("thread"), "events.thread", "thread", known);
        }
    }

    const Node& root_;
    const Catalogue& catalogue_;
    Scenario scenario_;
    std::map<std::int32_t, std::string> taken_;  ///< CPU: group
};

}  // namespace

Scenario read_scenario(const Node& root, const Catalogue& catalogue) { return ScenarioReader(root, catalogue).read(); }

}  // namespace model
