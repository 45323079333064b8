#pragma once
// Exponential back-off with a bound, for locks that try again: parameters `initial`, `growth`, `cap`.

#include <algorithm>

#include "locks/lock.hpp"

namespace locks {

/// Cycles that a thread waits between two tries: `initial`, then each time `growth` times as many, up to `cap`.
/// Without jitter: lock code has no random stream, so that equal CPUs that start together go on together.
struct BackoffOptions {
    std::int64_t initial = 50;
    std::int64_t growth = 2;
    std::int64_t cap = 2'000;

    static std::vector<model::ParameterSpec> parameters();
    void take(const model::ParameterValues& values);
};

class Backoff {
public:
    explicit Backoff(const BackoffOptions& options) : options_(options), next_(options.initial) {}
    void wait() {
        smp::delay(model::cycles(next_));
        next_ = std::min(next_ * options_.growth, options_.cap);
    }

private:
    const BackoffOptions& options_;
    std::int64_t next_;
};

}  // namespace locks
