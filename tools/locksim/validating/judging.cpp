#include "tools/locksim/validating/judging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "model/scenario/reading/config_error.hpp"

namespace locksim {

namespace {

constexpr double tied = 1.1;  // rankings: within 10 %

double abs_log_ratio(const Point& point) { return std::abs(std::log(*point.ratio())); }

std::string curve_name(const std::string& lock, const std::string& workload) {
    return workload.empty() ? lock : lock + " " + workload;
}

/// "4-", "10-11", "36-48", "16".
struct ThreadRange {
    std::int32_t first = 0, last = std::numeric_limits<std::int32_t>::max();
    bool has(std::int32_t threads) const { return threads >= first && threads <= last; }
};
ThreadRange thread_range(const Tolerance& tolerance) {
    ThreadRange range;
    const std::string& text = tolerance.at;
    if (text.empty()) { return range; }
    const char* const end = text.data() + text.size();
    auto parsed = std::from_chars(text.data(), end, range.first);
    bool good = parsed.ec == std::errc{};
    if (good && parsed.ptr == end) {
        range.last = range.first;
    } else if (good && *parsed.ptr == '-') {
        if (parsed.ptr + 1 != end) {
            parsed = std::from_chars(parsed.ptr + 1, end, range.last);
            good = parsed.ec == std::errc{} && parsed.ptr == end;
        }
    } else {
        good = false;
    }
    if (!good) {
        throw model::ConfigError(tolerance.position,
                                 fmt::format("at = {}: expected thread counts, such as 4- or 10-11", text));
    }
    return range;
}

Criterion not_judged(std::string text, std::string why) {
    Criterion criterion;
    criterion.text = std::move(text);
    criterion.why = std::move(why);
    return criterion;
}

Criterion at_most(std::string text, double value, double limit, std::string shown) {
    return {.text = std::move(text),
            .value = value,
            .limit = limit,
            .shown = std::move(shown),
            .holds = value <= limit,
            .why = {}};
}
Criterion at_least(std::string text, double value, double limit, std::string shown) {
    return {.text = std::move(text),
            .value = value,
            .limit = limit,
            .shown = std::move(shown),
            .holds = value >= limit,
            .why = {}};
}

using Criteria = std::vector<Criterion>;

/// `judge(curve)` for every counted curve that the tolerance is about; those without results are not judged.
template <typename Judge>
Criteria for_curves(const Validation& found, const Tolerance& tolerance, const std::string& what, Judge judge) {
    Criteria criteria;
    for (const Curve& curve : found.curves) {
        const std::string name = curve_name(curve.lock, curve.workload);
        if (tolerance.of != "*" && tolerance.of != curve.lock && tolerance.of != curve.lock + "/" + curve.workload) {
            continue;
        }
        if (curve.counting != Counting::counted) { continue; }
        if (curve.n == 0) {
            criteria.push_back(not_judged(what + " of " + name, "no point has a result"));
        } else {
            criteria.push_back(judge(curve, what + " of " + name));
        }
    }
    return criteria;
}

// The criteria --------------------------------------------------------------------------------------------

Criteria median_error(const Validation& found, const Tolerance& tolerance) {
    return for_curves(found, tolerance, "median error", [&](const Curve& curve, const std::string& text) {
        return at_most(text, *curve.median_error * 100, tolerance.limit,
                       fmt::format("{:.0f} %, at most {:.0f} %", *curve.median_error * 100, tolerance.limit));
    });
}

Criteria worst_point(const Validation& found, const Tolerance& tolerance) {
    return for_curves(found, tolerance, "worst point", [&](const Curve& curve, const std::string& text) {
        return at_most(text, *curve.worst, tolerance.limit,
                       fmt::format("off {:.2f} times, at most {}", *curve.worst, tolerance.limit));
    });
}

Criteria null_model(const Validation& found, const Tolerance& tolerance) {
    const std::string text = "null model's median error by ours";
    if (!found.null_factor) { return {not_judged(text, "no point has a result")}; }
    return {at_least(text, *found.null_factor, tolerance.limit,
                     fmt::format("{:.2f} times, at least {}", *found.null_factor, tolerance.limit))};
}

std::optional<double> result_at(const Validation& found, const std::string& lock, const std::string& workload,
                                std::int32_t threads, double Point::*figure) {
    for (const Point& point : found.points) {
        if (point.lock != lock || point.workload != workload || point.threads != threads || !point.simulated) {
            continue;
        }
        return figure == nullptr ? point.time_of(*point.simulated) : point.time_of(point.*figure);
    }
    return std::nullopt;
}

/// `of`: "FIRST+SECOND"; `at`: the workload. Where both curves have results, ascending in threads.
std::vector<CurvePoint> two_curves(const Validation& found, const Tolerance& tolerance) {
    const std::size_t plus = std::min(tolerance.of.find('+'), tolerance.of.size());
    const std::string first = tolerance.of.substr(0, plus);
    const std::string second = tolerance.of.substr(std::min(plus + 1, tolerance.of.size()));
    std::vector<CurvePoint> both;
    for (const Point& point : found.points) {
        if (point.lock != first || point.threads < 2) { continue; }
        const auto a = result_at(found, first, tolerance.at, point.threads, nullptr);
        const auto b = result_at(found, second, tolerance.at, point.threads, nullptr);
        if (point.workload == tolerance.at && point.counting != Counting::shown && a && b) {
            both.push_back({static_cast<double>(point.threads), *a, *b});
        }
    }
    return both;
}

template <typename Judge>
Criteria crossover_of(const Validation& found, const Tolerance& tolerance, const char* bound, Judge judge) {
    const std::string text = fmt::format("{} at {}: who is faster changes", tolerance.of, tolerance.at);
    const std::vector<CurvePoint> both = two_curves(found, tolerance);
    constexpr std::size_t fewest = 6;
    if (both.size() < fewest) { return {not_judged(text, "needs more points")}; }
    const auto ours = crossover(both);
    Criterion criterion;
    criterion.text = text;
    criterion.value = ours;
    criterion.limit = tolerance.limit;
    criterion.holds = ours && judge(*ours, tolerance.limit);
    criterion.shown =
        fmt::format("{}, {} {}", ours ? fmt::format("{:.1f} threads", *ours) : "never", bound, tolerance.limit);
    return {criterion};
}
Criteria crossover_from(const Validation& found, const Tolerance& tolerance) {
    return crossover_of(found, tolerance, "at least", [](double ours, double limit) { return ours >= limit; });
}
Criteria crossover_to(const Validation& found, const Tolerance& tolerance) {
    return crossover_of(found, tolerance, "at most", [](double ours, double limit) { return ours <= limit; });
}

Criteria median_log_ratio(const Validation& found, const Tolerance& tolerance) {
    return for_curves(found, tolerance, "median |log ratio|", [&](const Curve& curve, const std::string& text) {
        return at_most(text, *curve.median_abs_log_ratio * 100, tolerance.limit,
                       fmt::format("{:.0f} %, at most {:.0f} %", *curve.median_abs_log_ratio * 100, tolerance.limit));
    });
}

Criteria tau(const Validation& found, const Tolerance& tolerance) {
    const ThreadRange range = thread_range(tolerance);
    double sum = 0;
    double n = 0;
    double least = 1;
    for (const auto& [threads, value] : found.tau_at) {
        if (!range.has(threads)) { continue; }
        sum += value;
        ++n;
        least = std::min(least, value);
    }
    const std::string text = fmt::format("Kendall's tau of the ranking at {} threads", tolerance.at);
    if (n == 0) { return {not_judged(text, "no thread count has results of all locks")}; }
    return {at_least(text, sum / n, tolerance.limit,
                     fmt::format("{:.2f} (least {:.2f}), at least {}", sum / n, least, tolerance.limit))};
}

/// `at`: "10-11"; the limit is in per cent of the published ratio.
Criteria step_ratio(const Validation& found, const Tolerance& tolerance) {
    const ThreadRange range = thread_range(tolerance);
    return for_curves(
        found, tolerance, fmt::format("step {} to {} threads", range.first, range.last),
        [&](const Curve& curve, const std::string& text) {
            const auto rate = [&](std::int32_t threads, double Point::*figure) {
                const auto time = result_at(found, curve.lock, curve.workload, threads, figure);
                return time ? 1 / *time : std::numeric_limits<double>::quiet_NaN();
            };
            const double ours = rate(range.last, nullptr) / rate(range.first, nullptr);
            const double theirs = rate(range.last, &Point::published) / rate(range.first, &Point::published);
            if (std::isnan(ours) || std::isnan(theirs)) { return not_judged(text, "needs both points"); }
            const double off = std::abs(ours / theirs - 1) * 100;
            Criterion criterion =
                at_most(text, off, tolerance.limit,
                        fmt::format("x{:.2f}, published x{:.2f}, at most {} % apart", ours, theirs, tolerance.limit));
            criterion.value = ours;
            return criterion;
        });
}

struct CriterionRow {
    const char* name;
    Criteria (*judge)(const Validation&, const Tolerance&);
};
constexpr std::array criteria_rows{
    CriterionRow{"median_error", median_error},
    CriterionRow{"worst_point", worst_point},
    CriterionRow{"null_model", null_model},
    CriterionRow{"crossover_from", crossover_from},
    CriterionRow{"crossover_to", crossover_to},
    CriterionRow{"median_log_ratio", median_log_ratio},
    CriterionRow{"tau", tau},
    CriterionRow{"step", step_ratio},
};

// Figures of merit ------------------------------------------------------------------------------------------

void summarise_curve(const Validation& found, Curve& curve) {
    std::vector<double> errors, logs;
    for (std::size_t i = 0; i < found.points.size(); ++i) {
        const Point& point = found.points[i];
        if (point.lock != curve.lock || point.workload != curve.workload) { continue; }
        curve.points.push_back(i);
        if (!point.simulated || point.counting != curve.counting) { continue; }
        errors.push_back(error_of(found, point));
        logs.push_back(abs_log_ratio(point));
    }
    curve.n = errors.size();
    if (errors.empty()) { return; }
    curve.worst = std::exp(*std::max_element(logs.begin(), logs.end()));
    curve.median_error = median(std::move(errors));
    curve.median_abs_log_ratio = median(std::move(logs));
}

/// At each number of threads for which every curve has a counted result.
void rank_locks(Validation& found) {
    std::map<std::int32_t, std::vector<std::pair<double, double>>> at;
    std::size_t curves = 0;
    for (const Curve& curve : found.curves) {
        if (!curve.workload.empty()) { return; }  // locks under unlike workloads have no ranking
        curves += curve.counting == Counting::counted ? 1 : 0;
    }
    for (const Point& point : found.points) {
        if (point.counts() && point.simulated) { at[point.threads].emplace_back(point.published, *point.simulated); }
    }
    for (const auto& [threads, both] : at) {
        if (both.size() != curves || curves < 3) { continue; }
        if (const auto value = kendall_tau(both, tied)) { found.tau_at[threads] = *value; }
    }
    if (found.tau_at.empty()) { return; }
    double sum = 0;
    for (const auto& [threads, value] : found.tau_at) { sum += value; }
    found.tau = sum / static_cast<double>(found.tau_at.size());
}

void fit_null_model(Validation& found) {
    std::vector<NullCase> cases;
    for (const Point& point : found.points) {
        if (point.counts() && point.simulated) { cases.push_back(point.at); }
    }
    found.null_model = best_null_model(cases, [&found](const NullCase& at, double time) {
        if (!found.by_excess) { return std::log(off_by(at.published, time)); }
        return excess_error(at.published, time, ideal_time(at.critical, at.outside, at.overhead, at.threads));
    });
    if (found.null_model && found.median_error && *found.median_error > 0) {
        found.null_factor = found.null_model->median_error / *found.median_error;
    }
}

}  // namespace

double error_of(const Validation& found, const Point& point) {
    if (!found.by_excess) { return abs_log_ratio(point); }
    const NullCase& at = point.at;
    return excess_error(at.published, point.time_of(*point.simulated),
                        ideal_time(at.critical, at.outside, at.overhead, at.threads));
}

void summarise_points(Validation& found) {
    std::vector<double> errors, logs;
    for (std::size_t i = 0; i < found.points.size(); ++i) {
        const Point& point = found.points[i];
        found.host_seconds += point.host_seconds;
        if (!point.simulated && point.counts()) { found.complete = false; }
        if (!point.simulated || (!point.counts() && !found.fitted)) { continue; }
        errors.push_back(error_of(found, point));
        logs.push_back(abs_log_ratio(point));
        if (!found.worst || std::exp(logs.back()) > *found.worst) {
            found.worst = std::exp(logs.back());
            found.worst_point = i;
        }
    }
    if (errors.empty()) { return; }
    found.median_error = median(std::move(errors));
    found.median_abs_log_ratio = median(std::move(logs));
}

void check_criteria(const std::vector<Tolerance>& tolerances) {
    const std::vector<std::string> known = model::names_in(criteria_rows, &CriterionRow::name);
    for (const Tolerance& tolerance : tolerances) {
        if (std::find(known.begin(), known.end(), tolerance.criterion) != known.end()) { continue; }
        throw model::ConfigError(tolerance.position, fmt::format("no criterion \"{}\"{}", tolerance.criterion,
                                                                 model::suggestion(tolerance.criterion, known)));
    }
}

void judge_curves(Validation& found, const std::vector<Tolerance>& tolerances) {
    summarise_points(found);
    for (Curve& curve : found.curves) { summarise_curve(found, curve); }
    rank_locks(found);
    fit_null_model(found);
    if (found.fitted) { return; }
    for (const Tolerance& tolerance : tolerances) {
        const auto row =
            std::find_if(criteria_rows.begin(), criteria_rows.end(),
                         [&tolerance](const CriterionRow& each) { return tolerance.criterion == each.name; });
        Criteria criteria = row->judge(found, tolerance);
        if (tolerance.criterion == "tau") { found.tau = criteria.front().value; }
        found.criteria.insert(found.criteria.end(), criteria.begin(), criteria.end());
    }
}

}  // namespace locksim
