#pragma once
// Means with 95 % confidence intervals, of one sample and of pairs.

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace locksim {

constexpr double confidence = 0.95;

struct Interval {
    double low = 0, high = 0;
    bool contains(double value) const { return low <= value && value <= high; }
};

/// A value and how far it is known. No interval where there is a single sample.
struct Estimate {
    std::size_t n = 0;
    double value = 0;
    std::optional<Interval> interval;

    bool exact() const { return interval && interval->low == interval->high; }
};

/// What Student's t with that many degrees of freedom stays below with probability p, 0 < p < 1.
double t_quantile(double p, std::size_t degrees);

/// The mean of independent samples; no value without samples.
std::optional<Estimate> estimate_mean(std::span<const double> samples);

/// First: of the variant asked about; second: of the reference, in the same seed.
using Pairs = std::vector<std::pair<double, double>>;

/// The mean of first - second.
std::optional<Estimate> estimate_difference(const Pairs& pairs);

/// How many times as large the first is as the second: the geometric mean of the ratios, and the interval of their
/// logarithms, so that swapping the two gives the inverse. No value where one of the numbers is not above 0.
std::optional<Estimate> estimate_ratio(const Pairs& pairs);

}  // namespace locksim
