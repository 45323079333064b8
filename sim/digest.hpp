#pragma once
// A running 64-bit hash of what happened. Order matters: equal digests mean the same events in the same order.
// Callers hash offsets and numbers, never host addresses.

#include <cstdint>

namespace sim {

class Digest {
public:
    /// One event: what, by whom, when, and two words that say the rest.
    void add(std::uint32_t what, std::uint32_t who, std::int64_t when, std::uint64_t a, std::uint64_t b) {
        const std::uint64_t event = (std::uint64_t{what} << 32 | who) * 0x9E3779B97F4A7C15u +
                                    static_cast<std::uint64_t>(when) * 0xD6E8FEB86659FD93u + a * 0xC2B2AE3D27D4EB4Fu +
                                    b * 0x165667B19E3779F9u;
        value_ = mix(value_ ^ event);
    }
    std::uint64_t value() const { return value_; }

    /// Stafford's 13th variant of the MurmurHash3 finalizer, as in splitmix64.
    static constexpr std::uint64_t mix(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        return x ^ (x >> 31);
    }

private:
    std::uint64_t value_ = 0;
};

}  // namespace sim
