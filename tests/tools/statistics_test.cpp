// Means and intervals of `compare`, against published quantiles, and against the truth where it is known.

#include "tools/locksim/side_by_side/statistics.hpp"

#include <cmath>
#include <random>

#include "tests/catch.hpp"

using namespace locksim;
using Catch::Approx;

TEST_CASE("Student's t has its published quantiles", "[unit]") {
    // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
    struct Published {
        std::size_t degrees;
        double t_900, t_975, t_995;
    };
    for (const Published& row :
         {Published{1, 3.078, 12.706, 63.657}, Published{2, 1.886, 4.303, 9.925}, Published{3, 1.638, 3.182, 5.841},
          Published{4, 1.533, 2.776, 4.604}, Published{5, 1.476, 2.571, 4.032}, Published{9, 1.383, 2.262, 3.250},
          Published{10, 1.372, 2.228, 3.169}, Published{30, 1.310, 2.042, 2.750},
          Published{100, 1.290, 1.984, 2.626}}) {
        INFO(row.degrees << " degrees of freedom");
        CHECK(std::round(t_quantile(0.90, row.degrees) * 1000) == std::round(row.t_900 * 1000));
        CHECK(std::round(t_quantile(0.975, row.degrees) * 1000) == std::round(row.t_975 * 1000));
        CHECK(std::round(t_quantile(0.995, row.degrees) * 1000) == std::round(row.t_995 * 1000));
    }
    CHECK(t_quantile(0.5, 7) == Approx(0).margin(1e-12));
    CHECK(t_quantile(0.025, 4) == -t_quantile(0.975, 4));
    CHECK(t_quantile(0.975, 100'000) == Approx(1.95999).margin(0.0001));  // the normal distribution's 1.95996
}

TEST_CASE("The interval of a mean is t times its standard error", "[unit]") {
    const std::vector<double> samples{1, 2, 3, 4, 5};  // variance 2.5, standard error sqrt(0.5)
    const auto estimate = estimate_mean(samples);
    REQUIRE(estimate);
    CHECK(estimate->n == 5);
    CHECK(estimate->value == 3);
    CHECK(estimate->interval->high == Approx(3 + 2.7764451 * std::sqrt(0.5)));
    CHECK(estimate->interval->low == Approx(3 - 2.7764451 * std::sqrt(0.5)));
}

TEST_CASE("A single sample has no interval, no sample no mean", "[unit]") {
    CHECK_FALSE(estimate_mean({}));
    CHECK_FALSE(estimate_ratio({}));
    const auto one = estimate_ratio({{3, 2}});
    CHECK(one->value == Approx(1.5));
    CHECK_FALSE(one->interval);
}

TEST_CASE("Samples that are all the same have exactly their value and no width", "[unit]") {
    const std::vector<double> samples(7, 0.1);  // whose sum is not 0.7
    CHECK(estimate_mean(samples)->value == 0.1);
    CHECK(estimate_mean(samples)->exact());
    const Pairs pairs{{382.1, 382.1}, {401.7, 401.7}, {0.3, 0.3}};
    CHECK(estimate_ratio(pairs)->value == 1);
    CHECK(estimate_ratio(pairs)->exact());
    CHECK(estimate_difference(pairs)->value == 0);
    CHECK(estimate_difference(pairs)->exact());
}

TEST_CASE("What a pair has in common does not widen the interval", "[unit]") {
    // Seeds differ by a factor of ten, the variants by 2 % in each.
    const Pairs pairs{{102, 100}, {510, 500}, {1020, 1000}};
    CHECK(estimate_ratio(pairs)->value == Approx(1.02));
    CHECK(estimate_ratio(pairs)->interval->low == Approx(1.02));
    CHECK(estimate_ratio(pairs)->interval->high == Approx(1.02));
}

TEST_CASE("Swapping the two inverts the ratio and its interval", "[unit]") {
    const auto there = estimate_ratio({{2, 1}, {3, 1}, {9, 2}});
    const auto back = estimate_ratio({{1, 2}, {1, 3}, {2, 9}});
    CHECK(back->value == Approx(1 / there->value));
    CHECK(back->interval->low == Approx(1 / there->interval->high));
    CHECK(back->interval->high == Approx(1 / there->interval->low));
}

TEST_CASE("There is no ratio to nothing, but a difference", "[unit]") {
    CHECK_FALSE(estimate_ratio({{1, 0}, {1, 1}}));
    CHECK_FALSE(estimate_ratio({{0, 1}, {1, 1}}));
    CHECK(estimate_difference({{1, 0}, {1, 1}})->value == 0.5);
}

TEST_CASE("Of repeated experiments 95 % have the truth in their interval", "[unit]") {
    // Four thousand experiments of five seeds each. The true ratio is 1.25; the seed moves both by up to a factor of
    // two, and each on its own by a few per cent. With p = 0.95 the share of hits has a standard deviation of 0.34 %:
    // four of them on either side.
    constexpr int experiments = 4000;
    constexpr double truth = 1.25;
    std::mt19937_64 random(20261130);
    // Sum of twelve, as std::normal_distribution differs between libraries.
    const auto gauss = [&random] {
        double sum = -6;
        for (int i = 0; i < 12; ++i) { sum += static_cast<double>(random() >> 11U) * 0x1p-53; }
        return sum;
    };
    int mean_hits = 0;
    int ratio_hits = 0;
    int difference_hits = 0;
    int unpaired_wider = 0;
    for (int i = 0; i < experiments; ++i) {
        Pairs ratios;
        Pairs differences;
        std::vector<double> values;
        for (int seed = 0; seed < 5; ++seed) {
            const double common = 100 * std::exp2(gauss() / 3);
            ratios.emplace_back(truth * common * std::exp(0.03 * gauss()), common * std::exp(0.03 * gauss()));
            differences.emplace_back(common + 25 + gauss(), common + gauss());
            values.push_back(100 + 20 * gauss());
        }
        mean_hits += estimate_mean(values)->interval->contains(100) ? 1 : 0;
        ratio_hits += estimate_ratio(ratios)->interval->contains(truth) ? 1 : 0;
        const auto difference = estimate_difference(differences);
        difference_hits += difference->interval->contains(25) ? 1 : 0;
        std::vector<double> alone;
        for (const auto& [value, reference] : differences) { alone.push_back(value); }
        const auto spread = estimate_mean(alone);
        unpaired_wider +=
            spread->interval->high - spread->interval->low > difference->interval->high - difference->interval->low ? 1
                                                                                                                    : 0;
    }
    for (const int hits : {mean_hits, ratio_hits, difference_hits}) {
        INFO(hits << " of " << experiments);
        CHECK(std::abs(hits / static_cast<double>(experiments) - 0.95) < 0.0138);
    }
    CHECK(unpaired_wider > experiments * 99 / 100);
}
