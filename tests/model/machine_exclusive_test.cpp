// Load-exclusive and store-exclusive, WFE and timer ticks, on the round machine (1 GHz): hit 1, relax 3, transfer 100
// ns = 10 request, 40 snoop, 50 data.
#include <vector>

#include "model/machine/context.hpp"
#include "tests/catch.hpp"
#include "tests/model/machines.hpp"

using namespace model;
using namespace model::test;
using namespace smp;

namespace {

constexpr Time ns(std::int64_t n) { return nanoseconds(n); }

MachineConfig ticking_machine(Time period, Time length) {
    MachineConfig m = round_machine();
    m.tick = {.period = period, .length = length, .skew = {}};
    for (std::int32_t cpu = 0; cpu < 4; ++cpu) { m.cpus[cpu].tick_offset = period; }
    return m;
}

MachineConfig wfe_machine() {
    MachineConfig m = round_machine();
    m.waiting = Waiting::wfe;
    m.clusters[0].second.core.wfe_wake = cycles(7);
    return m;
}

}  // namespace

TEST_CASE("a store-exclusive succeeds where nobody came between", "[unit]") {
    Cpus cpus(round_machine());
    auto& word = cpus.word_of(0);
    bool stored = false;
    Context& context = cpus.add(0, [&](Context&) { stored = stxr(word, ldxr(word) + 5); });
    cpus.run();
    CHECK(stored);
    CHECK(*word.word() == 5);
    CHECK(context.sc_successes() == 1);
    CHECK(context.sc_failures() == 0);
}

TEST_CASE("a store-exclusive without a load-exclusive before it fails, also the second after one", "[unit]") {
    Cpus cpus(round_machine());
    auto& word = cpus.word_of(0);
    std::vector<bool> stored;
    cpus.add(0, [&](Context&) {
        stored.push_back(stxr(word, 1u));
        ldxr(word);
        stored.push_back(stxr(word, 2u));
        stored.push_back(stxr(word, 3u));
    });
    cpus.run();
    CHECK(stored == std::vector<bool>{false, true, false});
    CHECK(*word.word() == 2);
}

TEST_CASE("a store by another CPU between the two makes the store-exclusive fail, a read does not", "[unit]") {
    for (const bool other_writes : {false, true}) {
        Cpus cpus(round_machine());
        auto& word = cpus.word_of(0);
        bool stored = false;
        cpus.add(0, [&](Context& context) {
            ldxr(word);
            context.spend(span(ns(500)));
            stored = stxr(word, 7u);
        });
        cpus.add(
            1,
            [&](Context&) {
                if (other_writes) {
                    write_once(word, 9u);
                } else {
                    read_once(word);
                }
            },
            ns(100));
        cpus.run();
        INFO("the other CPU writes: " << other_writes);
        CHECK(stored == !other_writes);
        CHECK(*word.word() == (other_writes ? 9u : 7u));
    }
}

TEST_CASE("a reservation is lost when the snoop arrives, not when the rival is granted the line", "[timing]") {
    // CPU 1's store begins at 100, is granted at 110; the snoop takes the line from CPU 0 at 150.
    for (const std::int64_t at : {149, 150}) {
        Cpus cpus(round_machine());
        auto& word = cpus.word_of(0);
        bool stored = false;
        cpus.add(0, [&](Context& context) {
            ldxr(word);
            context.spend(span(ns(at - 1)));  // the load took 1
            stored = stxr(word, 7u);
        });
        cpus.add(
            1, [&](Context&) { write_once(word, 9u); }, ns(100));
        cpus.run();
        INFO("store-exclusive at " << at);
        CHECK(stored == (at == 149));
        CHECK(*word.word() == 9);  // the rival's store comes after either
    }
}

TEST_CASE("of two store-exclusives that travel at once the first served wins, and the other takes nothing",
          "[timing]") {
    Cpus cpus(round_machine());
    auto& word = cpus.word();
    std::vector<bool> stored(2);
    Time winner_again{};
    for (const std::int32_t cpu : {0, 1}) {
        cpus.add(cpu, [&, cpu](Context& context) {
            const std::uint64_t seen = ldxr(word);
            context.spend(span(ns(1'000) - cpus.now() + ns(cpu)));
            stored[static_cast<std::size_t>(cpu)] = stxr(word, seen + 1);
            if (cpu != 0) { return; }
            context.spend(span(ns(3'000) - cpus.now()));
            const Time before = cpus.now();
            write_once(word, 5u);
            winner_again = cpus.now() - before;
        });
    }
    cpus.run();
    CHECK(stored == std::vector<bool>{true, false});
    CHECK(winner_again == ns(1));  // still a hit: the loser invalidated nobody
}

TEST_CASE("with unconditional upgrade a store-exclusive that lost its reservation takes the line all the same",
          "[timing]") {
    MachineConfig config = round_machine();
    config.sc_upgrade = ScUpgrade::unconditional;
    Cpus cpus(config);
    auto& word = cpus.word();
    std::vector<bool> stored(2);
    for (const std::int32_t cpu : {0, 1}) {
        cpus.add(cpu, [&, cpu](Context& context) {
            ldxr(word);
            context.spend(span(ns(1'000) - cpus.now() + ns(cpu)));
            stored[static_cast<std::size_t>(cpu)] = stxr(word, 1u);
        });
    }
    cpus.run();
    CHECK(stored == std::vector<bool>{true, false});
    CHECK(cpus.machine.memory().line_of(simulated_address(word.word())).owner() == 1);
}

TEST_CASE("a tick clears the reservation", "[unit]") {
    Cpus cpus(ticking_machine(ns(500), ns(10)));
    auto& word = cpus.word_of(0);
    std::vector<bool> stored;
    cpus.add(0, [&](Context& context) {
        ldxr(word);
        context.spend(span(ns(450)));
        stored.push_back(stxr(word, 1u));
        ldxr(word);
        context.spend(span(ns(100)));
        stored.push_back(stxr(word, 2u));
    });
    cpus.run();
    CHECK(stored == std::vector<bool>{true, false});
}

TEST_CASE("a hold keeps the reservation from a snoop that is already on its way", "[timing]") {
    // Symptom: the snoop waited for the hold, and the reservation was gone all the same when it had been due.
    for (const std::int64_t hold : {0, 20}) {
        MachineConfig m = round_machine();
        m.llsc_hold_cycles = hold;
        Cpus cpus(m);
        auto& word = cpus.word_of(0);
        bool stored = false;
        cpus.add(0, [&](Context& context) {
            context.spend(span(ns(45)));
            ldxr(word);  // 45 to 46; held until 66
            context.spend(span(ns(10)));
            stored = stxr(word, 7u);  // at 56
        });
        cpus.add(1, [&](Context&) { write_once(word, 1u); });  // its snoop is due at 50
        cpus.run();
        CHECK(stored == (hold > 0));
        CHECK(*word.word() == 1);
    }
}

TEST_CASE("a tick takes its length from work under way, and is accounted", "[timing]") {
    Cpus cpus(ticking_machine(ns(500), ns(10)));
    Time end{};
    cpus.add(0, [&](Context& context) {
        context.cpu().become(Activity::work, cpus.now());
        context.spend(span(ns(499)));
        CHECK(cpus.now() == ns(499));
        context.spend(cycles(100));  // 499 to 599, with a tick at 500
        end = cpus.now();
    });
    cpus.run();
    CHECK(end == ns(609));
    Cpu& cpu = cpus.machine.cpu(0);
    cpu.become(Activity::idle, cpus.now());
    CHECK(cpu.spent()[static_cast<std::size_t>(Activity::interrupt)] == ns(10));
    CHECK(cpu.spent()[static_cast<std::size_t>(Activity::work)] == ns(599));
}

TEST_CASE("data that arrives during a handler waits for its end", "[timing]") {
    Cpus cpus(ticking_machine(ns(500), ns(200)));
    auto& word = cpus.word_of(1);
    Time end{};
    cpus.add(0, [&](Context& context) {
        context.spend(span(ns(450)));
        read_once(word);  // on its way from 450 to 550; the handler runs from 500 to 700
        end = cpus.now();
    });
    cpus.run();
    CHECK(end == ns(701));
}

TEST_CASE("a wait by WFE sleeps until its reservation is lost, then looks again", "[timing]") {
    Cpus cpus(wfe_machine());
    auto& word = cpus.word_of(0);
    Time woken{};
    cpus.add(0, [&](Context&) {
        smp_cond_load_acquire(word, [](auto value) { return value != 0; });
        woken = cpus.now();
    });
    cpus.add(
        1, [&](Context&) { write_once(word, 1u); }, ns(1'000));
    cpus.run();
    // Granted at 1010, snooped at 1050; awake at 1057; the read travels 10, waits for the store's completion at 1100,
    // and is forwarded (retention 0, held until the store ends at 1101): 40 later the data is there; the load takes 1.
    CHECK(woken == ns(1'142));
    CHECK(cpus.machine.engine().events() < 12);
}

TEST_CASE("WFE goes on at once after SEVL, and else sleeps until SEV or the event stream", "[timing]") {
    MachineConfig config = wfe_machine();
    config.event_stream = sim::microseconds(100);
    Cpus cpus(config);
    std::vector<Time> at;
    cpus.add(0, [&](Context&) {
        sevl();
        wfe();
        at.push_back(cpus.now());
        wfe();
        at.push_back(cpus.now());
        wfe();
        at.push_back(cpus.now());
    });
    cpus.add(
        1, [&](Context&) { sev(); }, ns(1'000));
    cpus.run();
    CHECK(at == std::vector<Time>{ns(6), ns(1'007), ns(100'007)});
}

TEST_CASE("an interrupt ends a WFE, and its return lets the next one through", "[timing]") {
    MachineConfig config = wfe_machine();
    config.tick = {.period = ns(500), .length = ns(10), .skew = {}};
    config.cpus[0].tick_offset = ns(500);
    Cpus cpus(config);
    std::vector<Time> at;
    cpus.add(0, [&](Context&) {
        wfe();
        at.push_back(cpus.now());
        wfe();
        at.push_back(cpus.now());
    });
    cpus.run(ns(900));
    CHECK(at == std::vector<Time>{ns(517), ns(520)});
}

TEST_CASE("read-modify-writes made of LL/SC lose no update", "[unit]") {
    for (const LoadExclusive fetch : {LoadExclusive::shared, LoadExclusive::exclusive}) {
        MachineConfig config = round_machine();
        config.rmw_by = RmwBy::llsc;
        config.load_exclusive = fetch;
        config.llsc_hold_cycles = fetch == LoadExclusive::exclusive ? 20 : 0;
        Cpus cpus(config);
        auto& word = cpus.word();
        for (const std::int32_t cpu : {0, 1, 2, 3}) {
            cpus.add(
                cpu,
                [&](Context& context) {
                    for (int i = 0; i < 100; ++i) {
                        fetch_add(word, 1u);
                        context.spend(span(ns(700)));
                    }
                },
                ns(cpu * 37));
        }
        cpus.run(sim::milliseconds(5));
        CHECK(*word.word() == 400);
    }
}

TEST_CASE("a compare-and-swap made of LL/SC that sees another value stores nothing", "[unit]") {
    MachineConfig config = round_machine();
    config.rmw_by = RmwBy::llsc;
    Cpus cpus(config);
    auto& word = cpus.word_of(0);
    std::uint64_t seen = 99;
    Context& context = cpus.add(0, [&](Context&) { seen = cmpxchg(word, 4u, 5u); });
    cpus.run();
    CHECK(seen == 0);
    CHECK(*word.word() == 0);
    CHECK(context.cas_failures() == 1);
    CHECK(context.sc_successes() + context.sc_failures() == 0);
}

TEST_CASE("a granule of several lines is taken with any of them", "[unit]") {
    for (const std::int32_t granule : {0, 256}) {
        MachineConfig config = round_machine();
        config.reservation_granule = granule;
        Cpus cpus(config);
        struct Pair {
            alignas(128) Atomic<std::uint64_t> mine;
            alignas(64) Atomic<std::uint64_t> neighbour;
        };
        cpus.word("padding");
        auto& pair = cpus.machine.arena().make<Pair>("pair");
        REQUIRE(simulated_address(pair.mine.word()) / 256 == simulated_address(pair.neighbour.word()) / 256);
        bool stored = false;
        cpus.add(0, [&](Context& context) {
            ldxr(pair.mine);
            context.spend(span(ns(1'000)));
            stored = stxr(pair.mine, 1u);
        });
        cpus.add(
            1, [&](Context&) { write_once(pair.neighbour, 1u); }, ns(500));
        cpus.run();
        INFO("granule " << granule);
        CHECK(stored == (granule == 0));
    }
}
