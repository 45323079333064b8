#pragma once
// Named random streams: each is derived from (seed, name, index) alone, so that a new consumer disturbs no other.
// The generator is splitmix64 (Steele, Lea, Flood, OOPSLA 2014); distributions use integers only, so that every
// compiler and C library draws the same.

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/digest.hpp"
#include "sim/time.hpp"

namespace sim {

class RandomStream {
public:
    RandomStream() = default;
    RandomStream(std::uint64_t seed, std::string_view name, std::uint64_t index = 0) {
        std::uint64_t h = Digest::mix(seed + 0x9E3779B97F4A7C15u);
        for (const char c : name) { h = Digest::mix(h ^ static_cast<unsigned char>(c)); }
        state_ = Digest::mix(h ^ Digest::mix(index));
    }

    std::uint64_t next() { return Digest::mix(state_ += 0x9E3779B97F4A7C15u); }

    /// Uniform in [0, n). The bias is below n / 2^64.
    std::uint64_t below(std::uint64_t n) {
        return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * n) >> 64);
    }
    /// Uniform in [low, high].
    std::int64_t uniform(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
    }
    /// Exponential with this mean, at most 44 means: -ln(u) by a table of logarithms (relative error below 1e-5).
    std::int64_t exponential(std::int64_t mean) {
        const std::uint64_t log2 = negative_log2(next());  // 32 fraction bits
        const auto product = static_cast<unsigned __int128>(mean) * log2 * ln2_q32;
        return static_cast<std::int64_t>(product >> 64);
    }

private:
    static constexpr std::uint64_t ln2_q32 = 2977044472u;  // ln 2 * 2^32

    /// log2(1 + i/256) with 32 fraction bits, by repeated squaring.
    static constexpr std::array<std::uint64_t, 257> make_log2_table() {
        std::array<std::uint64_t, 257> table{};
        for (std::uint64_t i = 0; i <= 256; ++i) {
            std::uint64_t x = (256 + i) << 23;  // in [1, 2], 31 fraction bits
            std::uint64_t result = 0;
            if (i == 256) {
                table[i] = std::uint64_t{1} << 32;
                continue;
            }
            for (int bit = 31; bit >= 0; --bit) {
                x = (x * x) >> 31;
                if (x >= std::uint64_t{1} << 32) {
                    result |= std::uint64_t{1} << bit;
                    x >>= 1;
                }
            }
            table[i] = result;
        }
        return table;
    }

    /// -log2((r + 1) / 2^64) with 32 fraction bits.
    static std::uint64_t negative_log2(std::uint64_t r) {
        static constexpr auto table = make_log2_table();
        if (r == ~std::uint64_t{0}) { return 0; }
        const std::uint64_t x = r + 1;
        const auto zeros = static_cast<unsigned>(__builtin_clzll(x));
        const std::uint64_t mantissa = zeros == 63 ? 0 : (x << zeros) << 1;  // fraction below the leading one
        const auto index = static_cast<std::size_t>(mantissa >> 56);
        const std::uint64_t rest = (mantissa >> 24) & 0xFFFFFFFFu;
        const std::uint64_t log2 = table[index] + (((table[index + 1] - table[index]) * rest) >> 32);
        return (std::uint64_t{zeros + 1} << 32) - log2;
    }

    std::uint64_t state_ = 0;
};

}  // namespace sim
