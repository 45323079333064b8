#pragma once
// How near a simulated figure is to a published one, and how near a model that knows nothing of cache lines would be.
// Plain arithmetic; times are nanoseconds per operation of the whole system.

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace locksim {

/// What no lock could do better: the critical section alone, or the threads' work if they never waited.
double ideal_time(double critical, double outside, double overhead, double threads);

/// |simulated - published| over what the lock costs beyond the ideal; of that at least 20 ns, so that a lock which
/// costs nothing is not asked for the impossible.
double excess_error(double published, double simulated, double ideal);

/// How many times too large or too small; at least 1.
double off_by(double published, double simulated);

double median(std::vector<double> values);  ///< of at least one

/// One experiment as the null model sees it.
struct NullCase {
    double published = 0;
    double critical = 0, outside = 0, overhead = 0, threads = 1;
};
/// "Every hand-over takes h": a lock is then held for critical + h.
double null_time(const NullCase& at, double hand_over);

struct NullModel {
    double hand_over_ns = 0;  ///< the best constant for all points together
    double median_error = 0;  ///< by the set's own yardstick
    double median_abs_log_ratio = 0;
    double worst = 0;  ///< off by so many times
};
/// The hand-over for which the median of error(case, time) is least; at most 0.5 % from the best. No cases: none.
std::optional<NullModel> best_null_model(const std::vector<NullCase>& cases,
                                         const std::function<double(const NullCase&, double time)>& error);

/// Kendall's tau-b of two rankings. Two things are tied in one ranking where their values differ by less than
/// `tie_factor`. No value where either ranking ties all.
std::optional<double> kendall_tau(const std::vector<std::pair<double, double>>& both, double tie_factor);

/// Where the first curve's time, the smaller one before, becomes the larger one for good; interpolated between thread
/// counts. Both curves at the same thread counts, ascending. No value where that never happens.
struct CurvePoint {
    double threads = 0, first = 0, second = 0;
};
std::optional<double> crossover(const std::vector<CurvePoint>& curves);

}  // namespace locksim
