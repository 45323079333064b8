#include "tools/locksim/validating/published_set.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <span>

#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/reading/table_reader.hpp"
#include "model/scenario/reading/toml_reader.hpp"

namespace locksim {

namespace {

using model::EnumName;
using model::Node;

constexpr std::array<EnumName<Figure>, 2> figure_names{{
    {Figure::ns_per_operation, "ns_per_operation", "time until the last thread ends, over all operations"},
    {Figure::mops_per_s, "mops_per_s", "millions of operations a second, after warm-up"},
}};
constexpr std::array<EnumName<SetKind>, 2> kind_names{{
    {SetKind::curves, "curves", "figures against the number of threads"},
    {SetKind::expectations, "expectations", "scenario files and what they expect"},
}};

}  // namespace

std::span<const EnumName<Figure>> names_of(Figure) { return figure_names; }
std::span<const EnumName<SetKind>> names_of(SetKind) { return kind_names; }

// The fields, as the reader visits them.

template <class Visitor>
void visit_fields(PublishedLock& lock, Visitor& visit) {
    visit({.name = "published"}, lock.published);
    visit({.name = "set"}, lock.set);
    visit({.name = "scenario"}, lock.scenario);
    visit({.name = "variant"}, lock.variant);
    visit({.name = "fit"}, lock.fit);
    visit({.name = "only"}, lock.only);
    visit({.name = "dropped"}, lock.dropped);
    visit({.name = "why"}, lock.why);
}

template <class Visitor>
void visit_fields(PublishedWorkload& workload, Visitor& visit) {
    visit({.name = "select"}, workload.select);
    visit({.name = "variant"}, workload.variant);
    visit({.name = "set"}, workload.set);
    visit({.name = "critical"}, workload.critical);
    visit({.name = "outside"}, workload.outside);
}

template <class Visitor>
void visit_fields(PublishedFigure& figure, Visitor& visit) {
    visit({.name = "what", .required = true}, figure.what);
    visit({.name = "file", .required = true}, figure.file);
    visit({.name = "variant"}, figure.variant);
    visit({.name = "measure", .required = true}, figure.measure);
    visit({.name = "published", .required = true}, figure.published);
}

template <class Visitor>
void visit_fields(PublishedSet& set, Visitor& visit) {
    visit({.name = "title", .required = true}, set.title);
    visit({.name = "source", .required = true}, set.source);
    visit({.name = "kind"}, set.kind);
    visit({.name = "machine", .required = true}, set.machine);
    visit({.name = "scenario"}, set.scenario);
    visit({.name = "scenarios"}, set.scenarios);
    visit({.name = "table"}, set.table);
    visit({.name = "select"}, set.select);
    visit({.name = "curve"}, set.curve);
    visit({.name = "value"}, set.value);
    visit({.name = "figure"}, set.figure);
    visit({.name = "operations"}, set.operations);
    visit({.name = "threads"}, set.threads);
    visit({.name = "quick"}, set.quick);
    visit({.name = "least_threads", .min = 1, .max = model::max_cpus}, set.least_threads);
    visit({.name = "overhead"}, set.overhead);
    visit({.name = "fitted"}, set.fitted);
}

namespace {

double number_in(const Node& node, const std::string& path) {
    if (const auto* whole = node.get_if<std::int64_t>()) { return static_cast<double>(*whole); }
    if (const auto* fraction = node.get_if<double>()) { return *fraction; }
    model::reject(node, path, "a number");
}

std::vector<InlinePoint> read_points(const Node& node, const std::string& path) {
    constexpr const char* expected = "points [[THREADS, VALUE], ...]";
    const auto* array = node.get_if<Node::Array>();
    if (array == nullptr || array->empty()) { model::reject(node, path, expected); }
    std::vector<InlinePoint> points;
    for (const Node& pair : *array) {
        const auto* both = pair.get_if<Node::Array>();
        if (both == nullptr || both->size() != 2) { model::reject(pair, path, expected); }
        InlinePoint& point = points.emplace_back();
        model::read_value((*both)[0], path, {.name = "", .min = 1, .max = model::max_cpus}, point.threads);
        point.value = number_in((*both)[1], path);
    }
    return points;
}

void read_locks(const Node& root, PublishedSet& set) {
    for (const auto& entry : model::entries_of(root, "", "locks")) {
        PublishedLock& lock = set.locks.emplace_back();
        lock.name = lock.published = entry.key;
        lock.position = entry.position;
        const std::string path = "locks." + entry.key;
        model::read_table(entry.value, path, lock, {"points"});
        if (const Node* points = entry.value.find("points")) { lock.points = read_points(*points, path + ".points"); }
    }
    for (const auto& entry : model::entries_of(root, "", "workloads")) {
        PublishedWorkload& workload = set.workloads.emplace_back();
        workload.name = entry.key;
        model::read_table(entry.value, "workloads." + entry.key, workload);
    }
    if (set.workloads.empty()) { set.workloads.emplace_back(); }
}

void read_figures(const Node& root, PublishedSet& set) {
    const Node* node = root.find("figures");
    if (node == nullptr) { return; }
    const auto* array = node->get_if<Node::Array>();
    if (array == nullptr) { model::reject(*node, "figures", "tables [[figures]]"); }
    for (const Node& each : *array) {
        PublishedFigure& figure = set.figures.emplace_back();
        figure.position = each.position;
        model::read_table(each, "figures", figure);
    }
}

/// What a kind of set needs; `root` is where it is missing.
void check_complete(const Node& root, const PublishedSet& set) {
    const auto missing = [&root](const char* what) { throw model::ConfigError(root.position, what); };
    if (set.kind == SetKind::expectations) {
        if (set.scenarios.empty()) { missing("scenarios is missing: the files whose expectations are judged"); }
        return;
    }
    if (set.scenario.empty()) { missing("scenario is missing: what repeats the experiment"); }
    if (set.locks.empty()) { missing("a set of curves needs at least one [locks.NAME]"); }
    for (const PublishedLock& lock : set.locks) {
        if (set.table.empty() && lock.points.empty()) {
            throw model::ConfigError(lock.position,
                                     fmt::format("locks.{}: expected points, or a table for the whole set", lock.name));
        }
    }
    if (!set.table.empty() && set.value.empty()) { missing("value is missing: the column with the figures"); }
}

}  // namespace

PublishedSet read_published_set(const std::string& path) {
    const Node root = model::read_toml_file(path);
    PublishedSet set;
    set.file = path;
    set.name = std::filesystem::path(path).stem().string();
    model::read_table(root, "", set, {"locks", "workloads", "figures"});
    read_locks(root, set);
    read_figures(root, set);
    check_complete(root, set);
    return set;
}

}  // namespace locksim
