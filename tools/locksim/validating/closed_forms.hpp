#pragma once
// The formulas of the set `closed-forms`, as functions. N threads hold a lock for S and think for Z (microseconds);
// U = X S is the share of the time in which the lock is held.

#include <functional>

namespace locksim::closed_forms {

/// X of a first-come-first-served lock with constant S and Z: the smaller of what the threads and the lock can do.
double bound(int n, double z, double s);

/// U of the M/M/1//N queue (machine repairman): exponential S and Z.
double utilization_exponential(int n, double z, double s);

/// U of the M/G/1//N queue (L. Takacs, Introduction to the Theory of Queues, 1962): exponential Z, `phi` the Laplace
/// transform of S.
double utilization(int n, double z, double s, const std::function<double(double)>& phi);
double phi_constant(double x);  ///< S = 1
double phi_uniform(double x);   ///< S from 0 to 2

/// How many others a thread lets by, at most, with probability 1 - still_waiting, where each of n - 1 waiters is as
/// likely as the others.
double hand_overs_random(int n, double still_waiting);

/// X of a saturated first-come-first-served lock whose n threads need different times: each gets 1 / (sum of all).
double two_speeds(int fast, double s_fast, int slow, double s_slow);

}  // namespace locksim::closed_forms
