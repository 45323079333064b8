#pragma once
// A histogram of non-negative integers (picoseconds, counts) with bounded relative error: 64 buckets an octave, so a
// percentile is off by less than 1/64 of itself; minimum, maximum and mean are exact.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/metrics/run_result.hpp"

namespace model {

class Histogram {
public:
    void add(std::int64_t value) {
        const std::size_t i = bucket_of(value);
        if (i >= buckets_.size()) { buckets_.resize(i + 1); }
        ++buckets_[i];
        min_ = samples_ == 0 ? value : std::min(min_, value);
        max_ = samples_ == 0 ? value : std::max(max_, value);
        ++samples_;
        sum_ += value;
    }
    void merge(const Histogram& other) {
        if (other.samples_ == 0) { return; }
        if (other.buckets_.size() > buckets_.size()) { buckets_.resize(other.buckets_.size()); }
        for (std::size_t i = 0; i < other.buckets_.size(); ++i) { buckets_[i] += other.buckets_[i]; }
        min_ = samples_ == 0 ? other.min_ : std::min(min_, other.min_);
        max_ = samples_ == 0 ? other.max_ : std::max(max_, other.max_);
        samples_ += other.samples_;
        sum_ += other.sum_;
    }
    void clear() { *this = Histogram(); }

    std::uint64_t samples() const { return samples_; }
    std::int64_t max() const { return max_; }

    /// The value that `permille` of 1000 samples do not exceed (the middle of its bucket); 0 without samples.
    std::int64_t percentile(std::uint64_t permille) const {
        if (samples_ == 0) { return 0; }
        const std::uint64_t rank = std::max<std::uint64_t>(1, (samples_ * permille + 999) / 1000);
        std::uint64_t seen = 0;
        for (std::size_t i = 0; i < buckets_.size(); ++i) {
            seen += buckets_[i];
            if (seen >= rank) { return std::clamp(middle_of(i), min_, max_); }
        }
        return max_;
    }

    /// In units of `unit` (1000: picoseconds as nanoseconds).
    Summary summary(double unit) const {
        Summary s;
        s.samples = samples_;
        if (samples_ == 0) { return s; }
        s.min = static_cast<double>(min_) / unit;
        s.max = static_cast<double>(max_) / unit;
        s.mean = static_cast<double>(sum_) / static_cast<double>(samples_) / unit;
        s.p50 = static_cast<double>(percentile(500)) / unit;
        s.p90 = static_cast<double>(percentile(900)) / unit;
        s.p99 = static_cast<double>(percentile(990)) / unit;
        s.p999 = static_cast<double>(percentile(999)) / unit;
        return s;
    }

    /// Bucket arithmetic, for the tests.
    static std::size_t bucket_of(std::int64_t value) {
        const auto v = static_cast<std::uint64_t>(value);
        if (v < sub_buckets) { return static_cast<std::size_t>(v); }
        const auto exponent = static_cast<unsigned>(63 - __builtin_clzll(v));
        const unsigned shift = exponent - sub_bits;
        return static_cast<std::size_t>((std::uint64_t{shift} << sub_bits) + (v >> shift));
    }
    static std::int64_t middle_of(std::size_t bucket) {
        if (bucket < sub_buckets) { return static_cast<std::int64_t>(bucket); }
        const std::uint64_t shift = (bucket >> sub_bits) - 1;
        const std::uint64_t low = (bucket - (shift << sub_bits)) << shift;
        return static_cast<std::int64_t>(low + ((std::uint64_t{1} << shift) >> 1));
    }

private:
    static constexpr unsigned sub_bits = 6;
    static constexpr std::uint64_t sub_buckets = std::uint64_t{1} << sub_bits;

    std::vector<std::uint32_t> buckets_;
    std::uint64_t samples_ = 0;
    __extension__ __int128 sum_ = 0;
    std::int64_t min_ = 0;
    std::int64_t max_ = 0;
};

}  // namespace model
