#include "tools/locksim/validating/closed_forms.hpp"

#include <algorithm>
#include <cmath>

namespace locksim::closed_forms {

double bound(int n, double z, double s) { return std::min(n / (z + s), 1 / s); }

double utilization_exponential(int n, double z, double s) {
    double sum = 0;
    double term = 1;
    for (int k = 0; k <= n; ++k) {
        sum += term;
        term *= (n - k) * s / z;
    }
    return 1 - 1 / sum;
}

double utilization(int n, double z, double s, const std::function<double(double)>& phi) {
    double sum = 0;
    for (int k = 0; k < n; ++k) {
        double term = std::tgamma(n) / std::tgamma(k + 1) / std::tgamma(n - k);  // C(n-1, k)
        for (int i = 1; i <= k; ++i) { term *= 1 / phi(i / z) - 1; }
        sum += term;
    }
    return 1 - 1 / (1 + n * (s / z) * sum);
}

double phi_constant(double x) { return std::exp(-x); }
double phi_uniform(double x) { return (1 - std::exp(-2 * x)) / (2 * x); }

double hand_overs_random(int n, double still_waiting) {
    return std::ceil(std::log(still_waiting) / std::log(1 - 1.0 / (n - 1)));
}

double two_speeds(int fast, double s_fast, int slow, double s_slow) {
    return (fast + slow) / (fast * s_fast + slow * s_slow);
}

}  // namespace locksim::closed_forms
