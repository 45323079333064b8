// Slow, odd and unlucky, but sound: none of these may get a verdict.
#include "tests/locks/scenarios.hpp"

using namespace model;
using namespace model::test;

namespace {

void stays_ok(Scenario s) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        s.seed = seed;
        const RunResult r = run_of(s);
        INFO(story(r));
        CHECK(r.verdict().kind == VerdictKind::ok);
        CHECK(r.verdicts.size() == 1);
    }
}

Scenario fifo(std::int32_t threads, Distribution hold, Distribution outside, Time duration,
              const std::string& type = "ticket") {
    return scenario(round_machine(std::max(threads, 2)), type, threads, section(hold, outside), duration);
}

const Distribution short_time = constant(nanoseconds(100));

}  // namespace

TEST_CASE("one thread that holds for long is sound", "[broken]") {
    stays_ok(fifo(1, constant(milliseconds(5)), short_time, milliseconds(20)));
}

TEST_CASE("one hold that outlasts the run is sound", "[broken]") {
    stays_ok(fifo(1, constant(milliseconds(50)), short_time, milliseconds(10)));
}

TEST_CASE("waiting for a hold that outlasts the run is sound", "[broken]") {
    stays_ok(fifo(4, constant(milliseconds(50)), short_time, milliseconds(10),
                  GENERATE(as<std::string>(), "ticket", "mcs", "ttas")));
}

TEST_CASE("many threads with millisecond holds in a FIFO lock are sound", "[broken]") {
    stays_ok(fifo(16, constant(milliseconds(1)), short_time, milliseconds(100),
                  GENERATE(as<std::string>(), "ticket", "mcs")));
}

TEST_CASE("sixty-four threads in a long FIFO queue are sound", "[broken]") {
    stays_ok(fifo(64, constant(microseconds(100)), constant(microseconds(1)), milliseconds(50)));
}

TEST_CASE("long random holds in a FIFO lock are sound", "[broken]") {
    stays_ok(fifo(8, exponential(microseconds(500)), exponential(microseconds(200)), milliseconds(60), "mcs"));
}

TEST_CASE("long thinks are sound", "[broken]") {
    stays_ok(fifo(2, short_time, constant(milliseconds(30)), milliseconds(100)));
}

TEST_CASE("a think that outlasts the run is sound", "[broken]") {
    stays_ok(fifo(3, short_time, constant(milliseconds(80)), milliseconds(10)));
}

TEST_CASE("work that outlasts the run is sound", "[broken]") {
    stays_ok(scenario(round_machine(), "tas", 2, {work(constant(milliseconds(50)))}, milliseconds(10)));
}

TEST_CASE("a delay that outlasts the run is sound", "[broken]") {
    stays_ok(scenario(round_machine(), "tas", 2, {delay(constant(milliseconds(50)))}, milliseconds(10)));
}

TEST_CASE("a run that ends before its threads have started is sound", "[broken]") {
    // Symptom: the time until the first thread began counted as time in which nobody got on: a livelock.
    Scenario s = fifo(4, short_time, short_time, microseconds(1));
    s.noise.start_phase = constant(microseconds(2));
    stays_ok(s);
}

TEST_CASE("threads that start late in the run are sound", "[broken]") {
    Scenario s = fifo(4, short_time, short_time, milliseconds(20));
    s.noise.start_phase = constant(milliseconds(8));
    stays_ok(s);
}

TEST_CASE("a run of few bodies is sound", "[broken]") { stays_ok(fifo(4, short_time, short_time, microseconds(10))); }

TEST_CASE("threads that do one thing and end are sound, and so is the silence after them", "[broken]") {
    Scenario s = fifo(8, constant(microseconds(10)), short_time, milliseconds(50));
    s.groups[0].iterations = 1;
    stays_ok(s);
}

TEST_CASE("one thread that goes on after all others have ended is sound", "[broken]") {
    Scenario s = fifo(7, short_time, short_time, milliseconds(20));
    s.groups[0].iterations = 10;
    s.groups.push_back(group("last", {7}, section(constant(microseconds(50)), constant(milliseconds(1)))));
    s.machine = round_machine(8);
    stays_ok(s);
}

TEST_CASE("threads that start late, one after the other, are sound", "[broken]") {
    Scenario s = fifo(8, short_time, constant(microseconds(1)), milliseconds(20));
    s.noise.start_phase = exponential(milliseconds(4));
    stays_ok(s);
}

TEST_CASE("bursts with long pauses are sound", "[broken]") {
    Scenario s = fifo(6, short_time, short_time, milliseconds(60));
    s.groups[0].program = {repeat(20, section(short_time, short_time)), think(constant(milliseconds(12)))};
    stays_ok(s);
}

TEST_CASE("waiting for a flag that is set late is sound", "[broken]") {
    Scenario s =
        scenario(round_machine(), "tas", 1, {think(constant(milliseconds(8))), set("go", 1)}, milliseconds(20));
    s.flags = {{"go", 0}};
    s.groups[0].iterations = 1;
    s.groups.push_back(group("waiters", {1, 2, 3}, {wait("go", 1), work(short_time)}, 1));
    stays_ok(s);
}

TEST_CASE("waiting for a flag that is set after the run is sound", "[broken]") {
    Scenario s =
        scenario(round_machine(), "tas", 1, {think(constant(milliseconds(100))), set("go", 1)}, milliseconds(20));
    s.flags = {{"go", 0}};
    s.groups.push_back(group("waiters", {1, 2, 3}, {wait("go", 1)}));
    stays_ok(s);
}

TEST_CASE("two threads that pass a flag back and forth, slowly, are sound", "[broken]") {
    Scenario s = scenario(round_machine(), "tas", 1,
                          {wait("turn", 0), think(constant(milliseconds(2))), set("turn", 1)}, milliseconds(40));
    s.flags = {{"turn", 0}};
    s.groups.push_back(group("other", {1}, {wait("turn", 1), work(constant(milliseconds(3))), set("turn", 0)}));
    stays_ok(s);
}

TEST_CASE("a very slow CPU with a fair lock is sound", "[broken]") {
    Scenario s = fifo(4, constant(cycles(500)), constant(cycles(500)), milliseconds(100),
                      GENERATE(as<std::string>(), "ticket", "mcs"));
    s.machine.cpus[0].frequency = mhz(1);
    stays_ok(s);
}

TEST_CASE("a clock that is throttled to a hundredth in the middle of the run is sound", "[broken]") {
    Scenario s = fifo(4, constant(cycles(300)), constant(cycles(300)), milliseconds(30),
                      GENERATE(as<std::string>(), "ticket", "mcs"));
    for (std::int32_t cpu = 0; cpu < 4; ++cpu) {
        s.events.push_back({.at = milliseconds(10), .cpu = cpu, .frequency = mhz(10)});
    }
    stays_ok(s);
}

TEST_CASE("one thread with long holds among many with short ones is sound in a FIFO lock", "[broken]") {
    Scenario s = fifo(6, short_time, short_time, milliseconds(60), GENERATE(as<std::string>(), "ticket", "mcs"));
    s.machine = round_machine(8);
    s.groups.push_back(group("long", {6}, section(constant(milliseconds(3)), constant(microseconds(10)))));
    stays_ok(s);
}

TEST_CASE("a thread that comes once in a while is sound", "[broken]") {
    Scenario s = fifo(3, short_time, short_time, milliseconds(30));
    s.groups.push_back(group("rare", {3}, section(short_time, constant(milliseconds(9)))));
    s.machine = round_machine(4);
    stays_ok(s);
}

TEST_CASE("tries in vain against a long hold are sound", "[broken]") {
    Scenario s = fifo(1, constant(milliseconds(9)), short_time, milliseconds(30), GENERATE(from_range(lock_types())));
    s.groups.push_back(group(
        "trier", {1},
        {try_acquire(3, constant(microseconds(1))), work(short_time), release(), think(constant(microseconds(20)))}));
    stays_ok(s);
}

TEST_CASE("nested locks in one order are sound, however long", "[broken]") {
    Scenario s = fifo(4, short_time, short_time, milliseconds(60));
    s.locks = {lock_config("outer", "mcs", locks::catalogue()), lock_config("inner", "ticket", locks::catalogue())};
    s.groups[0].program = {acquire("outer"), work(constant(microseconds(300))),
                           acquire("inner"), work(constant(microseconds(700))),
                           release("inner"), release("outer"),
                           think(short_time)};
    stays_ok(s);
}

TEST_CASE("a lock handed over in another order than taken is sound", "[broken]") {
    Scenario s = fifo(4, short_time, short_time, milliseconds(5));
    s.locks = {lock_config("a", "mcs", locks::catalogue()), lock_config("b", "ticket", locks::catalogue())};
    s.groups[0].program = {acquire("a"),     acquire("b"), work(short_time), release("a"),
                           work(short_time), release("b"), think(short_time)};
    stays_ok(s);
}

TEST_CASE("an unfair lock at moderate load is sound", "[broken]") {
    stays_ok(fifo(4, exponential(nanoseconds(200)), exponential(microseconds(4)), milliseconds(20),
                  GENERATE(as<std::string>(), "tas", "ttas")));
}

TEST_CASE("threads without any lock are sound", "[broken]") {
    Scenario s = fifo(2, short_time, short_time, milliseconds(10));
    s.locks.clear();
    s.groups[0].program = {work(short_time), think(constant(microseconds(30)))};
    stays_ok(s);
}

TEST_CASE("a compare-and-swap loop that many share is sound", "[broken]") {
    Scenario s = fifo(8, short_time, short_time, milliseconds(5));
    s.machine.arbitration = Arbitration::drawn;
    s.machine.retention = nanoseconds(6);
    s.groups = {workload("group", cpus(0, 8), "atomic-counter", locks::catalogue())};
    s.groups[0].parameters["by"] = std::string("cas");
    stays_ok(s);
}
