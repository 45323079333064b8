#include "tools/locksim/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "tools/locksim/interrupt.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

constexpr std::chrono::milliseconds silence{2000};
constexpr std::chrono::milliseconds interval{200};

/// Progress is decoration: where it cannot be written nobody needs to know.
void write_to_stderr(const std::string& text) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

std::string time_left(double seconds) {
    if (seconds < 60) { return fmt::format("{:.0f} s", std::max(seconds, 1.0)); }
    const auto minutes = static_cast<long>(seconds / 60);
    if (minutes < 60) { return fmt::format("{} min {} s", minutes, static_cast<long>(seconds) % 60); }
    return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace

std::string progress_line(double done, double elapsed_seconds, std::string_view what, std::size_t width) {
    const double share = std::clamp(done, 0.0, 1.0);
    std::string left;
    if (share > 0) { left = fmt::format("; {} left", time_left(elapsed_seconds * (1 - share) / share)); }
    const std::string head = fmt::format("{:3.0f} %  ", std::min(share * 100, 99.0));
    const std::size_t used = head.size() + left.size();
    return head + shorten(what, used < width ? width - used : 0) + left;
}

Progress::Progress(double total_ns, bool visible, std::size_t width)
    : total_ns_(total_ns), visible_(visible), width_(width) {}

Progress::~Progress() { clear(); }

void Progress::begin_run(std::string what) { what_ = std::move(what); }

void Progress::end_run(sim::Time planned) { finished_ns_ += sim::to_nanoseconds(planned); }

bool Progress::keep_going(sim::Time now) {
    if (visible_) { show(now); }
    return !interrupted();
}

void Progress::show(sim::Time now) {
    const auto host_now = Clock::now();
    if (host_now - start_ < silence || host_now - last_shown_ < interval) { return; }
    last_shown_ = host_now;
    const double done = (finished_ns_ + sim::to_nanoseconds(now)) / std::max(1.0, total_ns_);
    const double elapsed = std::chrono::duration<double>(host_now - start_).count();
    write_to_stderr("\r" + progress_line(done, elapsed, what_, width_ - 1) + "\x1b[K");
    shown_ = true;
}

void Progress::clear() {
    if (std::exchange(shown_, false)) { write_to_stderr("\r\x1b[K"); }
}

}  // namespace locksim
