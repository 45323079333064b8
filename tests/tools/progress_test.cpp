// Time left, on a terminal only.
#include "tools/locksim/progress.hpp"

#include <csignal>

#include "tests/catch.hpp"
#include "tools/locksim/interrupt.hpp"
#include "tools/locksim/text.hpp"

using namespace locksim;

TEST_CASE("The progress line tells the share, the run and the time left", "[unit]") {
    CHECK(progress_line(0.25, 10, "run 2 of 8: base", 80) == " 25 %  run 2 of 8: base; 30 s left");
    CHECK(progress_line(0.5, 90, "run", 80) == " 50 %  run; 1 min 30 s left");
    CHECK(progress_line(0.5, 7200, "run", 80) == " 50 %  run; 2 h 0 min left");
    CHECK(progress_line(0, 10, "run", 80) == "  0 %  run");
}

TEST_CASE("The progress line never promises to be done, and keeps to its width", "[unit]") {
    CHECK(progress_line(1.5, 10, "run", 80) == " 99 %  run; 1 s left");
    CHECK(display_width(progress_line(0.5, 10, std::string(200, 'x'), 39)) == 39);
}

TEST_CASE("The first signal asks the run to end, the second has its default effect", "[unit]") {
    Progress progress(1e6, false, 80);
    const InterruptGuard guard;
    CHECK(progress.keep_going(sim::nanoseconds(1)));
    std::raise(SIGTERM);
    CHECK_FALSE(progress.keep_going(sim::nanoseconds(2)));
    struct sigaction now {};
    sigaction(SIGTERM, nullptr, &now);
    CHECK(now.sa_handler == SIG_DFL);
    sigaction(SIGINT, nullptr, &now);
    CHECK(now.sa_handler == SIG_DFL);
}
