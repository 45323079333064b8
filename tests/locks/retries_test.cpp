// Locks and workloads that try again by a clock of their own: spin-debug and llsc-counter, to the instruction.
#include "tests/locks/scenarios.hpp"

using namespace model;
using namespace model::test;

namespace {

constexpr Time us(std::int64_t n) { return microseconds(n); }

/// The holder has the lock from 0 to 10 us; the waiter comes after 2.5 us. On `ideal` an instruction takes 0.1 ns.
Scenario held_for_10_us(std::int64_t tries) {
    Scenario s = scenario(ideal_machine(2), "spin-debug", 1, {acquire(), work(constant(us(10))), release()}, us(1000));
    s.groups[0].iterations = 1;
    s.locks[0].parameters["every"] = span(us(2));
    s.locks[0].parameters["tries"] = tries;
    s.groups.push_back(
        group("waiter", {1}, {think(constant(Time{2'500'000})), acquire(), work(constant(us(1))), release()}, 1));
    s.noise.start_phase = constant(Time{});
    return s;
}

/// A counter beside a word that another CPU writes at intervals of 20 ns: with a window of 300 ns, longer than any
/// transfer of the round machine, no store-exclusive succeeds.
RunResult run_beside_writer(Time retry_delay, bool doubling, std::int64_t limit) {
    const Catalogue& rows = locks::catalogue();
    Scenario s;
    s.machine = round_machine();
    s.machine.clusters[0].second.core.ll_to_sc = span(nanoseconds(300));
    s.duration = us(100);
    s.lines.push_back({.name = "line"});
    s.groups.push_back(workload("counter", {0}, "llsc-counter", rows));
    s.groups[0].parameters["line"] = std::string("line");
    s.groups[0].parameters["retry_delay"] = span(retry_delay);
    s.groups[0].parameters["retry_doubling"] = doubling;
    s.groups[0].parameters["retry_limit"] = limit;
    s.groups.push_back(group("writer", {1}, {step(Step::Kind::write, "line"), think(constant(nanoseconds(20)))}));
    s.noise.start_phase = constant(Time{});
    return run_of(s);
}

}  // namespace

TEST_CASE("spin-debug looks at its period only, and with a number of tries joins the queue after the last",
          "[timing]") {
    SECTION("tries at 2.5, 4.5, 6.5, 8.5 and 10.5 us: it has the lock half a microsecond after its release") {
        const RunResult r = run_of(held_for_10_us(0));
        CHECK(r.threads[1].longest_wait_ns == Catch::Approx(8000).margin(1));
    }
    SECTION("five tries are enough for that") {
        CHECK(run_of(held_for_10_us(5)).threads[1].longest_wait_ns == Catch::Approx(8000).margin(1));
    }
    SECTION("after three, and the wait of the third, it is in the queue at 8.5 us and served at the release") {
        CHECK(run_of(held_for_10_us(3)).threads[1].longest_wait_ns == Catch::Approx(7500).margin(1));
    }
}

TEST_CASE("a counter by LL/SC retries at once, after a delay, or after one that doubles up to its limit", "[timing]") {
    // A try is a load that misses (100 ns; 2 more while the writer's store is under way), the window, the store: 401 ns
    // at least, 502 at most. Delays of 1 us: 100 / 1.401 to 100 / 1.502. Delays of 1, 2, 4, 8, 8 ...: 15 us and 4
    // tries, then a try every 8.401 to 8.502 us.
    const auto failures = [](const RunResult& r) { return r.threads[0].sc_fail; };
    const RunResult at_once = run_beside_writer({}, false, 256);
    CHECK(at_once.threads[0].operations == 0);
    CHECK(failures(at_once) >= 100'000 / 502);
    CHECK(failures(at_once) <= 100'000 / 401);
    const RunResult fixed = run_beside_writer(us(1), false, 256);
    CHECK(failures(fixed) >= 100'000 / 1502);
    CHECK(failures(fixed) <= 100'000 / 1401 + 1);
    const RunResult doubling = run_beside_writer(us(1), true, 8);
    CHECK(failures(doubling) >= 4 + (85'000 - 4 * 502) / 8502);
    CHECK(failures(doubling) <= 4 + (85'000 - 4 * 401) / 8401 + 1);
}

// Symptom: "every thread got on" above a count of 0, for a thread that loses its reservation for ever: no lock is in
// it.
TEST_CASE("a thread that completes no body is named although no verdict stands", "[unit]") {
    const RunResult starved = run_beside_writer({}, false, 256);
    CHECK(starved.verdict().kind == VerdictKind::ok);
    CHECK_THAT(starved.verdict().text, Catch::Matchers::ContainsSubstring("but counter completed no body"));
}
