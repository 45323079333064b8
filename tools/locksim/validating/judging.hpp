#pragma once
// From points to figures of merit, and from those to criteria: one function for each criterion that tolerances.csv may
// name.

#include <string>
#include <vector>

#include "tools/locksim/validating/tolerances.hpp"
#include "tools/locksim/validating/validation.hpp"

namespace locksim {

/// Throws model::ConfigError for a criterion that nobody knows, with those there are.
void check_criteria(const std::vector<Tolerance>& tolerances);

/// Fills in curves, summary and criteria from the points.
void judge_curves(Validation& found, const std::vector<Tolerance>& tolerances);

/// By the set's yardstick: beyond the ideal, or the logarithm of the ratio. The point must have a result.
double error_of(const Validation& found, const Point& point);

/// The figures of merit over all counted points alone.
void summarise_points(Validation& found);

}  // namespace locksim
