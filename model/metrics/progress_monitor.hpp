#pragma once
// Watches whether anybody gets on. Progress is a thread completing its body once (with no section skipped because a try
// failed) or, where its program has steps marked `progress`, passing one of these. An acquisition alone is none. A
// thread inside one long step of known end (work, think, delay) is not livelocked either, however slow, nor a CPU that
// an event stalls: these count as progress when they begin and when they end.

#include <cstdint>

#include "model/metrics/histogram.hpp"
#include "sim/time.hpp"

namespace model {

class ProgressMonitor {
public:
    /// `run_length`: of the whole run; W is at most a quarter of it.
    explicit ProgressMonitor(sim::Time run_length);

    void progress(sim::Time now) { note(now); }
    /// `counts`: the body is progress (it was completed, and its thread has no marked points instead).
    void body_done(sim::Time began, sim::Time now, bool counts = true) {
        bodies_.add((now - began).ps);
        if (counts) { note(now); }
    }
    /// A step of known length begins, or will end at another time: nobody may call this time without progress a
    /// livelock.
    void definite_step(sim::Time now, sim::Time length) {
        if (length >= long_step_) { note(std::max(now, last_), now + length); }
    }

    struct Gap {
        sim::Time since{};
        sim::Time length{};
    };
    /// The longest time without progress up to `now`.
    Gap longest_gap(sim::Time now) const {
        const Gap last{last_, now - last_};
        return last.length > worst_.length ? last : worst_;
    }
    /// W: min(max(10 ms, 1000 x the median body), a quarter of the run).
    sim::Time window() const;

private:
    void note(sim::Time at) { note(at, at); }
    void note(sim::Time at, sim::Time until) {
        if (at - last_ > worst_.length) { worst_ = {last_, at - last_}; }
        last_ = std::max(last_, until);
    }

    sim::Time quarter_;
    sim::Time long_step_;
    sim::Time last_{};
    Gap worst_;
    Histogram bodies_;
};

}  // namespace model
