// The progress monitor: the longest time in which nobody got on, and the window that a livelock must last.
#include "model/metrics/progress_monitor.hpp"

#include "tests/catch.hpp"

using namespace model;
using sim::microseconds;
using sim::milliseconds;
using sim::Time;

TEST_CASE("the longest gap lies between two bodies, or after the last", "[unit]") {
    ProgressMonitor monitor(milliseconds(100));
    CHECK(monitor.longest_gap(milliseconds(7)).length == milliseconds(7));
    monitor.body_done(milliseconds(0), milliseconds(1));
    monitor.body_done(milliseconds(1), milliseconds(5));
    monitor.progress(milliseconds(6));
    CHECK(monitor.longest_gap(milliseconds(8)).since == milliseconds(1));
    CHECK(monitor.longest_gap(milliseconds(8)).length == milliseconds(4));
    CHECK(monitor.longest_gap(milliseconds(11)).since == milliseconds(6));
    CHECK(monitor.longest_gap(milliseconds(11)).length == milliseconds(5));
}

TEST_CASE("a long step of known length is no gap, a short one is", "[unit]") {
    // Long: a millisecond, or a fortieth of the run where that is less.
    const Time length = GENERATE(microseconds(999), milliseconds(1));
    ProgressMonitor monitor(milliseconds(1'000));
    monitor.body_done({}, milliseconds(1));
    monitor.definite_step(milliseconds(1), length);
    CHECK(monitor.longest_gap(milliseconds(2)).length == milliseconds(1));
    CHECK(monitor.longest_gap(milliseconds(4)).length ==
          (length == milliseconds(1) ? milliseconds(2) : milliseconds(3)));

    ProgressMonitor brief(milliseconds(4));  // a fortieth: 0.1 ms
    brief.definite_step({}, microseconds(100));
    CHECK(brief.longest_gap(microseconds(150)).length == microseconds(50));
    brief.definite_step(microseconds(150), microseconds(99));
    CHECK(brief.longest_gap(microseconds(250)).length == microseconds(150));
}

TEST_CASE("one thread's long step covers the others' time", "[unit]") {
    ProgressMonitor monitor(milliseconds(100));
    monitor.definite_step({}, milliseconds(50));
    monitor.definite_step(milliseconds(1), milliseconds(2));  // does not shorten the first
    CHECK(monitor.longest_gap(milliseconds(55)).length == milliseconds(5));
    CHECK(monitor.longest_gap(milliseconds(55)).since == milliseconds(50));
}

TEST_CASE("the window is 10 ms, or 1000 median bodies, but at most a quarter of the run", "[unit]") {
    CHECK(ProgressMonitor(milliseconds(20)).window() == milliseconds(5));
    CHECK(ProgressMonitor(milliseconds(40)).window() == milliseconds(10));
    CHECK(ProgressMonitor(milliseconds(1'000)).window() == milliseconds(10));

    ProgressMonitor slow(milliseconds(1'000));
    for (int i = 0; i < 3; ++i) { slow.body_done({}, microseconds(100)); }
    slow.body_done({}, milliseconds(900));  // not the median
    CHECK(slow.window().ps == Catch::Approx(static_cast<double>(milliseconds(100).ps)).epsilon(1.0 / 64));
    for (int i = 0; i < 10; ++i) { slow.body_done({}, milliseconds(1)); }
    CHECK(slow.window() == milliseconds(250));
}
