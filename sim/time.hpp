#pragma once
// Simulated time: a strong 64-bit count of picoseconds. One type serves instants and spans, as a kernel's
// ktime_t does. No floating point: 2^63 ps are 106 days, and every sum is exact.

#include <compare>
#include <cstdint>
#include <limits>

namespace sim {

struct Time {
    std::int64_t ps = 0;

    static constexpr Time max() { return {std::numeric_limits<std::int64_t>::max()}; }

    friend constexpr auto operator<=>(Time, Time) = default;
    friend constexpr Time operator+(Time a, Time b) { return {a.ps + b.ps}; }
    friend constexpr Time operator-(Time a, Time b) { return {a.ps - b.ps}; }
    friend constexpr Time operator*(Time a, std::int64_t n) { return {a.ps * n}; }
    friend constexpr Time operator*(std::int64_t n, Time a) { return {a.ps * n}; }
    friend constexpr Time operator/(Time a, std::int64_t n) { return {a.ps / n}; }
    friend constexpr std::int64_t operator/(Time a, Time b) { return a.ps / b.ps; }
    friend constexpr Time operator%(Time a, Time b) { return {a.ps % b.ps}; }
    constexpr Time& operator+=(Time b) {
        ps += b.ps;
        return *this;
    }
    constexpr Time& operator-=(Time b) {
        ps -= b.ps;
        return *this;
    }
};

constexpr Time picoseconds(std::int64_t n) { return {n}; }
constexpr Time nanoseconds(std::int64_t n) { return {n * 1'000}; }
constexpr Time microseconds(std::int64_t n) { return {n * 1'000'000}; }
constexpr Time milliseconds(std::int64_t n) { return {n * 1'000'000'000}; }
constexpr Time seconds(std::int64_t n) { return {n * 1'000'000'000'000}; }

/// For reports only: the model never computes with this.
constexpr double to_nanoseconds(Time t) { return static_cast<double>(t.ps) / 1e3; }

}  // namespace sim
