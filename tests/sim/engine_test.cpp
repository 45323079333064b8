// The engine: the total order of events, run-ahead, and every way a run can end.
#include "sim/engine.hpp"

#include <string>
#include <vector>

#include "sim/failure.hpp"
#include "tests/catch.hpp"
#include "tests/sim/fibers.hpp"

using namespace sim;
using namespace sim::test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr Time ps(std::int64_t n) { return picoseconds(n); }
constexpr Time long_after = ps(1'000'000);

}  // namespace

TEST_CASE("a fiber runs ahead up to the instant before another event, and no further", "[timing]") {
    Rig rig;
    std::vector<bool> went;
    rig.event(3, ps(100), [] {});
    rig.runner(5, ps(0), [&](Runner& self) {
        went.push_back(rig.engine.run_ahead(self, ps(99)));
        went.push_back(rig.engine.run_ahead(self, ps(100)));
    });
    rig.engine.run(long_after);
    CHECK(went == std::vector<bool>{true, false});
}

TEST_CASE("at the same instant a fiber runs ahead of events with a greater number only", "[timing]") {
    const std::uint64_t other = GENERATE(4u, 6u);
    Rig rig;
    bool went = false;
    rig.event(other, ps(100), [] {});
    rig.runner(5, ps(0), [&](Runner& self) { went = rig.engine.run_ahead(self, ps(100)); });
    rig.engine.run(long_after);
    CHECK(went == (other == 6));
}

TEST_CASE("running ahead needs no event and no switch", "[unit]") {
    Rig rig;
    rig.runner(5, ps(0), [&](Runner& self) {
        for (std::int64_t n = 1; n <= 1'000; ++n) { self.go_on_to(ps(n)); }
    });
    CHECK(rig.engine.run(long_after) == Ending::drained);
    CHECK(rig.engine.now() == ps(1'000));
    CHECK(rig.engine.events() == 1);    // its start
    CHECK(rig.engine.switches() == 2);  // to it and back
    CHECK(rig.engine.steps() == 1'001);
}

TEST_CASE("fibers switch to each other directly, at the times they asked for", "[timing]") {
    Rig rig;
    std::vector<std::pair<std::uint64_t, std::int64_t>> log;
    for (const std::uint64_t number : {1u, 2u, 3u}) {
        rig.runner(number, ps(0), [&](Runner& self) {
            for (int n = 0; n < 3; ++n) {
                self.go_on_to(rig.engine.now() + ps(static_cast<std::int64_t>(10 * self.number())));
                log.emplace_back(self.number(), rig.engine.now().ps);
            }
        });
    }
    rig.engine.run(long_after);
    CHECK(log == std::vector<std::pair<std::uint64_t, std::int64_t>>{
                     {1, 10}, {1, 20}, {2, 20}, {1, 30}, {3, 30}, {2, 40}, {2, 60}, {3, 60}, {3, 90}});
}

TEST_CASE("events at one instant run by number, whenever they were scheduled", "[unit]") {
    std::vector<std::uint64_t> order{4, 2, 9, 7, 1};
    const bool backwards = GENERATE(false, true);
    if (backwards) { order = {1, 7, 9, 2, 4}; }
    Rig rig;
    std::vector<std::uint64_t> log;
    for (const std::uint64_t number : order) {
        rig.event(number, ps(50), [&log, number] { log.push_back(number); });
    }
    CHECK(rig.engine.run(long_after) == Ending::drained);
    CHECK(log == std::vector<std::uint64_t>{1, 2, 4, 7, 9});
}

TEST_CASE("with seeded ties the order at one instant depends on the seed and the instant, and on nothing else",
          "[unit]") {
    const auto order_of = [](std::uint64_t seed, std::int64_t at, bool backwards) {
        Rig rig({.seeded_ties = true, .seed = seed});
        std::vector<std::uint64_t> log;
        for (std::uint64_t i = 1; i <= 8; ++i) {
            const std::uint64_t number = backwards ? 9 - i : i;
            rig.event(number, ps(at), [&log, number] { log.push_back(number); });
        }
        rig.engine.run(long_after);
        return log;
    };
    CHECK(order_of(1, 50, false) == order_of(1, 50, true));
    CHECK(order_of(1, 50, false) != order_of(2, 50, false));
    CHECK(order_of(1, 50, false) != order_of(1, 51, false));
}

TEST_CASE("with seeded ties the end of the run still comes first at its instant", "[unit]") {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Rig rig({.seeded_ties = true, .seed = seed});
        int fired = 0;
        rig.event(7, ps(100), [&] { ++fired; });
        REQUIRE(rig.engine.run(ps(100)) == Ending::time_up);
        REQUIRE(fired == 0);
    }
}

TEST_CASE("an event can be moved and cancelled", "[unit]") {
    Rig rig;
    std::vector<std::int64_t> log;
    Event& moved = rig.event(2, ps(10), [&] { log.push_back(rig.engine.now().ps); });
    Event& cancelled = rig.event(3, ps(20), [&] { log.push_back(-1); });
    rig.engine.schedule(moved, ps(30));
    rig.engine.cancel(cancelled);
    rig.engine.cancel(cancelled);  // no event: nothing to do
    rig.engine.run(long_after);
    CHECK(log == std::vector<std::int64_t>{30});
    CHECK(rig.engine.events() == 1);
}

TEST_CASE("has_passed tells which actors have had their turn at this instant", "[timing]") {
    Rig rig;
    Event before(3, [] {});
    Event after(7, [] {});
    std::vector<bool> passed;
    rig.event(5, ps(100), [&] {
        for (const Actor* actor : {&before, &after}) {
            for (const std::int64_t at : {99, 100, 101}) { passed.push_back(rig.engine.has_passed(*actor, ps(at))); }
        }
    });
    rig.engine.run(long_after);
    CHECK(passed == std::vector<bool>{true, true, false, true, false, false});
}

TEST_CASE("has_passed counts the turn of the actor whose event runs, and of those behind the furthest one", "[unit]") {
    Rig rig;
    Event middle(4, [] {});
    std::vector<bool> passed;
    Event& late = rig.event(2, ps(100), [&] { passed.push_back(rig.engine.has_passed(middle, ps(100))); });
    rig.engine.cancel(late);
    const Event same_number(6, [] {});
    rig.event(6, ps(100), [&] {
        passed.push_back(rig.engine.has_passed(same_number, ps(100)));
        passed.push_back(rig.engine.has_passed(late, ps(100)));
        rig.engine.schedule(late, ps(100));  // comes after number 6 although its own is smaller
    });
    rig.engine.run(long_after);
    CHECK(passed == std::vector<bool>{true, true, true});
}

TEST_CASE("a run ends when its time is up, before the events of that instant, and can go on", "[timing]") {
    Rig rig;
    std::vector<std::int64_t> log;
    rig.event(1, ps(99), [&] { log.push_back(99); });
    rig.event(2, ps(100), [&] { log.push_back(100); });
    rig.runner(3, ps(0), [&](Runner& self) {
        self.go_on_to(ps(150));
        log.push_back(150);
    });
    CHECK(rig.engine.run(ps(100)) == Ending::time_up);
    CHECK(rig.engine.now() == ps(100));
    CHECK(log == std::vector<std::int64_t>{99});

    CHECK(rig.engine.run(ps(200)) == Ending::drained);
    CHECK(rig.engine.now() == ps(150));
    CHECK(log == std::vector<std::int64_t>{99, 100, 150});
}

TEST_CASE("a run that has no event left ends at the last one", "[unit]") {
    // Symptom: the engine's own event for the end of the run counted as one that is left, so that a run was never
    // drained.
    Rig rig;
    rig.event(1, ps(10), [] {});
    CHECK(rig.engine.run(long_after) == Ending::drained);
    CHECK(rig.engine.now() == ps(10));
    CHECK(rig.engine.run(long_after) == Ending::drained);  // nothing at all
    CHECK(rig.engine.now() == ps(10));
}

TEST_CASE("a run that is stopped from a fiber ends there", "[unit]") {
    Rig rig;
    bool went_on = false;
    rig.event(1, ps(20), [&] { went_on = true; });
    rig.runner(3, ps(10), [&](Runner&) {
        rig.engine.stop();
        went_on = true;
    });
    CHECK(rig.engine.run(long_after) == Ending::stopped);
    CHECK(rig.engine.now() == ps(10));
    CHECK_FALSE(went_on);
}

TEST_CASE("a run that is stopped from an event ends before the next one", "[unit]") {
    Rig rig;
    int fired = 0;
    rig.event(1, ps(10), [&] {
        ++fired;
        rig.engine.stop_at_next_event();
    });
    rig.event(2, ps(10), [&] { ++fired; });
    CHECK(rig.engine.run(long_after) == Ending::stopped);
    CHECK(fired == 1);
}

TEST_CASE("a failure on a fiber becomes an exception on the main stack", "[unit]") {
    Rig rig;
    rig.runner(3, ps(10), [&](Runner&) { rig.engine.fail("the bridge is out"); });
    CHECK_THROWS_WITH(rig.engine.run(long_after), ContainsSubstring("the bridge is out"));
}

TEST_CASE("a failure in an event that runs on the main stack is an exception too", "[unit]") {
    Rig rig;
    rig.event(3, ps(10), [&] { rig.engine.fail("the bridge is out"); });
    CHECK_THROWS_AS(rig.engine.run(long_after), InternalError);
}

TEST_CASE("a run in which no time passes is an internal error, just above the limit", "[unit]") {
    const std::uint64_t steps = GENERATE(1'000u, 1'001u);
    const bool ahead = GENERATE(false, true);
    Rig rig({.steps_at_one_instant = 1'000});
    std::uint64_t done = 0;
    Event* event = nullptr;
    if (ahead) {
        rig.runner(3, ps(10), [&](Runner& self) {  // its start is the first step at ps(10)
            while (done < steps) {
                self.go_on_to(ps(10));
                ++done;
            }
        });
    } else {
        event = &rig.event(3, ps(10), [&] {
            if (done++ < steps) { rig.engine.schedule(*event, ps(10)); }
        });
    }
    if (steps == 1'000) {
        CHECK(rig.engine.run(long_after) == Ending::drained);
    } else {
        CHECK_THROWS_WITH(rig.engine.run(long_after), ContainsSubstring("no time passes: 1000 steps at 10 ps"));
    }
}

namespace {

class GivesUpAfter final : public Monitor {
public:
    explicit GivesUpAfter(int calls) : left_(calls) {}
    bool keep_going(Time now) override {
        last_asked = now;
        return --left_ > 0;
    }
    Time last_asked{};

private:
    int left_;
};

}  // namespace

TEST_CASE("a monitor can give up a fiber that runs ahead for ever", "[unit]") {
    GivesUpAfter monitor(3);
    Rig rig({.monitor = &monitor});
    rig.runner(3, ps(0), [&](Runner& self) {
        for (std::int64_t n = 1;; ++n) { self.go_on_to(ps(n)); }
    });
    CHECK(rig.engine.run(Time::max()) == Ending::given_up);
    CHECK(rig.engine.steps() == 3 * 65'536);
    CHECK(monitor.last_asked > ps(2 * 65'536));
}

TEST_CASE("a monitor can give up a run that consists of events alone", "[unit]") {
    GivesUpAfter monitor(2);
    Rig rig({.monitor = &monitor});
    Event* event = nullptr;
    event = &rig.event(3, ps(0), [&] { rig.engine.schedule(*event, rig.engine.now() + ps(1)); });
    CHECK(rig.engine.run(Time::max()) == Ending::given_up);
    CHECK(rig.engine.steps() == 2 * 65'536);
}
