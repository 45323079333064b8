// A CPU's clock: cycles become time without drift.
#include "model/machine/clock.hpp"

#include "sim/random.hpp"
#include "tests/catch.hpp"

using namespace model;
using sim::nanoseconds;
using sim::picoseconds;
using sim::Time;

TEST_CASE("a fine time is a time with 64 more bits, and rounds down", "[unit]") {
    CHECK(FineTime(picoseconds(5)).time() == picoseconds(5));
    CHECK(FineTime(Time::max()).time() == Time::max());
    const FineTime just_below = FineTime(picoseconds(5)) - FineTime::from_raw(1);
    CHECK(just_below.time() == picoseconds(4));
    CHECK((just_below + FineTime::from_raw(1)).time() == picoseconds(5));
    CHECK(FineTime(picoseconds(7)) * 3 == FineTime(picoseconds(21)));
}

TEST_CASE("round clocks have round cycles", "[timing]") {
    CHECK(Clock({1'000'000'000}).cycles(1).time() == nanoseconds(1));
    CHECK(Clock({10'000'000'000}).cycles(1).time() == picoseconds(100));
    CHECK(Clock({1'000}).cycles(3).time() == sim::milliseconds(3));
    CHECK(Clock({2'000'000'000}).length({.cycles = 4, .time = nanoseconds(5)}).time() == nanoseconds(7));
}

TEST_CASE("a clock is off by less than a picosecond after 10^12 cycles", "[timing]") {
    const std::int64_t hz = GENERATE(300'000'000, 1'800'000'000, 2'016'000'000, 2'999'999'999, 3'000'000'000, 7);
    const std::int64_t n = hz == 7 ? 10'000'000 : 1'000'000'000'000;  // 10^12 cycles of 1/7 s are more than Time holds
    const auto exact = static_cast<std::int64_t>(static_cast<unsigned __int128>(n) * 1'000'000'000'000u /
                                                 static_cast<std::uint64_t>(hz));
    const std::int64_t got = Clock({hz}).cycles(n).time().ps;
    CHECK(got <= exact);
    CHECK(got >= exact - 1);  // a period is rounded down by up to 2^-64 ps
}

TEST_CASE("cycles cut into any pieces end where they end in one piece", "[timing]") {
    const Clock clock({GENERATE(1'800'000'000, 2'016'000'000, 2'999'999'999)});
    sim::RandomStream random(1, "pieces");
    const std::int64_t total = 1'000'000'000'000;
    FineTime sum;
    std::int64_t left = total;
    while (left > 0) {
        const std::int64_t piece = std::min(left, random.uniform(1, 40'000'000));
        sum = sum + clock.cycles(piece);
        left -= piece;
    }
    CHECK(sum == clock.cycles(total));
}

TEST_CASE("whole cycles in a span are counted down, exactly at the boundary", "[timing]") {
    const Clock clock({3'000'000'000});  // 333.3 ps
    for (const std::int64_t n : {1, 2, 3, 1'000'000}) {
        CHECK(clock.whole_cycles(clock.cycles(n)) == n);
        CHECK(clock.whole_cycles(clock.cycles(n) - FineTime::from_raw(1)) == n - 1);
    }
    CHECK(clock.whole_cycles(FineTime(picoseconds(333))) == 0);
    CHECK(clock.whole_cycles(FineTime(picoseconds(334))) == 1);
}
