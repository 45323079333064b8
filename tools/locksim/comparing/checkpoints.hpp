#pragma once
// Observers by which two runs of millions of steps are compared without a log of either: first a running hash of every
// step, told each so many steps, then the steps around the first hash that differs.

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <utility>

#include "sim/observer.hpp"

namespace locksim {

/// Hashes what an event log has of a step, its cause left out: texts by their letters, no host address.
class Checkpoints final : public sim::Observer {
public:
    using Tell = std::function<void(std::uint64_t steps, std::uint64_t hash)>;

    /// `tell` is called after each `stride` steps.
    Checkpoints(std::uint64_t stride, Tell tell) : stride_(stride), tell_(std::move(tell)) {}
    void on_step(const sim::Step& step) override;

    std::uint64_t steps() const { return steps_; }
    std::uint64_t hash() const { return hash_; }

private:
    std::uint64_t stride_;
    Tell tell_;
    std::uint64_t steps_ = 0;
    std::uint64_t hash_ = 0;
};

/// Steps number `first` to before `end`, counted from 0, as lines of an event log.
class StepRange final : public sim::Observer {
public:
    using Tell = std::function<void(std::string_view line)>;

    StepRange(std::uint64_t first, std::uint64_t end, Tell tell) : first_(first), end_(end), tell_(std::move(tell)) {}
    void on_step(const sim::Step& step) override;
    bool over() const { return steps_ >= end_; }

private:
    std::uint64_t first_, end_;
    Tell tell_;
    std::uint64_t steps_ = 0;
    fmt::memory_buffer line_;
};

}  // namespace locksim
