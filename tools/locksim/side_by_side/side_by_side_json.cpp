// "locksim.compare/1": keys are only added within a version. Times in nanoseconds, rates per simulated second. `low`
// and `high` bound the 95 % interval; they are null where there is a single seed, `ratio` also where a value is 0.

#include <fmt/format.h>

#include "tools/locksim/json_number.hpp"
#include "tools/locksim/report.hpp"
#include "tools/locksim/side_by_side/side_by_side.hpp"

namespace locksim {

namespace {

Json json(const std::optional<Estimate>& estimate, const char* value_key) {
    if (!estimate) { return nullptr; }
    const bool known = estimate->interval.has_value();
    return {{value_key, number(estimate->value)},
            {"low", known ? number(estimate->interval->low) : Json(nullptr)},
            {"high", known ? number(estimate->interval->high) : Json(nullptr)},
            {"n", estimate->n}};
}

Json measure_json(const Row& row, const Row& reference, Measure measure) {
    Json object = json(row.mean(measure), "mean");
    if (object.is_null()) { return nullptr; }
    const Pairs pairs = paired(row, reference, measure);
    object["ratio"] = json(estimate_ratio(pairs), "value");
    object["difference"] = json(estimate_difference(pairs), "value");
    return object;
}

Json sample_json(const Sample& sample) {
    Json object{{"seed", sample.seed},
                {"digest", hex_digest(sample.digest)},
                {"verdict", {{"kind", model::to_string(sample.verdict)}, {"threads", sample.threads}}}};
    for (const MeasureRow& measure : measures) { object[measure.name] = number(sample.value(measure.measure)); }
    return object;
}

Json row_json(const Row& row, const SideBySide& found) {
    const Row& reference = found.reference();
    const Json relation_json = &row == &reference
                                   ? Json(nullptr)
                                   : Json(to_string(relation(row, reference, found.main_measure(), found.model_error)));
    Json verdicts = Json::object();
    for (const std::string& name : model::verdict_names()) {
        for (const Sample& sample : row.samples) {
            if (model::to_string(sample.verdict) != name) { continue; }
            verdicts[name] = row.count(sample.verdict);
            break;
        }
    }
    Json estimates = Json::object();
    for (const MeasureRow& measure : measures) {
        estimates[measure.name] = measure_json(row, reference, measure.measure);
    }
    Json runs = Json::array();
    for (const Sample& sample : row.samples) { runs.push_back(sample_json(sample)); }
    return {{"name", row.name},     {"variant", row.variant},    {"set", row.sets},       {"n", row.samples.size()},
            {"verdicts", verdicts}, {"relation", relation_json}, {"measures", estimates}, {"runs", runs}};
}

}  // namespace

std::string side_by_side_json(const SideBySide& found, std::string_view version) {
    Json rows = Json::array();
    for (const Row& row : found.rows) { rows.push_back(row_json(row, found)); }
    const Json json{{"schema", "locksim.compare/1"},
                    {"locksim", version},
                    {"scenario", {{"title", found.title}, {"file", found.file}}},
                    {"phase", found.phase},
                    {"seeds", {{"first", found.seeds.first}, {"last", found.seeds.last}}},
                    {"planned_runs", found.planned},
                    {"finished_runs", found.runs()},
                    {"confidence", confidence},
                    {"model_error", number(found.model_error)},
                    {"reference", found.reference().name},
                    {"main_measure", row_of(found.main_measure()).name},
                    {"variants", rows}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace locksim
