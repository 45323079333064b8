#pragma once
// Simulations side by side, each in a process of its own: a process can have one simulation at a time, and one that
// crashes costs its own result only.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace locksim {

struct PoolJob {
    std::string label;                  ///< for the progress line
    double weight = 1;                  ///< expected host time, in any unit
    std::function<std::string()> work;  ///< runs in a child; its text comes back
};

struct PoolResult {
    bool finished = false;
    std::string text;     ///< what `work` returned
    std::string problem;  ///< why there is none: an exception's message, "ended by signal 11"
};

struct PoolState {
    std::size_t finished = 0;
    double finished_weight = 0;
    std::string label;  ///< of the job that has run longest
};

/// In the order of the jobs. `keep_going` is asked some times a second; false ends what runs, the rest stays
/// unfinished.
std::vector<PoolResult> run_pool(const std::vector<PoolJob>& jobs, unsigned at_once,
                                 const std::function<bool(const PoolState&)>& keep_going);

}  // namespace locksim
