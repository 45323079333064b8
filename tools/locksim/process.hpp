#pragma once
// Runs other programs: several at once, without a shell.

#include <string>
#include <vector>

namespace locksim {

struct Job {
    std::vector<std::string> arguments;  ///< the program first, as a path
    std::string output;                  ///< file that takes its stdout and stderr
};

/// Exit statuses in the order of `jobs`; 127: could not be started, 128 + n: ended by signal n. At most `at_once` run
/// at a time.
std::vector<int> run_jobs(const std::vector<Job>& jobs, unsigned at_once);

}  // namespace locksim
