// The histogram: its error bound over the whole range, and percentiles against a sorted list.
#include "model/metrics/histogram.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "sim/random.hpp"
#include "tests/catch.hpp"

using model::Histogram;

namespace {

constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

/// Is the middle of a value's bucket within 1/64 of the value?
bool close_enough(std::int64_t value) {
    const std::int64_t middle = Histogram::middle_of(Histogram::bucket_of(value));
    return std::max(value, middle) - std::min(value, middle) <= value / 64;
}

}  // namespace

TEST_CASE("small values have a bucket each", "[unit]") {
    for (std::int64_t v = 0; v < 128; ++v) { REQUIRE(Histogram::middle_of(Histogram::bucket_of(v)) == v); }
}

TEST_CASE("the middle of a bucket is within 1/64 of every value in it, over the whole range", "[unit]") {
    sim::RandomStream random(1, "values");
    for (int bits = 0; bits < 63; ++bits) {
        const std::int64_t power = std::int64_t{1} << bits;
        for (const std::int64_t v : {power, power - 1, power + 1, power + power / 2}) { REQUIRE(close_enough(v)); }
        for (int i = 0; i < 1'000; ++i) {
            REQUIRE(close_enough(power + static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(power))));
        }
    }
    CHECK(close_enough(greatest));
}

TEST_CASE("buckets are in the order of their values, without gaps", "[unit]") {
    std::size_t before = 0;
    for (std::int64_t v = 1; v < 100'000; ++v) {
        const std::size_t bucket = Histogram::bucket_of(v);
        REQUIRE(bucket >= before);
        REQUIRE(bucket <= before + 1);
        before = bucket;
    }
}

TEST_CASE("percentiles are those of the sorted list, within 1/64", "[unit]") {
    const int kind = GENERATE(0, 1, 2);
    for (const std::size_t n : {1u, 2u, 3u, 10u, 999u, 1'000u, 1'001u, 20'000u}) {
        sim::RandomStream random(n, "percentiles");
        Histogram histogram;
        std::vector<std::int64_t> sorted;
        for (std::size_t i = 0; i < n; ++i) {
            const std::int64_t v = kind == 0   ? random.uniform(0, 100)
                                   : kind == 1 ? random.exponential(5'000'000)
                                               : 1 << random.below(30);
            histogram.add(v);
            sorted.push_back(v);
        }
        std::sort(sorted.begin(), sorted.end());
        for (const std::uint64_t permille : {1u, 500u, 900u, 990u, 999u, 1'000u}) {
            const std::size_t rank = std::max<std::size_t>(1, (n * permille + 999) / 1'000);
            const auto exact = static_cast<double>(sorted[rank - 1]);
            REQUIRE(static_cast<double>(histogram.percentile(permille)) ==
                    Catch::Approx(exact).epsilon(1.0 / 64).margin(0));
        }
    }
}

TEST_CASE("minimum, maximum, mean and count are exact", "[unit]") {
    Histogram histogram;
    for (const std::int64_t v : {1'000'001, 3, 999'999'999}) { histogram.add(v); }
    const model::Summary s = histogram.summary(1);
    CHECK(s.samples == 3);
    CHECK(s.min == 3);
    CHECK(s.max == 999'999'999);
    CHECK(s.mean == Catch::Approx((1'000'001.0 + 3 + 999'999'999) / 3).epsilon(1e-15));
    CHECK(s.p50 == Catch::Approx(1'000'001).epsilon(1.0 / 64));
    CHECK(s.p999 <= s.max);
    CHECK(histogram.summary(1'000).max == 999'999.999);
}

TEST_CASE("a sum of very large values does not overflow", "[unit]") {
    Histogram histogram;
    for (int i = 0; i < 10; ++i) { histogram.add(greatest); }
    CHECK(histogram.summary(1).mean == Catch::Approx(static_cast<double>(greatest)));
}

TEST_CASE("an empty histogram has no samples and no percentile", "[unit]") {
    Histogram histogram;
    CHECK(histogram.samples() == 0);
    CHECK(histogram.percentile(500) == 0);
    histogram.add(7);
    histogram.clear();
    CHECK(histogram.samples() == 0);
    CHECK(histogram.summary(1).samples == 0);
}

TEST_CASE("merging is as good as adding everything to one", "[unit]") {
    Histogram a;
    Histogram b;
    Histogram all;
    const Histogram empty;
    sim::RandomStream random(4, "merge");
    for (int i = 0; i < 1'000; ++i) {
        const std::int64_t v = random.exponential(i % 2 == 0 ? 100 : 1'000'000);
        (i % 2 == 0 ? a : b).add(v);
        all.add(v);
    }
    a.merge(b);
    a.merge(empty);
    for (std::uint64_t permille = 1; permille <= 1'000; permille += 37) {
        REQUIRE(a.percentile(permille) == all.percentile(permille));
    }
    CHECK(a.summary(1).mean == all.summary(1).mean);
    CHECK(a.summary(1).min == all.summary(1).min);
    Histogram target;
    target.merge(a);
    CHECK(target.summary(1).min == a.summary(1).min);
}
