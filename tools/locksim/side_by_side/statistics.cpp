#include "tools/locksim/side_by_side/statistics.hpp"

#include <cmath>
#include <numbers>

namespace locksim {

namespace {

/// P(|T| < t). Exact finite sums over the degrees of freedom: Abramowitz and Stegun, Handbook of Mathematical
/// Functions, 26.7.3 and 26.7.4.
double two_sided_probability(double t, std::size_t degrees) {
    const auto nu = static_cast<double>(degrees);
    const double theta = std::atan(t / std::sqrt(nu));
    const double cosine = std::cos(theta);
    const bool odd = degrees % 2 == 1;
    double sum = 0;
    double term = odd ? cosine : 1;
    for (std::size_t k = odd ? 3 : 2; k <= degrees; k += 2) {
        sum += term;
        term *= cosine * cosine * static_cast<double>(k - 1) / static_cast<double>(k);
    }
    return odd ? 2 / std::numbers::pi * (theta + std::sin(theta) * sum) : std::sin(theta) * sum;
}

}  // namespace

double t_quantile(double p, std::size_t degrees) {
    if (p < 0.5) { return -t_quantile(1 - p, degrees); }
    const double wanted = 2 * p - 1;
    double low = 0;
    double high = 1;
    while (two_sided_probability(high, degrees) < wanted) { high *= 2; }
    constexpr int halvings = 80;  // to the last bit
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (two_sided_probability(middle, degrees) < wanted ? low : high) = middle;
    }
    return (low + high) / 2;
}

std::optional<Estimate> estimate_mean(std::span<const double> samples) {
    if (samples.empty()) { return std::nullopt; }
    const auto n = static_cast<double>(samples.size());
    // About the first one: samples that are all the same have exactly their value and no width.
    const double origin = samples.front();
    double sum = 0;
    for (const double sample : samples) { sum += sample - origin; }
    const double mean = origin + sum / n;
    if (samples.size() == 1) { return Estimate{1, mean, std::nullopt}; }
    double squares = 0;
    for (const double sample : samples) { squares += (sample - mean) * (sample - mean); }
    const double error = std::sqrt(squares / (n - 1) / n);
    const double width = t_quantile((1 + confidence) / 2, samples.size() - 1) * error;
    return Estimate{samples.size(), mean, Interval{mean - width, mean + width}};
}

std::optional<Estimate> estimate_difference(const Pairs& pairs) {
    std::vector<double> differences;
    for (const auto& [value, reference] : pairs) { differences.push_back(value - reference); }
    return estimate_mean(differences);
}

std::optional<Estimate> estimate_ratio(const Pairs& pairs) {
    std::vector<double> logarithms;
    for (const auto& [value, reference] : pairs) {
        if (!(value > 0 && reference > 0)) { return std::nullopt; }
        logarithms.push_back(std::log(value / reference));
    }
    std::optional<Estimate> estimate = estimate_mean(logarithms);
    if (!estimate) { return estimate; }
    estimate->value = std::exp(estimate->value);
    if (estimate->interval) {
        estimate->interval = Interval{std::exp(estimate->interval->low), std::exp(estimate->interval->high)};
    }
    return estimate;
}

}  // namespace locksim
