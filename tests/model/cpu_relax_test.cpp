// cpu_relax() by each policy of the machine, on the round machine (1 GHz): hit 1, RMW 5, relax 3.
#include <vector>

#include "tests/catch.hpp"
#include "tests/model/machines.hpp"

using namespace model;
using namespace model::test;
using namespace smp;

namespace {

constexpr Time ns(std::int64_t n) { return nanoseconds(n); }

/// When each of so many calls from one place ended.
std::vector<Time> ends_of_calls(const MachineConfig& config, int calls) {
    Cpus cpus(config);
    std::vector<Time> ends;
    cpus.add(0, [&](Context&) {
        for (int n = 0; n < calls; ++n) {
            cpu_relax();
            ends.push_back(cpus.now());
        }
    });
    cpus.run();
    return ends;
}

MachineConfig machine_with(CpuRelax policy) {
    MachineConfig m = round_machine();
    m.cpu_relax = policy;
    return m;
}

}  // namespace

TEST_CASE("cpu_relax is one hint, nothing, or a busy-wait, as the machine says", "[unit]") {
    CHECK(ends_of_calls(machine_with(CpuRelax::yield), 2) == std::vector{ns(3), ns(6)});
    CHECK(ends_of_calls(machine_with(CpuRelax::none), 2) == std::vector{ns(0), ns(0)});
    MachineConfig m = machine_with(CpuRelax::udelay);
    m.cpu_relax_delay = ns(1'000);
    CHECK(ends_of_calls(m, 2) == std::vector{ns(1'000), ns(2'000)});
}

TEST_CASE("cpu_relax with wfe_after pays for its per-CPU word on every call", "[unit]") {
    const std::vector<Time> ends = ends_of_calls(machine_with(CpuRelax::wfe_after), 3);
    // The word comes from memory once (240 ns: request 10, memory 200, response 30); then load 1, RMW 5 (the first one
    // makes the copy writable, which is free: nobody else has it) and hint 3.
    CHECK(ends[1] - ends[0] == ns(9));
    CHECK(ends[2] - ends[1] == ns(9));
}

TEST_CASE("cpu_relax with wfe_after sleeps until an event once the threshold is passed, and counts anew", "[unit]") {
    MachineConfig m = machine_with(CpuRelax::wfe_after);
    m.cpu_relax_threshold = 2;
    m.event_stream = sim::microseconds(10);
    const std::vector<Time> ends = ends_of_calls(m, 10);
    std::vector<int> slept;
    for (std::size_t n = 1; n < ends.size(); ++n) {
        if (ends[n] - ends[n - 1] > sim::microseconds(5)) { slept.push_back(static_cast<int>(n)); }
    }
    // Call 0 notes the place; calls 1 to 3 count to 3, more than the threshold; call 4 sleeps and counts from 0.
    CHECK(slept == std::vector<int>{4, 8});
    CHECK(ends[4].ps / sim::microseconds(10).ps == 1);
}

TEST_CASE("cpu_relax with wfe_after never sleeps where two places take turns", "[unit]") {
    MachineConfig m = machine_with(CpuRelax::wfe_after);
    m.cpu_relax_threshold = 2;
    m.event_stream = sim::microseconds(10);
    Cpus cpus(m);
    cpus.add(0, [&](Context&) {
        for (int n = 0; n < 20; ++n) {
            cpu_relax();
            cpu_relax();
        }
    });
    cpus.run();
    CHECK(cpus.now() < sim::microseconds(1));
}

TEST_CASE("the instructions between load-exclusive and store-exclusive keep the window open", "[unit]") {
    MachineConfig m = round_machine();
    m.clusters[0].second.core.ll_to_sc = cycles(40);
    for (const std::int64_t store_at : {20, 60}) {  // inside and outside of 1 + 40 ns
        Cpus cpus(m);
        auto& word = cpus.word_of(0);
        bool stored = false;
        cpus.add(
            0, [&](Context&) { stored = stxr(word, ldxr(word) + 5); }, ns(100));
        cpus.add(
            1, [&](Context&) { write_once(word, 1u); }, ns(100 + store_at - 30));  // the snoop comes 30 ns after it
        cpus.run();
        CHECK(stored == (store_at > 41));
    }
}
