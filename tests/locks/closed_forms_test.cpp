// Queueing theory: what follows by arithmetic for N threads that think for Z and then hold a lock for S, on a machine
// whose lines move in no time. Throughput X, response time R = wait + hold, utilization U = X S.
//
//   Bounds            X <= min(N / (Z + S), 1 / S); constant Z and S, first come first served: X is the bound.
//   Little            N = X (R + Z).
//   M/M/1//N          U = 1 - 1 / sum_{k=0..N} N! / (N-k)! (S/Z)^k       (exponential Z and S)
//   M/G/1//N          U = 1 - 1 / (1 + N (S/Z) sum_{n=0..N-1} C(N-1, n) prod_{i=1..n} (1 / phi(i/Z) - 1)),
//                     phi the Laplace transform of S; the same for first come first served and for random service.
//                     L. Takacs, Introduction to the Theory of Queues, 1962.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/locks/scenarios.hpp"

using namespace model;
using namespace model::test;

namespace {

// S is 1 us, while an instruction takes 0.1 ns and a poll period 0.2 ns: a lock adds less than a nanosecond to S. Only
// a test-and-set lock polls by exchanges, each an event. There an exchange takes 2 ns, so that the tests take seconds,
// and a release waits at the line for those of the waiters: 2 ns each, so that at most 4 threads are compared. That
// bias and the statistical error of the runs must stay within:
constexpr double model_tolerance = 0.005;  // 5 ns in 1 us
constexpr double standard_errors = 4;      // of the mean over independent seeds: once in 16,000 a sound model fails

constexpr Time service = microseconds(1);  // S

/// Each look at a lock that is held costs an event: fewer acquisitions, and looks 1 or 2 ns apart instead of 0.1 (tas),
/// 100 (spin-debug, which would leave a free lock idle for 5 % of the time; the formulas have servers that are never
/// idle) or what back-off grows to.
bool polls_are_events(const std::string& type) {
    return type == "tas" || type == "spin-debug" || type == "tas-backoff" || type == "ticket-backoff";
}
Scenario closed_form_scenario(const std::string& type, int n, std::vector<Step> program, Time duration) {
    MachineConfig machine = ideal_machine();
    if (type == "tas") { machine.clusters[0].second.core.rmw = span(nanoseconds(2)); }
    Scenario s = scenario(machine, type, n, std::move(program), duration);
    if (type == "spin-debug") { s.locks[0].parameters["every"] = span(nanoseconds(2)); }
    if (type == "tas-backoff") { s.locks[0].parameters["cap"] = std::int64_t{20}; }
    if (type == "tas-backoff") { s.locks[0].parameters["initial"] = std::int64_t{20}; }
    if (type == "ticket-backoff") { s.locks[0].parameters["multiplier"] = std::int64_t{10}; }
    return s;
}

struct Measured {
    double throughput = 0;  ///< per us
    double response = 0;    ///< us
    double wait_p99 = 0;    ///< us
    double little = 0;      ///< X (R + Z) / N
    double error = 0;       ///< standard error of the throughput, relative
    double response_error = 0;
};

struct Estimate {
    double mean = 0, error = 0;  ///< error: of the mean, relative
};
Estimate estimate(const std::vector<double>& batches) {
    const auto n = static_cast<double>(batches.size());
    double sum = 0;
    for (const double x : batches) { sum += x; }
    double squares = 0;
    for (const double x : batches) { squares += (x - sum / n) * (x - sum / n); }
    return {sum / n, std::sqrt(squares / (n - 1) / n) / (sum / n)};
}

/// Means over independent seeds, of runs of `acquisitions` each after a warm-up.
Measured measure(const std::string& type, std::int32_t n, Distribution hold, Distribution think_time, double z_us,
                 std::int64_t acquisitions = 20'000, int seeds = 16) {
    std::vector<double> x;
    std::vector<double> r;
    Measured m;
    if (polls_are_events(type)) { acquisitions /= 10; }
    for (int seed = 1; seed <= seeds; ++seed) {
        Scenario s = closed_form_scenario(type, n, section(hold, think_time),
                                          acquisitions * microseconds(1) + microseconds(200));
        s.warmup = microseconds(200);
        s.seed = static_cast<std::uint64_t>(seed);
        s.noise.start_phase = uniform({}, microseconds(6));
        const RunResult run = run_of(s);
        REQUIRE(run.locks[0].acquisitions > 400);
        x.push_back(static_cast<double>(run.locks[0].acquisitions) / (run.window_ns / 1e3));
        r.push_back((run.locks[0].wait_ns.mean + run.locks[0].hold_ns.mean) / 1e3);
        m.wait_p99 += run.locks[0].wait_ns.p99 / 1e3 / seeds;
        m.little += x.back() * (r.back() + z_us) / n / seeds;
    }
    const Estimate throughput = estimate(x);
    const Estimate response = estimate(r);
    m.throughput = throughput.mean;
    m.error = throughput.error;
    m.response = response.mean;
    m.response_error = response.error;
    return m;
}

/// Takacs, with z and s in us; `phi` is the Laplace transform of the hold time.
template <class Phi>
double utilization(int n, double z, double s, Phi phi) {
    double sum = 0;
    for (int k = 0; k < n; ++k) {
        double term = std::tgamma(n) / std::tgamma(k + 1) / std::tgamma(n - k);  // C(n-1, k)
        for (int i = 1; i <= k; ++i) { term *= 1 / phi(i / z) - 1; }
        sum += term;
    }
    return 1 - 1 / (1 + n * (s / z) * sum);
}
double utilization_exponential(int n, double z, double s) {
    double sum = 0;
    double term = 1;
    for (int k = 0; k <= n; ++k) {
        sum += term;
        term *= (n - k) * s / z;
    }
    return 1 - 1 / sum;
}
double phi_constant(double x) { return std::exp(-x); }
double phi_exponential(double x) { return 1 / (1 + x); }
double phi_uniform(double x) { return (1 - std::exp(-2 * x)) / (2 * x); }

void check_against(const Measured& m, double u, int n, double z) {
    CHECK(m.throughput == Catch::Approx(u).epsilon(model_tolerance + standard_errors * m.error));
    CHECK(m.response == Catch::Approx(n / u - z).epsilon(model_tolerance * (1 + z * u / n) +
                                                         standard_errors * m.response_error + 0.002));
}

std::vector<std::string> fifo_locks() {
    std::vector<std::string> names;
    for (const LockEntry* row : locks::catalogue().locks) {
        if (row->traits.fairness == Fairness::fifo) { names.emplace_back(row->traits.name); }
    }
    return names;
}

}  // namespace

TEST_CASE("the formulas agree with their published values", "[unit]") {
    struct Row {
        int n;
        double z, exponential, constant, uniform;
    };
    for (const Row& row : {Row{2, 1, 0.80000, 0.84464, 0}, Row{4, 5, 0.60166, 0.62467, 0.61525},
                           Row{6, 5, 0.80815, 0.85281, 0}, Row{8, 5, 0.92995, 0.96994, 0.95290}}) {
        CHECK(utilization_exponential(row.n, row.z, 1) == Catch::Approx(row.exponential).margin(6e-6));
        CHECK(utilization(row.n, row.z, 1, phi_exponential) == Catch::Approx(row.exponential).margin(6e-6));
        CHECK(utilization(row.n, row.z, 1, phi_constant) == Catch::Approx(row.constant).margin(6e-6));
        if (row.uniform > 0) {
            CHECK(utilization(row.n, row.z, 1, phi_uniform) == Catch::Approx(row.uniform).margin(6e-6));
        }
    }
}

TEST_CASE("with constant times a FIFO lock's throughput is the bound, and its response N S - Z", "[timing]") {
    const std::string type = GENERATE(from_range(fifo_locks()));
    for (const std::int32_t n : {1, 2, 4, 6, 8, 32}) {
        for (const std::int64_t z : {0, 1, 5}) {
            INFO(type << ", N = " << n << ", Z = " << z << " us");
            Scenario s =
                closed_form_scenario(type, n, section(constant(service), constant(microseconds(z))), milliseconds(4));
            s.warmup = microseconds(100);
            const RunResult r = run_of(s);
            const double bound = std::min(n / (static_cast<double>(z) + 1.0), 1.0);
            const double x = static_cast<double>(r.locks[0].acquisitions) / (r.window_ns / 1e3);
            const double response = (r.locks[0].wait_ns.mean + r.locks[0].hold_ns.mean) / 1e3;
            CHECK(x <= bound * 1.001);  // one acquisition more or less at the ends of the window
            CHECK(x == Catch::Approx(bound).epsilon(model_tolerance));
            CHECK(response == Catch::Approx(std::max(1.0, n - static_cast<double>(z))).epsilon(model_tolerance));
        }
    }
}

TEST_CASE("a saturated queue lock's throughput does not depend on the number of threads", "[timing]") {
    // X = 1 / (S + h), h: the hand-over. Here: a load and a store of the releaser, the successor's poll.
    for (const std::int32_t n : {3, 8, 16, 64}) {
        Scenario s = scenario(ideal_machine(), "mcs", n, section(constant(service), constant(Time{})), milliseconds(2));
        s.warmup = microseconds(100);
        const RunResult r = run_of(s);
        CHECK(r.locks[0].handover_ns.min == 0.3);  // 0.2 and the poll, in the better
        CHECK(r.locks[0].handover_ns.max == 0.4);  // or worse of two phases
        const double x = static_cast<double>(r.locks[0].acquisitions) / r.window_ns;
        CHECK(x == Catch::Approx(1 / (1'000 + r.locks[0].handover_ns.mean)).epsilon(1.0 / 1'900));  // one in the window
    }
}

TEST_CASE("Little's law holds for every lock", "[timing]") {
    const std::string type = GENERATE(from_range(lock_types()));
    for (const std::int32_t n : {1, 2, 4, 8}) {
        if (polls_are_events(type) && n > 2) { continue; }
        // Per seed 10^4 N acquisitions. The waits that the window's ends cut are a few in so many.
        INFO(type << ", N = " << n);
        const std::int64_t acquisitions = 10'000 * n;
        Scenario s = closed_form_scenario(type, n, section(exponential(service), constant(microseconds(5))),
                                          acquisitions * microseconds(7) / std::min(n, 6));
        s.warmup = microseconds(200);
        const RunResult r = run_of(s);
        REQUIRE(r.verdict().kind == VerdictKind::ok);
        REQUIRE(static_cast<std::int64_t>(r.locks[0].acquisitions) > acquisitions * 8 / 10);
        const double x = static_cast<double>(r.locks[0].acquisitions) / (r.window_ns / 1e3);
        // Z here is what the thread does outside wait and hold: think time, and the release itself (0.1 or 0.2 ns).
        const double population = x * ((r.locks[0].wait_ns.mean + r.locks[0].hold_ns.mean) / 1e3 + 5);
        CHECK(population == Catch::Approx(n).epsilon(0.001));
    }
}

TEST_CASE("with exponential think and hold times a lock is the M/M/1//N queue", "[timing]") {
    const std::string type = GENERATE(from_range(lock_types()));
    struct Row {
        int n;
        double z;
    };
    for (const Row& row : {Row{2, 1}, Row{4, 5}, Row{8, 5}}) {
        if (polls_are_events(type) && row.n > 4) { continue; }
        INFO(type << ", N = " << row.n << ", Z = " << row.z << " us");
        const Measured m = measure(type, row.n, exponential(service),
                                   exponential(static_cast<std::int64_t>(row.z) * microseconds(1)), row.z);
        check_against(m, utilization_exponential(row.n, row.z, 1), row.n, row.z);
    }
}

TEST_CASE("with constant and with uniform hold times a lock is Takacs' M/G/1//N queue", "[timing]") {
    const std::string type = GENERATE(from_range(lock_types()));
    struct Row {
        int n;
        double z;
    };
    for (const Row& row : {Row{2, 1}, Row{4, 5}, Row{6, 5}, Row{8, 5}}) {
        if (polls_are_events(type) && row.n > 4) { continue; }
        INFO(type << ", N = " << row.n << ", Z = " << row.z << " us");
        const Distribution z = exponential(static_cast<std::int64_t>(row.z) * microseconds(1));
        check_against(measure(type, row.n, constant(service), z, row.z, 10'000),
                      utilization(row.n, row.z, 1, phi_constant), row.n, row.z);
        check_against(measure(type, row.n, uniform({}, 2 * service), z, row.z, 10'000),
                      utilization(row.n, row.z, 1, phi_uniform), row.n, row.z);
    }
}

TEST_CASE("the whole table of the M/M/1//N and M/G/1//N queues, in long runs", "[timing][slow]") {
    const std::string type = GENERATE(from_range(lock_types()));
    struct Row {
        int n;
        double z;
    };
    for (const Row& row : {Row{2, 1}, Row{4, 5}, Row{6, 5}, Row{8, 5}, Row{16, 5}, Row{32, 5}}) {
        if (polls_are_events(type) && row.n > 4) { continue; }
        // A saturated unfair lock may starve some: their waits do not end, and the mean of those that do is too small.
        const bool fair = locks::catalogue().find_lock(type)->traits.fairness == Fairness::fifo;
        if (!fair && row.n > 8) { continue; }
        INFO(type << ", N = " << row.n << ", Z = " << row.z << " us");
        const Distribution z = exponential(static_cast<std::int64_t>(row.z) * microseconds(1));
        const Measured exp_hold = measure(type, row.n, exponential(service), z, row.z, 100'000, 25);
        check_against(exp_hold, utilization_exponential(row.n, row.z, 1), row.n, row.z);
        const Measured const_hold = measure(type, row.n, constant(service), z, row.z, 100'000, 25);
        const double u = row.n <= 8 ? utilization(row.n, row.z, 1, phi_constant) : 1;  // 1.00000 from 16 on
        check_against(const_hold, u, row.n, row.z);
    }
}

// --- order of service -------------------------------------------------------------------------------------------

TEST_CASE(
    "first come first served and random service have the same throughput and mean response, not the same variance",
    "[timing]") {
    // Ticket against test-and-test-and-set; whose winner is the first to poll after the release, which is as good as
    // random where arrivals are.
    const Distribution z = exponential(microseconds(5));
    const Measured fifo = measure("ticket", 8, constant(service), z, 5);
    const Measured any = measure("ttas", 8, constant(service), z, 5);
    CHECK(fifo.throughput ==
          Catch::Approx(any.throughput).epsilon(model_tolerance + standard_errors * (fifo.error + any.error)));
    CHECK(fifo.response ==
          Catch::Approx(any.response)
              .epsilon(2 * model_tolerance + standard_errors * (fifo.response_error + any.response_error)));
    CHECK(any.wait_p99 > 1.3 * fifo.wait_p99);
}

namespace {

/// A lock on the round machine whose line picks the next request at random, saturated by n threads.
RunResult saturated(const std::string& type, std::int32_t n, Discipline discipline, Time duration,
                    std::uint64_t seed = 1) {
    MachineConfig machine = round_machine(n);
    machine.discipline = discipline;
    Scenario s =
        scenario(machine, type, n, section(constant(nanoseconds(1'000)), constant(nanoseconds(1'000))), duration);
    s.warmup = microseconds(50);
    s.seed = seed;
    return run_of(s);
}

/// Share of the acquisitions that went to the half of the threads that got most.
double top_half(const RunResult& r) {
    std::vector<std::uint64_t> shares;
    for (const ThreadResult& t : r.threads) { shares.push_back(t.acquisitions); }
    std::sort(shares.begin(), shares.end());
    std::uint64_t all = 0;
    std::uint64_t top = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        all += shares[i];
        if (i >= shares.size() / 2) { top += shares[i]; }
    }
    return static_cast<double>(top) / static_cast<double>(all);
}

}  // namespace

TEST_CASE("a saturated FIFO lock is reacquired after exactly n - 1 others, with shares as equal as can be",
          "[timing]") {
    const std::string type = GENERATE(from_range(fifo_locks()));
    for (const std::int32_t n : {4, 8, 16}) {
        INFO(type << ", n = " << n);
        const RunResult r = saturated(type, n, Discipline::fifo, milliseconds(2));
        CHECK(r.locks[0].reacquire_p50 == n - 1);
        CHECK(r.locks[0].reacquire_p99 == n - 1);
        CHECK(r.locks[0].longest_bypass == static_cast<std::uint64_t>(n - 2));  // the next had it before the wait began
        const double q = std::floor(static_cast<double>(r.locks[0].acquisitions) / n);
        CHECK(r.locks[0].jain.value() >= 1 - 1 / (4 * q * q));  // shares of q and q + 1
        CHECK(top_half(r) == Catch::Approx(0.5).margin(0.5 * n / static_cast<double>(r.locks[0].acquisitions)));
    }
}

namespace {

/// Over seeds: reacquisition, and inequality as measured, each relative to what a uniform winner gives.
struct Winner {
    double p50 = 0, p99 = 0;
    double unequal = 0;  ///< (1 - Jain) M / (n - 1)
    double top = 0;      ///< (top half - 1/2) sqrt(2 pi M / n)
};
Winner winner_of(const std::string& type, std::int32_t n, int seeds) {
    Winner w;
    for (int seed = 1; seed <= seeds; ++seed) {
        const RunResult r = saturated(type, n, Discipline::random, milliseconds(20), static_cast<std::uint64_t>(seed));
        REQUIRE(r.locks[0].longest_streak == 1);  // the last owner is away for one hand-over, and for one only
        const auto m = static_cast<double>(r.locks[0].acquisitions);
        w.p50 += r.locks[0].reacquire_p50 / seeds;
        w.p99 += r.locks[0].reacquire_p99 / seeds;
        w.unequal += (1 - r.locks[0].jain.value()) * m / (n - 1) / seeds;
        w.top += (top_half(r) - 0.5) * std::sqrt(2 * M_PI * m / n) / seeds;
    }
    return w;
}

}  // namespace

TEST_CASE("where the line picks at random, the winner among a lock's waiters is uniform", "[timing]") {
    // Test-and-set and test-and-test-and-set: whoever of the waiters' exchanges is served first after the release. A
    // thread that comes back is one of n - 1, since the present owner is not among them: it waits for k hand-overs with
    // probability (1 - 1/(n-1))^k, and has the lock again after at most k others with 1 - (1 - 1/(n-1))^k.
    //
    // That nobody has the lock twice in a row makes shares a little more equal than independent draws: the variance of
    // a count is (n - 2) / n of theirs, hence Jain's index 1 - (n-1)/M (n-2)/n, and the better half has 1/2 + sqrt(n /
    // M) / sqrt(2 pi) sqrt((n-2)/n).
    //
    // With no time between release and the next try it does not hold: the last owner still has the line and wins again.
    // With a FIFO line it does not hold either: fixed arbitration then locks the phases, and some never win.
    const std::string type = GENERATE(as<std::string>(), "tas", "ttas");
    const std::int32_t n = GENERATE(4, 8, 16);
    INFO(type << ", n = " << n);
    const int seeds = 20;
    const Winner w = winner_of(type, n, seeds);
    const auto hand_overs = [n](double still_waiting) { return std::log(still_waiting) / std::log(1 - 1.0 / (n - 1)); };
    CHECK(w.p50 == Catch::Approx(std::ceil(hand_overs(0.5))).margin(0.5));
    CHECK(w.p99 == Catch::Approx(std::ceil(hand_overs(0.01))).epsilon(0.05).margin(0.6));
    // (1 - Jain) is a chi-square with n - 1 degrees of freedom: relative standard deviation sqrt(2 / (n-1)) a seed. The
    // top half's share varies by about as much. Four standard errors:
    const double error = 4 * std::sqrt(2.0 / (n - 1) / seeds);
    CHECK(w.unequal == Catch::Approx((n - 2.0) / n).epsilon(error));
    // The formula is for large n. For few, the better half of n normals (their order statistics) has a little less.
    const double few = n == 4 ? 0.8304 : n == 8 ? 0.9089 : 0.9523;
    CHECK(w.top == Catch::Approx(std::sqrt((n - 2.0) / n) * few).epsilon(error));
}

TEST_CASE("a test-and-set lock that is tried again at once is mostly taken again by its last owner", "[timing]") {
    // With fixed arbitration and no noise anything may come out, from one owner for ever to round robin: phases lock.
    const std::string type = GENERATE(as<std::string>(), "tas", "ttas");
    MachineConfig machine = round_machine(4);
    machine.arbitration = Arbitration::drawn;
    machine.retention = nanoseconds(6);
    Scenario s = scenario(machine, type, 4, section(constant(nanoseconds(500)), constant(Time{})), milliseconds(20));
    const RunResult r = run_of(s);
    CHECK(r.locks[0].reacquire_p50 == 0);
    CHECK(r.locks[0].longest_streak > 20);
}
