#include "tools/locksim/validating/scores.hpp"

#include <algorithm>
#include <cmath>

namespace locksim {

double ideal_time(double critical, double outside, double overhead, double threads) {
    return std::max(critical, (critical + outside + overhead) / threads);
}

double excess_error(double published, double simulated, double ideal) {
    constexpr double least_excess = 20;  // ns
    return std::abs(simulated - published) / std::max(published - ideal, least_excess);
}

double off_by(double published, double simulated) { return std::exp(std::abs(std::log(simulated / published))); }

double median(std::vector<double> values) {
    const std::size_t half = values.size() / 2;
    std::sort(values.begin(), values.end());
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double null_time(const NullCase& at, double hand_over) {
    return std::max(at.critical + hand_over, (at.critical + at.outside + at.overhead + hand_over) / at.threads);
}

std::optional<NullModel> best_null_model(const std::vector<NullCase>& cases,
                                         const std::function<double(const NullCase&, double time)>& error) {
    if (cases.empty()) { return std::nullopt; }
    const auto median_error = [&](double hand_over) {
        std::vector<double> errors;
        for (const NullCase& each : cases) { errors.push_back(error(each, null_time(each, hand_over))); }
        return median(std::move(errors));
    };
    constexpr double least = 1, most = 1e6, step = 1.005;  // ns
    NullModel best;
    best.median_error = median_error(0.1);
    best.hand_over_ns = 0.1;
    for (double hand_over = least; hand_over < most; hand_over *= step) {
        const double found = median_error(hand_over);
        if (found < best.median_error) {
            best.median_error = found;
            best.hand_over_ns = hand_over;
        }
    }
    std::vector<double> logs;
    for (const NullCase& each : cases) {
        logs.push_back(std::log(off_by(each.published, null_time(each, best.hand_over_ns))));
    }
    best.worst = std::exp(*std::max_element(logs.begin(), logs.end()));
    best.median_abs_log_ratio = median(std::move(logs));
    return best;
}

std::optional<double> kendall_tau(const std::vector<std::pair<double, double>>& both, double tie_factor) {
    const auto order = [tie_factor](double a, double b) {
        if (off_by(a, b) <= tie_factor) { return 0; }
        return a < b ? -1 : 1;
    };
    double agreement = 0, first_pairs = 0, second_pairs = 0;
    for (std::size_t i = 0; i < both.size(); ++i) {
        for (std::size_t j = i + 1; j < both.size(); ++j) {
            const int first = order(both[i].first, both[j].first);
            const int second = order(both[i].second, both[j].second);
            agreement += first * second;
            first_pairs += std::abs(first);
            second_pairs += std::abs(second);
        }
    }
    if (first_pairs == 0 || second_pairs == 0) { return std::nullopt; }
    return agreement / std::sqrt(first_pairs * second_pairs);
}

std::optional<double> crossover(const std::vector<CurvePoint>& curves) {
    const auto lead = [](const CurvePoint& at) { return at.second - at.first; };  // > 0: the first is faster
    for (std::size_t i = curves.size(); i > 1; --i) {
        const CurvePoint& after = curves[i - 1];
        const CurvePoint& before = curves[i - 2];
        if (lead(after) > 0) { return std::nullopt; }  // the first is the faster one in the end
        if (lead(before) <= 0) { continue; }
        const double share = lead(before) / (lead(before) - lead(after));
        return before.threads + share * (after.threads - before.threads);
    }
    return std::nullopt;
}

}  // namespace locksim
