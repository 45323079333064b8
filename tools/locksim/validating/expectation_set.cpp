#include "tools/locksim/validating/expectation_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "model/scenario/judging/expect.hpp"
#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/reading/loader.hpp"
#include "model/scenario/reading/units.hpp"
#include "model/scenario/running/runner.hpp"
#include "tools/locksim/configs.hpp"
#include "tools/locksim/text.hpp"
#include "tools/locksim/validating/judging.hpp"

namespace locksim {

namespace {

using Json = nlohmann::json;
using Scenarios = std::vector<model::Scenario>;

/// "longest_wait(little) == 19.85ms": the judge evaluates its left side.
std::string as_comparison(const PublishedFigure& figure) {
    return fmt::format("{} == {}", figure.measure, figure.published);
}

/// The published figures become hoped lines: evaluated, never failing.
void add_figures(Scenarios& scenarios, const PublishedSet& set, const std::string& file) {
    for (const PublishedFigure& figure : set.figures) {
        if (figure.file != file) { continue; }
        const auto variant = std::find_if(scenarios.begin(), scenarios.end(), [&figure](const model::Scenario& each) {
            return each.variant == figure.variant;
        });
        if (variant == scenarios.end()) {
            throw model::ConfigError(
                figure.position,
                fmt::format("variant = {}: no such variant in {}{}", figure.variant, file,
                            model::suggestion(figure.variant, model::names_in(scenarios, &model::Scenario::variant))));
        }
        const model::ExpectationText text{as_comparison(figure), figure.position};
        model::check_expectation(text, figure.variant, scenarios);
        variant->expect.hoped.push_back({text.text, set.name, figure.position});
    }
}

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

/// In a child: every variant and phase of a file, judged.
std::string run_and_judge(const Scenarios& scenarios, const model::Catalogue& catalogue, std::int32_t phases) {
    std::vector<model::RunResult> runs;
    double seconds = 0;
    for (const model::Scenario& scenario : scenarios) {
        for (std::int32_t phase = 1; phase <= phases; ++phase) {
            model::RunOptions options;
            options.phase = phase;
            runs.push_back(*model::run(scenario, catalogue, options));
            seconds += runs.back().host_seconds;
        }
    }
    Json lines = Json::array();
    for (const model::JudgedExpectation& each : model::judge(scenarios, runs)) {
        lines.push_back({{"text", each.text},
                         {"variant", each.variant},
                         {"in", each.in},
                         {"required", each.required},
                         {"holds", each.holds ? Json(*each.holds) : Json(nullptr)},
                         {"value", number_or_null(each.value)},
                         {"is_time", each.value_is_time},
                         {"hoped", each.hoped},
                         {"why_hoped", each.why},
                         {"why", each.not_judged_because}});
    }
    return Json{{"seconds", seconds}, {"lines", lines}}.dump();
}

Criterion criterion_of(const Json& line, const std::string& file) {
    Criterion criterion;
    criterion.text =
        fmt::format("{}, {}: {}", file, line["variant"].get<std::string>(), line["text"].get<std::string>());
    if (line["value"].is_number()) { criterion.value = line["value"].get<double>(); }
    const std::string in = line["in"].get<std::string>();
    const std::string required = line["required"].get<std::string>();
    if (!line["holds"].is_null()) { criterion.holds = line["holds"].get<bool>(); }
    criterion.shown = criterion.holds.value_or(false) ? "holds" : "does not hold";
    if (!in.empty()) {
        criterion.shown += fmt::format(" in {}{}", in, required.empty() ? "" : ", required " + required);
    }
    if (criterion.value) {
        criterion.shown += "; value " + (line["is_time"].get<bool>() ? friendly_time(*criterion.value)
                                                                     : plain_number(*criterion.value));
    }
    criterion.why = line["why"].get<std::string>();
    if (!criterion.holds && criterion.why.empty()) { criterion.why = "no value"; }
    return criterion;
}

/// The figure that a hoped line was made of; null: the file's own.
Point* point_of(Validation& found, const PublishedSet& set, const Json& line, const std::string& file) {
    if (!line["hoped"].get<bool>() || line["why_hoped"] != set.name) { return nullptr; }
    for (std::size_t i = 0; i < set.figures.size(); ++i) {
        const PublishedFigure& figure = set.figures[i];
        if (figure.file == file && figure.variant == line["variant"] && as_comparison(figure) == line["text"]) {
            return &found.points[i];
        }
    }
    return nullptr;
}

void take_file(Validation& found, const PublishedSet& set, const std::string& file, const PoolResult& result) {
    if (!result.finished) {
        found.complete = false;
        if (!result.problem.empty()) { found.problems.push_back(file + ": " + result.problem); }
        return;
    }
    const Json answer = Json::parse(result.text);
    found.host_seconds += answer["seconds"].get<double>();
    for (const Json& line : answer["lines"]) {
        if (Point* point = point_of(found, set, line, file)) {
            if (line["value"].is_number() && line["value"] > 0) { point->simulated = line["value"].get<double>(); }
        } else if (!line["hoped"].get<bool>()) {
            found.criteria.push_back(criterion_of(line, file));
        } else if (!line["holds"].is_null() && !line["holds"].get<bool>()) {
            found.notes.push_back(fmt::format("hoped for, does not hold: {}, {}: {} ({})", file,
                                              line["variant"].get<std::string>(), line["text"].get<std::string>(),
                                              line["why_hoped"].get<std::string>()));
        }
    }
}

/// "19.85ms" in ns, "2.67" as it is.
double published_value(const PublishedFigure& figure) {
    if (const auto time = model::parse_time(figure.published)) { return sim::to_nanoseconds(*time); }
    try {
        return std::stod(figure.published);
    } catch (const std::exception&) {
        throw model::ConfigError(figure.position,
                                 fmt::format("published = {}: expected a number or a time", figure.published));
    }
}

}  // namespace

PreparedSet prepare_expectations(const PublishedSet& set, const model::Catalogue& catalogue,
                                 const PrepareOptions& options) {
    PreparedSet prepared;
    Validation& found = prepared.validation;
    found.name = set.name;
    found.title = set.title;
    found.source = set.source;
    found.machine = set.machine;
    for (const PublishedFigure& figure : set.figures) {
        Point& point = found.points.emplace_back();
        point.lock = figure.what;
        point.workload = figure.variant;
        point.published = point.at.published = published_value(figure);
        point.counting = Counting::shown;  // what is judged are the expectations
    }
    for (const std::string& file : set.scenarios) {
        model::LoadOptions load;
        load.configs_dir = options.configs;
        load.sets = options.sets;
        auto scenarios = std::make_shared<Scenarios>(
            model::load_scenario(short_path(options.configs + "/" + file), catalogue, load));
        add_figures(*scenarios, set, file);
        const std::int32_t phases = options.quick ? 1 : scenarios->front().phases;
        constexpr double weight = 20;  // of a run of such a scenario, beside those of a curve
        prepared.jobs.push_back(
            {.label = set.name + ": " + file,
             .weight = weight * static_cast<double>(scenarios->size()) * phases,
             .work = [scenarios, &catalogue, phases] { return run_and_judge(*scenarios, catalogue, phases); }});
    }
    prepared.finish = [set](Validation& all, const std::vector<PoolResult>& results) {
        for (std::size_t i = 0; i < results.size(); ++i) { take_file(all, set, set.scenarios[i], results[i]); }
        summarise_points(all);
    };
    return prepared;
}

}  // namespace locksim
