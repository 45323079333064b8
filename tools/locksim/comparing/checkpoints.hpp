#pragma once
// Observers by which two runs of millions of steps are compared without a log of either: first a running hash of every
// step, told each so many steps, then the steps around the first hash that differs.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/observer.hpp"

namespace locksim {

/// Hashes what an event log has of a step, its cause left out: texts by their letters, no host address.
class Checkpoints final : public sim::Observer {
public:
    using Tell = void (*)(std::uint64_t steps, std::uint64_t hash);

    /// `tell` is called after each `stride` steps.
    Checkpoints(std::uint64_t stride, Tell tell) : stride_(stride), tell_(tell) {}
    void on_step(const sim::Step& step) override;

    std::uint64_t steps() const { return steps_; }
    std::uint64_t hash() const { return hash_; }

private:
    std::uint64_t stride_;
    Tell tell_;
    std::uint64_t steps_ = 0;
    std::uint64_t hash_ = 0;
};

/// Steps number `first` to before `end`, counted from 0. Like the hashing above it takes nothing from the heap while
/// the run goes on, so that code which depends on where its allocations lie does the same under both.
class StepRange final : public sim::Observer {
public:
    StepRange(std::uint64_t first, std::uint64_t end);
    void on_step(const sim::Step& step) override;
    bool over() const { return steps_ >= end_; }

    /// As lines of an event log, after the run.
    std::string lines() const;

private:
    const char* keep(const char* text);

    std::uint64_t first_, end_;
    std::uint64_t steps_ = 0;
    std::vector<sim::Step> kept_;
    std::vector<char> texts_;  // never grows: the steps point into it
    std::size_t texts_used_ = 0;
};

}  // namespace locksim
