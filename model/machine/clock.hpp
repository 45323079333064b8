#pragma once
// A CPU's clock: turns cycles into time without drift. A position in simulated time carries 64 fraction bits below the
// picosecond, so that n cycles are n times one cycle, however they are cut into steps (an elided spin of a million
// polls ends exactly where a million polls end). A period is exact to 2^-64 ps: 10^12 cycles are off by under 1e-7 ps.

#include <cstdint>

#include "model/quantities.hpp"
#include "sim/time.hpp"

namespace model {

/// A time or a span with 64 fraction bits below the picosecond.
class FineTime {
public:
    __extension__ using Raw = unsigned __int128;

    constexpr FineTime() = default;
    explicit constexpr FineTime(sim::Time t) : ps_(static_cast<std::uint64_t>(t.ps)) {}
    static constexpr FineTime from_raw(Raw raw) {
        FineTime t;
        t.fraction_ = static_cast<std::uint64_t>(raw);
        t.ps_ = static_cast<std::uint64_t>(raw >> 64);
        return t;
    }

    constexpr sim::Time time() const { return {static_cast<std::int64_t>(ps_)}; }  ///< rounded down
    constexpr Raw raw() const { return static_cast<Raw>(ps_) << 64 | fraction_; }

    friend constexpr FineTime operator+(FineTime a, FineTime b) { return from_raw(a.raw() + b.raw()); }
    friend constexpr FineTime operator-(FineTime a, FineTime b) { return from_raw(a.raw() - b.raw()); }
    friend constexpr FineTime operator*(FineTime a, std::uint64_t n) { return from_raw(a.raw() * n); }
    friend constexpr bool operator==(FineTime a, FineTime b) { return a.raw() == b.raw(); }
    friend constexpr auto operator<=>(FineTime a, FineTime b) { return a.raw() <=> b.raw(); }

private:
    // Two words, not one of 128 bits: a host cannot quickly load as one what it has just stored as two.
    std::uint64_t fraction_ = 0;
    std::uint64_t ps_ = 0;
};

class Clock {
public:
    explicit constexpr Clock(Frequency f)
        : frequency_(f),
          period_(FineTime::from_raw((static_cast<FineTime::Raw>(1'000'000'000'000u) << 64) /
                                     static_cast<std::uint64_t>(f.hz))) {}

    constexpr Frequency frequency() const { return frequency_; }
    constexpr FineTime cycles(std::int64_t n) const { return period_ * static_cast<std::uint64_t>(n); }
    constexpr FineTime length(Span s) const { return cycles(s.cycles) + FineTime(s.time); }
    /// Whole cycles in a span of time.
    constexpr std::int64_t whole_cycles(FineTime t) const { return static_cast<std::int64_t>(t.raw() / period_.raw()); }

private:
    Frequency frequency_;
    FineTime period_;
};

}  // namespace model
