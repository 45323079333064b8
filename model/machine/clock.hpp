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
    explicit constexpr FineTime(sim::Time t) : raw_(static_cast<Raw>(static_cast<std::uint64_t>(t.ps)) << 64) {}
    static constexpr FineTime from_raw(Raw raw) {
        FineTime t;
        t.raw_ = raw;
        return t;
    }

    constexpr sim::Time time() const { return {static_cast<std::int64_t>(raw_ >> 64)}; }  ///< rounded down
    constexpr Raw raw() const { return raw_; }

    friend constexpr FineTime operator+(FineTime a, FineTime b) { return from_raw(a.raw_ + b.raw_); }
    friend constexpr FineTime operator-(FineTime a, FineTime b) { return from_raw(a.raw_ - b.raw_); }
    friend constexpr FineTime operator*(FineTime a, std::uint64_t n) { return from_raw(a.raw_ * n); }
    friend constexpr auto operator<=>(FineTime, FineTime) = default;

private:
    Raw raw_ = 0;
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
