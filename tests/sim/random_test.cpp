// Named random streams: golden draws, independence, and the moments of the distributions against exact values.
#include "sim/random.hpp"

#include <vector>

#include "tests/catch.hpp"

using sim::RandomStream;

namespace {

std::vector<std::uint64_t> draws(RandomStream stream, std::size_t n) {
    std::vector<std::uint64_t> result;
    for (std::size_t i = 0; i < n; ++i) { result.push_back(stream.next()); }
    return result;
}

/// Bits in which two sequences of 64-bit words agree, as a share.
double agreement(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    double equal = 0;
    for (std::size_t i = 0; i < a.size(); ++i) { equal += __builtin_popcountll(~(a[i] ^ b[i])); }
    return equal / static_cast<double>(a.size() * 64);
}

}  // namespace

TEST_CASE("a stream draws the same numbers on every host and in every build", "[unit]") {
    CHECK(draws(RandomStream(1, "arbitration"), 3) ==
          std::vector<std::uint64_t>{0x74BD4A83FF54F7B2u, 0x46CB42BF43EA03FFu, 0xE8F3C5AFE9B22C6Bu});
    CHECK(draws(RandomStream(1, "arbitration", 7), 2) ==
          std::vector<std::uint64_t>{0xDEF66F3D6AFFF1E4u, 0xC3F27E92316AEE23u});

    RandomStream stream(42, "program", 3);
    CHECK(stream.below(1'000) == 210);
    CHECK(stream.uniform(-50, 50) == 16);
    CHECK(stream.exponential(1'000'000) == 710'715);
    CHECK(stream.exponential(1'000'000'000'000) == 301'782'342'132);
}

TEST_CASE("streams of another seed, name or index share nothing", "[unit]") {
    const std::size_t n = 4'000;
    const auto base = draws(RandomStream(1, "program", 0), n);
    const RandomStream others[] = {{2, "program", 0}, {1, "programs", 0}, {1, "work noise", 0},
                                   {1, "program", 1}, {1, "program", 2},  {0, "program", 0}};
    for (const RandomStream& other : others) {
        // 256,000 fair bits: standard deviation 0.001.
        CHECK(agreement(base, draws(other, n)) == Catch::Approx(0.5).margin(0.005));
    }
}

TEST_CASE("a stream does not notice how much others draw", "[unit]") {
    RandomStream alone(9, "a");
    RandomStream beside(9, "a");
    RandomStream other(9, "b");
    for (int i = 0; i < 100; ++i) {
        for (int k = 0; k < i; ++k) { other.next(); }
        REQUIRE(alone.next() == beside.next());
    }
}

TEST_CASE("uniform draws reach both ends and stay inside", "[unit]") {
    RandomStream stream(3, "uniform");
    std::vector<int> seen(7);
    for (int i = 0; i < 70'000; ++i) {
        const std::int64_t v = stream.uniform(-3, 3);
        REQUIRE(v >= -3);
        REQUIRE(v <= 3);
        ++seen[static_cast<std::size_t>(v + 3)];
    }
    for (const int count : seen) { CHECK(count == Catch::Approx(10'000).margin(500)); }  // five standard deviations
    CHECK(stream.uniform(5, 5) == 5);
    CHECK(stream.below(1) == 0);
}

TEST_CASE("exponential draws have the mean, the variance and the tail of the exponential distribution", "[unit]") {
    // A million draws: the mean is good to 0.1 %, the variance to 0.3 %, a share p to sqrt(p / n).
    constexpr std::int64_t n = 1'000'000;
    const std::int64_t mean = GENERATE(1'000'000, 40'000'000'000);
    RandomStream stream(11, "exponential");
    double sum = 0;
    double squares = 0;
    std::int64_t above_one = 0;
    std::int64_t above_three = 0;
    std::int64_t above_nine = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t v = stream.exponential(mean);
        REQUIRE(v >= 0);
        REQUIRE(v <= 45 * mean);
        const double x = static_cast<double>(v) / static_cast<double>(mean);
        sum += x;
        squares += x * x;
        above_one += v > mean;
        above_three += v > 3 * mean;
        above_nine += v > 9 * mean;
    }
    const double average = sum / n;
    CHECK(average == Catch::Approx(1).margin(0.004));
    CHECK(squares / n - average * average == Catch::Approx(1).margin(0.012));
    CHECK(above_one == Catch::Approx(367'879).margin(2'000));  // e^-1
    CHECK(above_three == Catch::Approx(49'787).margin(900));   // e^-3
    CHECK(above_nine == Catch::Approx(123.4).margin(45));      // e^-9
}

TEST_CASE("exponential draws with a small or zero mean stay sensible", "[unit]") {
    RandomStream stream(5, "small");
    double sum = 0;
    for (int i = 0; i < 100'000; ++i) {
        REQUIRE(stream.exponential(0) == 0);
        sum += static_cast<double>(stream.exponential(10));
    }
    CHECK(sum / 100'000 == Catch::Approx(9.5).margin(0.2));  // rounded down: half a unit less
}
