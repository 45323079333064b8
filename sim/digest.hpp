#pragma once
// A running 64-bit hash of what happened. Order matters: equal digests mean the same events in the same order.
// Callers hash offsets and numbers, never host addresses.

#include <cstdint>

namespace sim {

class Digest {
public:
    /// One event: what, by whom, when, and two words that say the rest. Two multiplications whose high and low halves
    /// are folded, as in wyhash: the cheapest mixing that a 64-bit host has.
    void add(std::uint32_t what, std::uint32_t who, std::int64_t when, std::uint64_t a, std::uint64_t b) {
        const std::uint64_t said = fold(a ^ 0xC2B2AE3D27D4EB4Fu, b ^ 0x165667B19E3779F9u);
        value_ = fold(value_ ^ (std::uint64_t{what} << 32 | who) ^ 0x9E3779B97F4A7C15u,
                      said ^ static_cast<std::uint64_t>(when) ^ 0xD6E8FEB86659FD93u);
    }
    std::uint64_t value() const { return value_; }

    /// Stafford's 13th variant of the MurmurHash3 finalizer, as in splitmix64.
    static constexpr std::uint64_t mix(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        return x ^ (x >> 31);
    }

private:
    static constexpr std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
        __extension__ using Product = unsigned __int128;
        const Product product = static_cast<Product>(x) * y;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }

    std::uint64_t value_ = 0;
};

}  // namespace sim
