// Validation for programs: "locksim.validate/1", and CSV with a row per point.

#include <fmt/format.h>

#include "tools/locksim/json_number.hpp"
#include "tools/locksim/text.hpp"
#include "tools/locksim/validating/judging.hpp"
#include "tools/locksim/validating/validation.hpp"

namespace locksim {

namespace {

Json boolean(const std::optional<bool>& value) { return value ? Json(*value) : Json(nullptr); }
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json json_of(const Validation& found, const Point& point) {
    return {{"lock", point.lock},
            {"workload", text_or_null(point.workload)},
            {"threads", point.threads},
            {"published", number(point.published)},
            {"simulated", number(point.simulated)},
            {"ratio", number(point.ratio())},
            {"error", point.simulated ? number(error_of(found, point)) : Json(nullptr)},
            {"counting", to_string(point.counting)},
            {"problem", text_or_null(point.problem)}};
}

Json json_of(const Curve& curve) {
    return {{"lock", curve.lock},
            {"workload", text_or_null(curve.workload)},
            {"counting", to_string(curve.counting)},
            {"points", curve.n},
            {"median_error", number(curve.median_error)},
            {"median_abs_log_ratio", number(curve.median_abs_log_ratio)},
            {"worst", number(curve.worst)},
            {"what", text_or_null(curve.why)}};
}

Json json_of(const Criterion& criterion) {
    return {{"text", criterion.text},
            {"value", number(criterion.value)},
            {"limit", number(criterion.limit)},
            {"shown", text_or_null(criterion.shown)},
            {"holds", boolean(criterion.holds)},
            {"not_judged_because", text_or_null(criterion.why)}};
}

Json json_of(const Validation& found, const std::optional<NullModel>& null_model) {
    if (!null_model) { return nullptr; }
    return {{"hand_over_ns", number(null_model->hand_over_ns)},
            {"median_error", number(null_model->median_error)},
            {"median_abs_log_ratio", number(null_model->median_abs_log_ratio)},
            {"worst", number(null_model->worst)},
            {"times_ours", number(found.null_factor)}};
}

Json json_of(const Validation& found) {
    Json curves = Json::array();
    for (const Curve& curve : found.curves) { curves.push_back(json_of(curve)); }
    Json criteria = Json::array();
    for (const Criterion& criterion : found.criteria) { criteria.push_back(json_of(criterion)); }
    Json points = Json::array();
    for (const Point& point : found.points) { points.push_back(json_of(found, point)); }
    Json tau_at = Json::object();
    for (const auto& [threads, value] : found.tau_at) { tau_at[std::to_string(threads)] = number(value); }
    return {{"name", found.name},
            {"title", found.title},
            {"source", found.source},
            {"machine", text_or_null(found.machine)},
            {"unit", text_or_null(found.unit)},
            {"fitted", found.fitted},
            {"points", found.fitted ? found.points.size() : found.counted()},
            {"error", found.by_excess ? "of the cost beyond the ideal" : "|log ratio|"},
            {"median_error", number(found.median_error)},
            {"median_abs_log_ratio", number(found.median_abs_log_ratio)},
            {"worst", number(found.worst)},
            {"worst_point", found.worst_point ? json_of(found, found.points[*found.worst_point]) : Json(nullptr)},
            {"tau", number(found.tau)},
            {"tau_at_threads", tau_at},
            {"holds", boolean(found.holds())},
            {"complete", found.complete},
            {"null_model", json_of(found, found.null_model)},
            {"criteria", criteria},
            {"curves", curves},
            {"point_list", points},
            {"notes", found.notes},
            {"host_seconds", number(found.host_seconds)}};
}

std::string csv_number(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

}  // namespace

std::string validation_json(const std::vector<Validation>& sets, std::string_view version) {
    Json array = Json::array();
    for (const Validation& found : sets) { array.push_back(json_of(found)); }
    const Json all{{"schema", "locksim.validate/1"}, {"locksim", version}, {"sets", array}};
    return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string validation_csv(const std::vector<Validation>& sets) {
    std::string text = "set,machine,lock,workload,threads,unit,published,simulated,ratio,error,counting,problem\n";
    for (const Validation& found : sets) {
        for (const Point& point : found.points) {
            text +=
                fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(found.name), csv_cell(found.machine),
                            csv_cell(point.lock), csv_cell(point.workload), point.threads, found.unit,
                            fmt::format("{}", point.published), csv_number(point.simulated), csv_number(point.ratio()),
                            point.simulated ? fmt::format("{}", error_of(found, point)) : "", to_string(point.counting),
                            csv_cell(point.problem));
        }
    }
    return text;
}

}  // namespace locksim
