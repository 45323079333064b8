// Simulated time: exact integer arithmetic.
#include "sim/time.hpp"

#include "tests/catch.hpp"

using namespace sim;

TEST_CASE("the units of time are exact multiples of each other", "[unit]") {
    CHECK(nanoseconds(1) == picoseconds(1'000));
    CHECK(microseconds(1) == nanoseconds(1'000));
    CHECK(milliseconds(1) == microseconds(1'000));
    CHECK(seconds(1) == milliseconds(1'000));
    CHECK(seconds(9'000'000) < Time::max());  // 104 days still fit
}

TEST_CASE("times add, subtract, scale and divide without rounding up", "[unit]") {
    CHECK(nanoseconds(3) + picoseconds(1) == picoseconds(3'001));
    CHECK(nanoseconds(3) - picoseconds(1) == picoseconds(2'999));
    CHECK(nanoseconds(3) * 7 == nanoseconds(21));
    CHECK(7 * nanoseconds(3) == nanoseconds(21));
    CHECK(picoseconds(10) / 3 == picoseconds(3));
    CHECK(nanoseconds(10) / nanoseconds(3) == 3);
    CHECK(nanoseconds(10) % nanoseconds(3) == nanoseconds(1));

    Time t = nanoseconds(1);
    t += picoseconds(5);
    t -= nanoseconds(1);
    CHECK(t == picoseconds(5));
}

TEST_CASE("times are ordered as numbers are", "[unit]") {
    CHECK(picoseconds(-1) < Time{});
    CHECK(picoseconds(999) < nanoseconds(1));
    CHECK(nanoseconds(1) <= picoseconds(1'000));
    CHECK(to_nanoseconds(picoseconds(1'500)) == 1.5);
}
