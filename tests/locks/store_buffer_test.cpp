// Is each lock a lock where stores are buffered? TSO lets a load pass an earlier store: every lock of the catalogue
// must have its exchange or fence where that matters.
#include "tests/locks/scenarios.hpp"

using namespace model;
using namespace model::test;

TEST_CASE("every lock excludes and serves everybody with store buffers of any depth", "[conformance]") {
    for (const std::string& type : lock_types()) {
        for (const std::int32_t depth : {1, 2, 56}) {
            for (const std::int64_t drain_ns : {0, 90}) {
                MachineConfig m = depth == 2 ? clustered_machine(2, 2) : round_machine(4);
                m.store_buffer = depth;
                m.store_drain_min = nanoseconds(drain_ns);
                Scenario s = counter_scenario(m, type, 4, constant(cycles(40)), exponential(nanoseconds(300)),
                                              microseconds(300));
                s.seed = static_cast<std::uint64_t>(depth);
                INFO(type << ", depth " << depth << ", drained after " << drain_ns << " ns");
                const RunResult r = run_of(s);
                INFO(story(r));
                CHECK(r.verdict().kind == VerdictKind::ok);
                for (const ThreadResult& thread : r.threads) { CHECK(thread.operations > 10); }
            }
        }
    }
}

TEST_CASE("asking for the line beforehand changes the times of a lock, and nothing that it promises", "[conformance]") {
    for (const std::int32_t depth : {0, 8}) {
        double handed_over[2] = {};
        for (const bool prefetches : {false, true}) {
            MachineConfig m = round_machine(4);
            m.store_buffer = depth;
            Scenario s = counter_scenario(m, "ticket-backoff", 4, constant(cycles(40)), exponential(nanoseconds(300)),
                                          microseconds(300));
            s.locks[0].parameters["prefetchw"] = prefetches;
            const RunResult r = run_of(s);
            INFO("depth " << depth << ", prefetchw " << prefetches << ": " << story(r));
            CHECK(r.verdict().kind == VerdictKind::ok);
            handed_over[prefetches ? 1 : 0] = static_cast<double>(r.locks.at(0).acquisitions);
            Scenario walked = s;
            walked.spin_elision = false;
            CHECK(run_of(walked).digest == r.digest);
        }
        INFO(handed_over[0] << " acquisitions without, " << handed_over[1] << " with prefetchw");
        CHECK(handed_over[0] > 500);
        CHECK(handed_over[1] > 200);
        CHECK(handed_over[0] != handed_over[1]);
    }
}

TEST_CASE("an increment that is still buffered when the run ends is no broken counter", "[unit]") {
    // Symptom: "the counter stands at 1108 after 1109 increments".
    MachineConfig m = round_machine(4);
    m.store_buffer = 8;
    m.store_drain_min = nanoseconds(90);
    for (std::int64_t end = 2'000; end < 3'000; end += 7) {
        const RunResult r = run_of(
            counter_scenario(m, "ttas", 4, constant(cycles(40)), exponential(nanoseconds(300)), nanoseconds(end)));
        INFO(end << " ns: " << story(r));
        CHECK(r.verdict().kind == VerdictKind::ok);
    }
}
