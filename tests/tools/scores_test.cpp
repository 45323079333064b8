// The arithmetic of `validate`, on figures made up so that the answer is known.

#include "tools/locksim/validating/scores.hpp"
#include "tests/catch.hpp"
#include "tools/locksim/validating/closed_forms.hpp"

using namespace locksim;
using Catch::Approx;

TEST_CASE("The ideal is the section alone, or the threads' work shared out, whichever is longer", "[unit]") {
    CHECK(ideal_time(1000, 0, 25, 4) == 1000);
    CHECK(ideal_time(1000, 5000, 25, 4) == Approx(6025.0 / 4));
    CHECK(ideal_time(0, 0, 25, 5) == 5);
}

TEST_CASE("An error counts against what a lock costs beyond the ideal, of which at least 20 ns are given", "[unit]") {
    CHECK(excess_error(1100, 1110, 1000) == Approx(0.1));
    CHECK(excess_error(1100, 1090, 1000) == Approx(0.1));
    CHECK(excess_error(1005, 1010, 1000) == Approx(0.25));  // 5 of 20
    CHECK(excess_error(900, 1000, 1000) == Approx(5));      // faster than an exclusive lock can be: still 20
}

TEST_CASE("Off by so many times is the same up and down", "[unit]") {
    CHECK(off_by(100, 250) == Approx(2.5));
    CHECK(off_by(250, 100) == Approx(2.5));
    CHECK(off_by(7, 7) == 1);
}

TEST_CASE("The median of an even number of values lies between the middle two", "[unit]") {
    CHECK(median({3, 1, 2}) == 2);
    CHECK(median({4, 1, 2, 3}) == 2.5);
}

TEST_CASE("The null model finds the constant hand-over that figures were made with, and is then right", "[unit]") {
    for (const double hand_over : {12.0, 130.0, 2500.0}) {
        std::vector<NullCase> cases;
        for (const double threads : {4.0, 8.0, 16.0, 48.0}) {
            for (const double critical : {0.0, 200.0, 1000.0}) {
                NullCase at{.critical = critical, .outside = 500, .overhead = 25, .threads = threads};
                at.published = null_time(at, hand_over);
                cases.push_back(at);
            }
        }
        const auto error = [](const NullCase& at, double time) {
            return excess_error(at.published, time, ideal_time(at.critical, at.outside, at.overhead, at.threads));
        };
        const auto found = best_null_model(cases, error);
        REQUIRE(found);
        CHECK(found->hand_over_ns == Approx(hand_over).epsilon(0.005));
        CHECK(found->median_error < 0.01);
        CHECK(found->worst < 1.01);
    }
    CHECK_FALSE(best_null_model({}, [](const NullCase&, double) { return 0.0; }));
}

TEST_CASE("The null model is wrong where hand-overs grow with the number of threads", "[unit]") {
    std::vector<NullCase> cases;
    for (const double threads : {4.0, 8.0, 16.0, 32.0, 48.0}) {
        cases.push_back({.published = 50 * threads, .threads = threads});
    }
    const auto found = best_null_model(cases, [](const NullCase& at, double time) {
        return excess_error(at.published, time, ideal_time(0, 0, 0, at.threads));
    });
    CHECK(found->median_error > 0.3);
}

TEST_CASE("Kendall's tau is 1 for the same order, -1 for the reverse, and forgives ties", "[unit]") {
    CHECK(*kendall_tau({{1, 10}, {2, 20}, {4, 40}}, 1.1) == Approx(1));
    CHECK(*kendall_tau({{1, 40}, {2, 20}, {4, 10}}, 1.1) == Approx(-1));
    // Within 10 % in both rankings: the pair says nothing.
    CHECK(*kendall_tau({{1, 10}, {2, 20}, {2.1, 19.5}}, 1.1) == Approx(1));
    // Tied in one only: tau-b.
    CHECK(*kendall_tau({{1, 10}, {2, 20}, {4, 20.5}}, 1.1) == Approx(2 / std::sqrt(3.0 * 2.0)));
    CHECK_FALSE(kendall_tau({{1, 10}, {1, 20}}, 1.1));  // the first ranking ties all
}

TEST_CASE("A crossover is where the second curve becomes the faster one for good", "[unit]") {
    CHECK(*crossover({{4, 100, 200}, {8, 150, 200}, {16, 250, 200}, {24, 300, 200}}) == Approx(12));
    CHECK_FALSE(crossover({{4, 100, 200}, {8, 150, 200}}));                  // never
    CHECK_FALSE(crossover({{4, 300, 200}, {8, 350, 200}}));                  // from the beginning
    CHECK_FALSE(crossover({{4, 100, 200}, {8, 250, 200}, {16, 100, 200}}));  // not for good
    CHECK(*crossover({{4, 250, 200}, {8, 150, 200}, {16, 250, 200}}) == Approx(12));
}

TEST_CASE("The closed forms of validate agree with their published values", "[unit]") {
    using namespace closed_forms;
    CHECK(utilization_exponential(4, 5, 1) == Approx(0.60166).margin(6e-6));
    CHECK(utilization(6, 5, 1, phi_constant) == Approx(0.85281).margin(6e-6));
    CHECK(utilization(8, 5, 1, phi_uniform) == Approx(0.95290).margin(6e-6));
    CHECK(bound(4, 5, 1) == Approx(4.0 / 6));
    CHECK(bound(32, 5, 1) == 1);
    CHECK(hand_overs_random(5, 0.001) == 25);  // four others
    CHECK(two_speeds(4, 1, 4, 2) == Approx(8.0 / 12));
}
