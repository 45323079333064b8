// The named waits: polls happen when they would if the spinner walked, parked or not. On the round machine a poll takes
// 1 ns and its period is 4 ns (hit 1, relax 3).
#include <vector>

#include "tests/catch.hpp"
#include "tests/model/machines.hpp"

using namespace model;
using namespace model::test;
using namespace smp;

namespace {

constexpr Time ns(std::int64_t n) { return nanoseconds(n); }

struct Outcome {
    std::uint64_t digest = 0;
    Time waited_until{};
    std::uint64_t value = 0;
    std::uint64_t accesses = 0;
    Time ended{};
    bool deadlocked = false;
    std::uint64_t events = 0;
    friend bool operator==(const Outcome& a, const Outcome& b) {
        return a.digest == b.digest && a.waited_until == b.waited_until && a.value == b.value &&
               a.accesses == b.accesses && a.ended == b.ended && a.deadlocked == b.deadlocked;
    }
};

struct Change {
    std::int64_t at_ps;
    std::int64_t mhz;
};
struct Case {
    std::int64_t set_at_ns = 1'000;  ///< CPU 0 begins its store
    std::uint64_t max_polls = 0;
    std::vector<Change> changes{};  ///< of CPU 1's clock
    bool seeded_ties = false;
    bool far_sharer = false;
};

/// CPU 1 waits from 0 on for a word of CPU 0's to become 5.
enum class Spin { parked, walked, walked_in_pieces };

Outcome run_case(const Case& c, Spin spin, std::uint64_t seed = 1, const MachineConfig& config = round_machine()) {
    Machine::Options options;
    options.spin_elision = spin == Spin::parked;
    options.walk_in_pieces = spin == Spin::walked_in_pieces;
    options.seeded_ties = c.seeded_ties;
    options.seed = seed;
    Cpus cpus(config, options);
    auto& word = cpus.word_of(0);
    Outcome o;
    cpus.add(
        0, [&](Context&) { write_once(word, 5u); }, ns(c.set_at_ns));
    const Context& waiter = cpus.add(1, [&](Context&) {
        const auto five = [](std::uint64_t v) { return v == 5; };
        o.value = c.max_polls == 0 ? smp_cond_load_acquire(word, five) : smp_cond_load_bounded(word, c.max_polls, five);
        o.waited_until = cpus.now();
    });
    if (c.far_sharer) {
        cpus.add(
            2, [&](Context&) { read_once(word); }, ns(c.set_at_ns + 60));
    }
    for (const Change& change : c.changes) {
        cpus.machine.change_frequency_at(picoseconds(change.at_ps), 1, mhz(change.mhz));
    }
    cpus.run(sim::milliseconds(1));
    o.digest = cpus.digest();
    o.accesses = waiter.accesses();
    o.ended = cpus.now();
    o.deadlocked = cpus.machine.deadlocked();
    o.events = cpus.machine.engine().events();
    return o;
}

Outcome both(const Case& c, std::uint64_t seed = 1, const MachineConfig& config = round_machine()) {
    const Outcome parked = run_case(c, Spin::parked, seed, config);
    CHECK(parked == run_case(c, Spin::walked, seed, config));
    CHECK(parked == run_case(c, Spin::walked_in_pieces, seed, config));
    return parked;
}

}  // namespace

TEST_CASE("a wait whose condition holds at once is one poll", "[timing]") {
    for (const bool elision : {true, false}) {
        Machine::Options options;
        options.spin_elision = elision;
        Cpus cpus(round_machine(), options);
        auto& word = cpus.word_of(0);
        Time done{};
        const Context& waiter = cpus.add(0, [&](Context&) {
            smp_cond_load_acquire(word, [](auto v) { return v == 0; });
            done = cpus.now();
        });
        cpus.run();
        CHECK(done == ns(1));
        CHECK(waiter.accesses() == 1);
    }
}

TEST_CASE("a wait ends with the poll that misses after the store, in the phase it would have had", "[timing]") {
    // The first poll has its data at 100; the next ones begin at 104, 108, ... The store at 1000 is granted at 1010,
    // takes the copy away at 1050, completes at 1100 and ends at 1101. The poll at 1052 misses: its request is at the
    // line at 1062, is forwarded after 1101 (the snoop waits for the store's end), and the poll's own cycle ends at
    // 1142.
    const Outcome o = both({});
    CHECK(o.value == 5);
    CHECK(o.waited_until == ns(1'101 + 40 + 1));
    CHECK(o.accesses == 1 + (1'048 - 100) / 4 + 1);
}

TEST_CASE("one nanosecond of the store's begin decides which poll misses", "[timing]") {
    // Copies are lost at set + 50. A poll at that very instant misses.
    for (const std::int64_t set : {1'001, 1'002, 1'003, 1'005, 1'006, 1'007}) {
        const Outcome o = both({.set_at_ns = set});
        const std::int64_t polls_that_hit = (set + 50 - 100 + 3) / 4 - 1;
        CHECK(o.accesses == static_cast<std::uint64_t>(1 + polls_that_hit + 1));
    }
}

TEST_CASE("a parked wait needs no events", "[unit]") {
    const Case c{.set_at_ns = 100'000};
    CHECK(run_case(c, Spin::parked).events < 20);
    CHECK(run_case(c, Spin::walked).events < 20);  // it runs ahead of everyone: no events either, but steps
    CHECK(both(c).accesses > 24'000);
}

TEST_CASE("a bounded wait gives up with its last poll and its cycle", "[timing]") {
    for (const std::uint64_t bound : {1u, 2u, 10u, 200u}) {
        const Outcome o = both({.max_polls = bound});
        CHECK(o.value == 0);
        CHECK(o.accesses == bound);
        CHECK(o.waited_until == ns(100 + 4 * static_cast<std::int64_t>(bound - 1) + 1));
    }
}

TEST_CASE("a bounded wait sees the store with its last poll, or one poll too late", "[timing]") {
    // Poll 239 (from 1) is at 100 + 4 * 238 = 1052, the first that misses.
    const Outcome in_time = both({.max_polls = 239});
    CHECK(in_time.value == 5);
    CHECK(in_time.waited_until == ns(1'142));
    const Outcome too_late = both({.max_polls = 238});
    CHECK(too_late.value == 0);
    CHECK(too_late.waited_until == ns(1'049));
}

TEST_CASE("a reader beside a parked wait leaves its copy alone", "[timing]") {
    const Outcome o = both({.far_sharer = true});
    CHECK(o.value == 5);
}

TEST_CASE("a change of the clock in a parked wait takes effect in the middle of a period", "[timing]") {
    // From 102 (in the relax of the first period: its cycle 1 of 3 is done) on a cycle takes 2 ns: 2 cycles are left,
    // the next poll is at 106, and then one every 8 ns: 1050 is one of them, where the copy is just lost.
    const Outcome o = both({.changes = {{102'000, 500}}});
    CHECK(o.accesses == 1 + (1'050 - 106) / 8 + 1);
    CHECK(o.value == 5);
    // Request 10 cycles of 2 ns; the line is granted at 1101 to a response 30 cycles longer; hit 2 ns.
    CHECK(o.waited_until == ns(1'101 + 70 + 2));
}

TEST_CASE("a change of the clock at any instant of a period leaves the same digest with and without elision",
          "[determinism]") {
    // Every half nanosecond over three periods, polls' very instants among them; one change, and two in a row.
    const std::int64_t to = GENERATE(250, 700, 1'000, 3'000);
    for (std::int64_t at = 99'500; at <= 112'500; at += 500) {
        INFO("at " << at << " ps to " << to << " MHz");
        both({.changes = {{at, to}}});
        both({.changes = {{at, to}, {at + 1'500, 900}, {at + 1'501, 1'300}}});
        both({.max_polls = 5, .changes = {{at, to}}});
        both({.max_polls = 50, .changes = {{at, to}, {at, 333}}});
    }
}

TEST_CASE("a change of the clock around the store's instants leaves the same digest with and without elision",
          "[determinism]") {
    const std::int64_t to = GENERATE(250, 3'000);
    for (std::int64_t at = 996'000; at <= 1'146'000; at += 1'000) {
        INFO("at " << at << " ps to " << to << " MHz");
        both({.changes = {{at, to}}});
        both({.max_polls = 239, .changes = {{at, to}}});
    }
}

TEST_CASE("seeded ties leave the same digest with and without elision", "[determinism]") {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const auto at = static_cast<std::int64_t>(100 + seed) * 1'000;
        INFO("seed " << seed);
        both({.set_at_ns = 1'002, .changes = {{at, 500}}, .seeded_ties = true}, seed);
        both({.set_at_ns = 1'000 + static_cast<std::int64_t>(seed % 8), .max_polls = 239, .seeded_ties = true}, seed);
    }
}

TEST_CASE("pieces of a poll that are given in time do not scale with the clock, parked or not", "[determinism]") {
    MachineConfig config = round_machine();
    config.clusters[0].second.core.relax = span(picoseconds(2'700));
    config.clusters[0].second.core.loop = cycles(2);
    for (std::int64_t at = 99'500; at <= 115'500; at += 500) {
        INFO("at " << at << " ps");
        both({.changes = {{at, 400}}}, 1, config);
        both({.changes = {{at, 400}, {at + 700, 2'100}}}, 1, config);
    }
}

TEST_CASE("a CPU that waits for a word which nobody is left to change is a deadlock, found at its first poll in vain",
          "[timing]") {
    for (const bool elision : {true, false}) {
        Machine::Options options;
        options.spin_elision = elision;
        Cpus cpus(round_machine(), options);
        auto& word = cpus.word_of(0);
        cpus.add(1, [&](Context&) { smp_cond_load_acquire(word, [](auto v) { return v == 5; }); });
        CHECK(cpus.run() == sim::Ending::stopped);
        CHECK(cpus.machine.deadlocked());
        CHECK(cpus.now() == ns(100));
    }
}

TEST_CASE("a deadlock of several has the same digest and the same end with and without elision", "[determinism]") {
    const auto run_one = [](std::uint64_t seed, bool elision) {
        sim::RandomStream random(seed, "deadlock");
        const auto n = static_cast<std::int32_t>(random.uniform(2, 12));
        Machine::Options options;
        options.spin_elision = elision;
        options.seed = seed;
        options.seeded_ties = seed % 2 == 0;
        Cpus cpus(random_machine(random, n), options);
        std::vector<Atomic<std::uint64_t>*> words;
        words.reserve(static_cast<std::size_t>(n));
        for (std::int32_t i = 0; i < n; ++i) { words.push_back(&cpus.word()); }
        for (std::int32_t i = 0; i < n; ++i) {  // each sets its own word and then waits for 2 in its neighbour's
            auto& own = *words[static_cast<std::size_t>(i)];
            auto& next = *words[static_cast<std::size_t>((i + 1) % n)];
            cpus.add(
                i,
                [&own, &next](Context&) {
                    write_once(own, 1u);
                    smp_cond_load_acquire(next, [](auto v) { return v == 1; });
                    smp_cond_load_acquire(next, [](auto v) { return v == 2; });
                },
                picoseconds(random.uniform(0, 3'000'000)));
        }
        cpus.run();
        REQUIRE(cpus.machine.deadlocked());
        return std::pair(cpus.digest(), cpus.now());
    };
    for (std::uint64_t seed = 1; seed <= 60; ++seed) { REQUIRE(run_one(seed, true) == run_one(seed, false)); }
}

TEST_CASE("one who may give up, or goes on, is no deadlock", "[unit]") {
    const bool bounded = GENERATE(true, false);
    Cpus cpus(round_machine());
    auto& word = cpus.word_of(0);
    cpus.add(1, [&](Context&) { smp_cond_load_acquire(word, [](auto v) { return v == 5; }); });
    cpus.add(2, [&](Context& self) {
        if (bounded) {
            smp_cond_load_bounded(word, 10'000, [](auto v) { return v == 5; });
        } else {
            self.spend(span(sim::microseconds(40)));
        }
        write_once(word, 5u);
    });
    cpus.run();
    CHECK_FALSE(cpus.machine.deadlocked());
    CHECK(cpus.machine.live_contexts() == 0);
}

TEST_CASE("the last of the others ends: those that still wait are deadlocked then", "[timing]") {
    for (const bool elision : {true, false}) {
        Machine::Options options;
        options.spin_elision = elision;
        Cpus cpus(round_machine(), options);
        auto& word = cpus.word_of(0);
        cpus.add(1, [&](Context&) { smp_cond_load_acquire(word, [](auto v) { return v == 5; }); });
        cpus.add(2, [&](Context& self) { self.spend(cycles(5'000)); });
        cpus.run();
        CHECK(cpus.machine.deadlocked());
        CHECK(cpus.now() == ns(5'000));
    }
}

TEST_CASE("a waiter that was killed counts no more: one who still waits for one who works is no deadlock", "[unit]") {
    for (const bool elision : {true, false}) {
        Machine::Options options;
        options.spin_elision = elision;
        Cpus cpus(round_machine(), options);
        auto& word = cpus.word_of(0);
        const auto waits = [&](Context&) { smp_cond_load_acquire(word, [](auto v) { return v == 5; }); };
        cpus.add(1, waits);
        Context& victim = cpus.add(2, waits);
        struct Kill final : sim::Actor {
            explicit Kill(Context& c) : Actor(1, fire), context(c) {}
            static sim::Fiber* fire(sim::Actor& self) {
                static_cast<Kill&>(self).context.kill();
                return nullptr;
            }
            Context& context;
        } kill(victim);
        cpus.machine.engine().schedule(kill, ns(700));
        cpus.add(
            0, [&](Context&) { write_once(word, 5u); }, ns(2'000));
        cpus.run();
        CHECK_FALSE(cpus.machine.deadlocked());
        CHECK(cpus.machine.live_contexts() == 0);
    }
}
