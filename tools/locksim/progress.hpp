#pragma once
// Progress of long work, on a terminal's stderr: how much of the simulated time is done, and the time left.

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "model/scenario/running/runner.hpp"

namespace locksim {

/// One line without its end: " 43 %  run 5 of 32: lse, seed 1, phase 5; 12 s left".
std::string progress_line(double done, double elapsed_seconds, std::string_view what, std::size_t width);

/// Watches a series of runs, and gives up the present one after an interrupt.
class Progress : public model::RunMonitor {
public:
    /// `total_ns`: simulated time of all runs. Shows nothing unless `visible`, and nothing in the first two
    /// seconds.
    Progress(double total_ns, bool visible, std::size_t width);
    ~Progress() override;
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void begin_run(std::string what);
    void end_run(sim::Time planned);
    bool keep_going(sim::Time now) override;
    /// The time until now was no work: somebody was waited for.
    void restart_clock() { start_ = Clock::now(); }
    void clear();  ///< takes the line off the terminal, for other output

private:
    using Clock = std::chrono::steady_clock;
    void show(sim::Time now);

    double total_ns_;
    double finished_ns_ = 0;
    bool visible_;
    std::size_t width_;
    bool shown_ = false;
    std::string what_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_shown_ = start_;
};

}  // namespace locksim
