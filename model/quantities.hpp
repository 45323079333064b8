#pragma once
// The quantities that configurations are written in: frequencies, spans of cycles or of time, shares and
// distributions of spans. Plain values; how they are spelled in a file is the loader's business
// (model/scenario/reading/units.hpp).

#include <cstdint>

#include "sim/time.hpp"

namespace model {

struct Frequency {
    std::int64_t hz = 0;
    friend constexpr auto operator<=>(Frequency, Frequency) = default;
};

/// A length of work: cycles of the CPU that does it, or a time that no clock changes. One of the two is zero.
struct Span {
    std::int64_t cycles = 0;
    sim::Time time{};
    friend constexpr bool operator==(Span, Span) = default;
};
constexpr Span cycles(std::int64_t n) { return {n, {}}; }
constexpr Span span(sim::Time t) { return {0, t}; }

/// A share, in parts per million (1 % = 10'000).
struct Share {
    std::int32_t ppm = 0;
    friend constexpr auto operator<=>(Share, Share) = default;
};

/// A span that may be drawn anew each time it is used.
struct Distribution {
    enum class Kind { constant, uniform, exponential };
    Kind kind = Kind::constant;
    Span low;   ///< constant: the value; uniform: the lower end; exponential: the mean
    Span high;  ///< uniform only: the upper end, in the same unit as `low`
    friend constexpr bool operator==(const Distribution&, const Distribution&) = default;
};

}  // namespace model
