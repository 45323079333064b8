#include "tools/locksim/validating/trust.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <set>

#include "locks/catalogue.hpp"
#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/reading/loader.hpp"
#include "model/scenario/reading/table_reader.hpp"
#include "model/scenario/reading/toml_reader.hpp"
#include "tools/locksim/configs.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

using model::Node;

constexpr const char* table_name = "validated";

/// A number, whole or not, at `key`.
double number_at(const Node& table, const std::string& key) {
    const Node* node = table.find(key);
    if (node == nullptr) { throw model::ConfigError(table.position, fmt::format("{}.{} is missing", table_name, key)); }
    if (const auto* whole = node->get_if<std::int64_t>()) { return static_cast<double>(*whole); }
    if (const auto* fraction = node->get_if<double>()) { return *fraction; }
    model::reject(*node, fmt::format("{}.{}", table_name, key), "a number");
}

std::string text_at(const Node& table, const std::string& key) {
    const Node* node = table.find(key);
    const auto* text = node != nullptr ? node->get_if<std::string>() : nullptr;
    return text != nullptr ? *text : "";
}

std::string quoted_list(const std::vector<std::string>& names) {
    std::vector<std::string> quoted;
    for (const std::string& name : names) { quoted.push_back(model::toml_string(name)); }
    return join(quoted, ", ");
}

std::string table_text(const ValidationRecord& record) {
    return fmt::format(
        "[{}]  # written by `locksim validate --write`\n"
        "set = {}\n"
        "median_error = {:.3f}  # median of |ln(simulated / published)|\n"
        "worst = {:.2f}  # off by so many times\n"
        "holds = {}  # whether the set met its limits\n"
        "least_threads = {}\nmost_threads = {}\nleast_critical_ns = {}\nmost_critical_ns = {}\n"
        "locks = [{}]\nversion = {}\ndate = {}\n",
        table_name, model::toml_string(record.set), record.median_error, record.worst, record.holds,
        record.least_threads, record.most_threads, record.least_critical_ns, record.most_critical_ns,
        quoted_list(record.locks), model::toml_string(record.version), model::toml_string(record.date));
}

std::int32_t threads_of(const model::Scenario& scenario) {
    std::size_t threads = 0;
    for (const model::GroupConfig& group : scenario.groups) {
        if (group.interrupt == model::InterruptKind::none) { threads += group.cpus.size(); }
    }
    return static_cast<std::int32_t>(threads);
}

/// The scenario runs on the machine as its file has it.
bool has_file_numbers(const model::Scenario& scenario, const std::string& configs) {
    model::Scenario here, on_file;  // of both the machine alone
    here.machine = scenario.machine;
    on_file.machine = model::load_machine(scenario.machine.preset, configs);
    return model::print_config(on_file, locks::catalogue()) == model::print_config(here, locks::catalogue());
}

std::vector<std::string> extrapolations(const model::Scenario& scenario, const ValidationRecord& record) {
    std::vector<std::string> found;
    const std::int32_t threads = threads_of(scenario);
    if (threads > record.most_threads) {
        found.push_back(fmt::format("{} threads > {}", threads, record.most_threads));
    } else if (threads > 0 && threads < record.least_threads) {
        found.push_back(fmt::format("{} threads < {}", threads, record.least_threads));
    }
    std::set<std::string> unknown;
    for (const model::LockConfig& lock : scenario.locks) {
        if (std::find(record.locks.begin(), record.locks.end(), lock.type) == record.locks.end()) {
            unknown.insert(lock.type);
        }
    }
    if (!unknown.empty()) { found.push_back(fmt::format("lock {}", join({unknown.begin(), unknown.end()}, ", "))); }
    return found;
}

}  // namespace

std::optional<ValidationRecord> read_record(const std::string& machine_file) {
    const Node root = model::read_toml_file(machine_file);
    const Node* table = root.find(table_name);
    if (table == nullptr) { return std::nullopt; }
    ValidationRecord record;
    record.set = text_at(*table, "set");
    record.median_error = number_at(*table, "median_error");
    record.worst = number_at(*table, "worst");
    const Node* holds = table->find("holds");
    record.holds = holds != nullptr && holds->get_if<bool>() != nullptr && *holds->get_if<bool>();
    record.least_threads = static_cast<std::int32_t>(number_at(*table, "least_threads"));
    record.most_threads = static_cast<std::int32_t>(number_at(*table, "most_threads"));
    record.least_critical_ns = number_at(*table, "least_critical_ns");
    record.most_critical_ns = number_at(*table, "most_critical_ns");
    if (const Node* locks = table->find("locks")) {
        model::read_value(*locks, "validated.locks", {.name = "locks"}, record.locks);
    }
    record.version = text_at(*table, "version");
    record.date = text_at(*table, "date");
    return record;
}

ValidationRecord record_of(const Validation& found, const std::string& version, const std::string& date) {
    ValidationRecord record;
    record.set = found.name;
    record.holds = found.holds().value_or(false);
    record.version = version;
    record.date = date;
    record.median_error = found.median_abs_log_ratio.value_or(0);
    record.worst = found.worst.value_or(1);
    bool first = true;
    for (const Point& point : found.points) {
        if (!point.counts() || !point.simulated) { continue; }
        record.least_threads = first ? point.threads : std::min(record.least_threads, point.threads);
        record.most_threads = std::max(record.most_threads, point.threads);
        record.least_critical_ns = first ? point.at.critical : std::min(record.least_critical_ns, point.at.critical);
        record.most_critical_ns = std::max(record.most_critical_ns, point.at.critical);
        first = false;
        for (const std::string& type : point.lock_types) {
            if (std::find(record.locks.begin(), record.locks.end(), type) == record.locks.end()) {
                record.locks.push_back(type);
            }
        }
    }
    return record;
}

std::string with_record(const std::string& text, const ValidationRecord& record) {
    const std::string head = fmt::format("[{}]", table_name);
    std::size_t begin = text.starts_with(head) ? 0 : text.find("\n" + head);
    if (begin == std::string::npos) {
        const bool ended = text.empty() || text.back() == '\n';
        return text + (ended ? "\n" : "\n\n") + table_text(record);
    }
    if (begin != 0) { ++begin; }
    const std::size_t next = text.find("\n[", begin);
    const std::string after = next == std::string::npos ? "" : text.substr(next);
    return text.substr(0, begin) + table_text(record) + after;
}

Trust trust_of(const model::Scenario& scenario) {
    Trust trust;
    try {
        const std::string configs = configs_dir();
        trust.record = read_record(configs + "/machines/" + scenario.machine.preset + ".toml");
        if (!trust.record) { return trust; }
        trust.numbers_changed = !has_file_numbers(scenario, configs);
        trust.extrapolates = extrapolations(scenario, *trust.record);
    } catch (const std::exception&) { return {}; }
    return trust;
}

std::string trust_text(const Trust& trust) {
    if (!trust.record) { return "not validated"; }
    if (trust.numbers_changed) { return fmt::format("not validated: numbers changed since {}", trust.record->set); }
    const std::string text = fmt::format("off {:.0f} % ({}{})", trust.record->median_error * 100, trust.record->set,
                                         trust.record->holds ? "" : ", falls short");
    return trust.extrapolates.empty() ? text : text + "; extrapolates: " + join(trust.extrapolates, ", ");
}

}  // namespace locksim
