// What a spin-wait costs: one CPU changes a word after so many poll periods, another spins until it has. Both do so a
// fixed number of times, so that events are counted exactly.

#include <fmt/format.h>

#include "tools/bench/benches.hpp"
#include "tools/bench/load.hpp"

namespace bench {

namespace {

constexpr std::uint32_t waits = 1000;
constexpr std::int64_t poll_cycles = 9;  // server(): a hit and cpu_relax()
constexpr std::int64_t few_polls = 100;

struct Pair {
    smp::Atomic<std::uint32_t>* word = nullptr;
    std::int64_t polls = 0;
};

void change_seldom(void* argument) {
    const Pair& pair = *static_cast<Pair*>(argument);
    for (std::uint32_t n = 1; n <= waits; ++n) {
        model::current->spend(model::cycles(poll_cycles * pair.polls));
        smp::write_once(*pair.word, n);
    }
}

void wait_for_changes(void* argument) {
    const Pair& pair = *static_cast<Pair*>(argument);
    for (std::uint32_t n = 1; n <= waits; ++n) {
        smp::smp_cond_load_acquire(*pair.word, [n](std::uint32_t value) { return value == n; });
    }
}

Row measure_waits(std::int64_t polls) {
    model::Machine::Options options;
    options.contexts = 2;
    model::Machine machine(server(2), options);
    Pair pair{&machine.arena().make<smp::Atomic<std::uint32_t>>("word"), polls};
    machine.add_context(0, "changer", change_seldom, &pair, sim::Time{});
    machine.add_context(1, "waiter", wait_for_changes, &pair, sim::Time{});
    const double begin = cpu_time_ns();
    machine.run(sim::Time::max());
    Row row;
    row.ns = (cpu_time_ns() - begin) / waits;
    row.events = static_cast<double>(machine.engine().events()) / waits;
    row.steps = static_cast<double>(machine.engine().steps()) / waits;
    row.switches = static_cast<double>(machine.engine().switches()) / waits;
    row.accesses = static_cast<double>(machine.contexts().back().accesses()) / waits;
    return row;
}

/// Judged against the events of a short wait.
Row measure_spin_wait(std::int64_t polls, const Effort& effort) {
    Row row = measure_waits(polls);
    for (int n = 1; n < effort.repeats; ++n) { row.ns = std::min(*row.ns, *measure_waits(polls).ns); }
    if (polls > few_polls) { row.budget = {Budget::Judged::events, *measure_waits(few_polls).events, std::nullopt}; }
    return row;
}

}  // namespace

Row measure_spin_wait_100(std::int32_t, const Effort& effort) { return measure_spin_wait(few_polls, effort); }
Row measure_spin_wait_10000(std::int32_t, const Effort& effort) { return measure_spin_wait(10'000, effort); }
Row measure_spin_wait_1000000(std::int32_t, const Effort& effort) { return measure_spin_wait(1'000'000, effort); }

}  // namespace bench
