// See progress_monitor.hpp.

#include "model/metrics/progress_monitor.hpp"

namespace model {

using sim::Time;

ProgressMonitor::ProgressMonitor(Time run_length)
    : quarter_(run_length / 4), long_step_(std::min(sim::milliseconds(1), run_length / 40)) {}

Time ProgressMonitor::window() const {
    const Time by_bodies = Time{bodies_.percentile(500)} * 1000;
    return std::min(std::max(sim::milliseconds(10), by_bodies), quarter_);
}

}  // namespace model
