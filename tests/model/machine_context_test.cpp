// A context on its CPU: the exact cycle of hits, misses and work, and what a change of the clock does to each of them.
// On the round machine (1 GHz): hit 1, read-modify-write 5, fence 2, relax 3, transfer 100, memory 200 ns.
#include "model/machine/context.hpp"

#include <vector>

#include "tests/catch.hpp"
#include "tests/model/machines.hpp"

using namespace model;
using namespace model::test;
using namespace smp;

namespace {

constexpr Time ns(std::int64_t n) { return nanoseconds(n); }

/// How long each of some operations takes on CPU 1.
template <class... Operations>
std::vector<std::int64_t> lengths_on_cpu1(Cpus& cpus, Operations... operations) {
    std::vector<std::int64_t> result;
    cpus.add(
        1,
        [&](Context&) {
            const auto timed = [&](auto operation) {
                const Time before = cpus.now();
                operation();
                result.push_back((cpus.now() - before).ps / 1'000);
            };
            (timed(operations), ...);
        },
        ns(1'000));
    cpus.run();
    return result;
}

}  // namespace

TEST_CASE("operations on an owned line take their cycles and no more", "[timing]") {
    Cpus cpus(round_machine());
    auto& word = cpus.word_of(1);
    CHECK(lengths_on_cpu1(
              cpus, [&] { read_once(word); }, [&] { write_once(word, 7u); }, [&] { xchg(word, 8u); },
              [&] { cmpxchg(word, 1u, 2u); }, [&] { smp_mb(); },
              [&] { cpu_relax(); }) == std::vector<std::int64_t>{1, 1, 5, 5, 2, 3});
    CHECK(*word.word() == 8);
}

TEST_CASE("a miss takes the transfer and then the operation's own cycles", "[timing]") {
    Cpus cpus(round_machine());
    auto& loaded = cpus.word_of(0, "loaded");
    auto& stored = cpus.word_of(0, "stored");
    auto& changed = cpus.word_of(0, "changed");
    auto& in_memory = cpus.word("in memory");
    auto& changed_in_memory = cpus.word("changed in memory");
    CHECK(lengths_on_cpu1(
              cpus, [&] { read_once(loaded); }, [&] { write_once(stored, 1u); }, [&] { fetch_add(changed, 1u); },
              [&] { read_once(in_memory); },
              [&] { xchg(changed_in_memory, 1u); }) == std::vector<std::int64_t>{101, 101, 105, 201, 205});
}

TEST_CASE("the second access to a fetched line hits, a store after a load has to upgrade", "[timing]") {
    Cpus cpus(round_machine());
    auto& word = cpus.word_of(0);
    CHECK(lengths_on_cpu1(
              cpus, [&] { read_once(word); }, [&] { read_once(word); }, [&] { write_once(word, 1u); },
              [&] { write_once(word, 2u); }, [&] { xchg(word, 3u); }) == std::vector<std::int64_t>{101, 1, 101, 1, 5});
}

TEST_CASE("a load of a shared line misses once and takes a transfer", "[timing]") {
    Cpus cpus(round_machine());
    auto& word = cpus.word_of(0);
    cpus.add(2, [&](Context&) { read_once(word); });  // now 0 and 2 share it
    CHECK(lengths_on_cpu1(
              cpus, [&] { read_once(word); }, [&] { read_once(word); }) == std::vector<std::int64_t>{101, 1});
}

TEST_CASE("private memory is always a hit", "[timing]") {
    Cpus cpus(round_machine());
    static Atomic<std::uint64_t> outside;  // not in the arena
    CHECK(lengths_on_cpu1(
              cpus, [&] { read_once(outside); }, [&] { write_once(outside, 1u); }, [&] { xchg(outside, 2u); }) ==
          std::vector<std::int64_t>{1, 1, 5});
}

TEST_CASE("a read-modify-write returns the value before, in words of every size", "[unit]") {
    Cpus cpus(round_machine());
    auto& byte = cpus.machine.arena().make<Atomic<std::uint8_t>>("byte", std::uint8_t{250});
    auto& wide = cpus.machine.arena().make<Atomic<std::int64_t>>("wide", std::int64_t{-5});
    std::vector<std::int64_t> got;
    cpus.add(0, [&](Context&) {
        got.push_back(fetch_add(byte, 10));  // wraps to 4
        got.push_back(read_once(byte));
        got.push_back(fetch_or(byte, 3));   // 7
        got.push_back(fetch_and(byte, 6));  // 6
        got.push_back(fetch_xor(byte, 5));  // 3
        got.push_back(xchg(byte, 9));
        got.push_back(cmpxchg(byte, 9, 1));
        got.push_back(cmpxchg(byte, 9, 2));  // fails
        got.push_back(fetch_sub(wide, 1));
        got.push_back(fetch_add(wide, 10));
        got.push_back(read_once(wide));
    });
    cpus.run();
    CHECK(got == std::vector<std::int64_t>{250, 4, 4, 7, 6, 3, 9, 1, -5, -6, 4});
}

TEST_CASE("an access to half a word leaves the other half alone", "[unit]") {
    Cpus cpus(round_machine());
    auto& word = cpus.machine.arena().make<Atomic<std::uint32_t>>("word", 0x00020001u);
    cpus.add(0, [&](Context&) {
        smp_store_release(low_half(word), 0xFFFF);
        smp_store_release(high_half(word), 7);
    });
    cpus.run();
    CHECK(*word.word() == 0x0007FFFFu);
}

TEST_CASE("the owner's operation begun before the snoop delays the other CPU by exactly its rest", "[timing]") {
    // CPU 1's request arrives at 10, its snoop is due at 50. CPU 0's exchange takes 5 cycles from `begin` on.
    const std::int64_t begin = GENERATE(40, 44, 45, 46, 49);
    Cpus cpus(round_machine());
    auto& word = cpus.word_of(0);
    Time done{};
    Time owner_done{};
    cpus.add(
        0,
        [&](Context&) {
            xchg(word, 5u);
            owner_done = cpus.now();
        },
        ns(begin));
    std::uint64_t seen = 0;
    cpus.add(1, [&](Context&) {
        seen = xchg(word, 6u);
        done = cpus.now();
    });
    cpus.run();
    CHECK(owner_done == ns(begin + 5));
    CHECK(done == ns(105 + std::max<std::int64_t>(0, begin + 5 - 50)));
    CHECK(seen == 5);
}

TEST_CASE("an operation begun with the snoop's passing misses", "[timing]") {
    Cpus cpus(round_machine());
    auto& word = cpus.word_of(0);
    std::uint64_t seen = 0;
    Time done{};
    cpus.add(
        0,
        [&](Context&) {
            seen = xchg(word, 5u);
            done = cpus.now();
        },
        ns(50));
    cpus.add(1, [&](Context&) { write_once(word, 6u); });  // has the line at 100
    cpus.run();
    CHECK(seen == 6);
    CHECK(done == ns(100 + 40 + 5) + ns(1));  // the store ends at 101: only then is the snoop answered
}

TEST_CASE("far atomics return to the requester and leave nobody with the line", "[timing]") {
    MachineConfig config = round_machine();
    config.atomics = Atomics::far;
    Cpus cpus(config);
    auto& word = cpus.word_of(0);
    CHECK(lengths_on_cpu1(
              cpus, [&] { fetch_add(word, 1u); }, [&] { fetch_add(word, 1u); }, [&] { read_once(word); }) ==
          std::vector<std::int64_t>{10 + 40 + 9 + 45 + 5, 10 + 9 + 45 + 5, 101});
    CHECK(*word.word() == 2);
}

TEST_CASE("far-unless-unique atomics stay near where the CPU owns the line", "[timing]") {
    MachineConfig config = round_machine();
    config.atomics = Atomics::far_unless_unique;
    Cpus cpus(config);
    auto& own = cpus.word_of(1, "own");
    auto& other = cpus.word_of(0, "other");
    CHECK(lengths_on_cpu1(
              cpus, [&] { fetch_add(own, 1u); }, [&] { fetch_add(other, 1u); }) ==
          std::vector<std::int64_t>{5, 10 + 40 + 9 + 45 + 5});
}

TEST_CASE("a failing compare-and-swap takes the line exclusive or shared, as the machine says", "[timing]") {
    MachineConfig config = round_machine();
    config.cas_failure = GENERATE(CasFailure::exclusive, CasFailure::shared);
    const bool exclusive = config.cas_failure == CasFailure::exclusive;
    Cpus cpus(config);
    auto& word = cpus.word_of(0);
    CHECK(lengths_on_cpu1(
              cpus, [&] { cmpxchg(word, 9u, 1u); }, [&] { write_once(word, 1u); }) ==
          std::vector<std::int64_t>{105, exclusive ? 1 : 101});
}

TEST_CASE("compare-and-swaps are counted by how they end", "[unit]") {
    Cpus cpus(round_machine());
    auto& word = cpus.word();
    const Context& context = cpus.add(0, [&](Context&) {
        const std::uint64_t zero = 0;
        for (std::uint64_t i = 0; i < 5; ++i) { try_cmpxchg(word, zero, i); }  // 0 -> 0, 0 -> 1, then three failures
    });
    cpus.run();
    CHECK(context.cas_successes() == 2);
    CHECK(context.cas_failures() == 3);
    CHECK(context.accesses() == 5);
}

// --- the clock changes ------------------------------------------------------------------------------------------

TEST_CASE("work in cycles goes on at the new clock, work in time does not notice", "[timing]") {
    const bool in_cycles = GENERATE(true, false);
    Cpus cpus(round_machine());
    Time done{};
    cpus.add(0, [&](Context& self) {
        self.spend(in_cycles ? cycles(1'000) : span(ns(1'000)));
        done = cpus.now();
    });
    cpus.machine.change_frequency_at(ns(400), 0, mhz(2'000));
    cpus.run();
    CHECK(done == ns(in_cycles ? 700 : 1'000));
}

TEST_CASE("a cycle that has begun when the clock changes is done again at the new clock", "[timing]") {
    Cpus cpus(round_machine());
    Time done{};
    cpus.add(0, [&](Context& self) {
        self.spend(cycles(10));
        done = cpus.now();
    });
    cpus.machine.change_frequency_at(picoseconds(4'001), 0, mhz(500));  // 4 whole cycles are done
    cpus.run();
    CHECK(done == picoseconds(4'001) + ns(12));
}

TEST_CASE("a clock may change several times during one piece of work", "[timing]") {
    Cpus cpus(round_machine());
    Time done{};
    cpus.add(0, [&](Context& self) {
        self.spend(cycles(1'000));
        done = cpus.now();
    });
    cpus.machine.change_frequency_at(ns(100), 0, mhz(500));    // 900 left, at 2 ns
    cpus.machine.change_frequency_at(ns(300), 0, mhz(4'000));  // 800 left, at 0.25 ns
    cpus.machine.change_frequency_at(ns(400), 0, mhz(1'000));  // 400 left
    cpus.machine.change_frequency_at(ns(450), 1, mhz(1));      // another CPU's
    cpus.run();
    CHECK(done == ns(800));
}

TEST_CASE("a change at the end of the work comes too late, one before it does not", "[timing]") {
    const std::int64_t at = GENERATE(999, 1'000);
    Cpus cpus(round_machine());
    Time done{};
    cpus.add(0, [&](Context& self) {
        self.spend(cycles(1'000));
        done = cpus.now();
    });
    cpus.machine.change_frequency_at(ns(at), 0, mhz(10));
    cpus.run();
    CHECK(done == ns(at == 999 ? 999 + 100 : 1'000));
}

TEST_CASE("cycles that are done are not done again when the clock changes twice", "[timing]") {
    // Symptom: the second change counted the cycles that were done since their begin by the clock between the two. Two
    // changes at the very end of some cycles made the last one run again.
    const bool at_the_end = GENERATE(true, false);
    Cpus cpus(round_machine());
    Time done{};
    cpus.add(0, [&](Context& self) {
        self.spend(at_the_end ? cycles(100) : Span{.cycles = 100, .time = ns(50)});
        done = cpus.now();
    });
    cpus.machine.change_frequency_at(ns(100), 0, mhz(100));
    cpus.machine.change_frequency_at(ns(at_the_end ? 100 : 120), 0, mhz(200));
    cpus.run();
    CHECK(done == ns(at_the_end ? 100 : 150));
}

TEST_CASE("a change while the request travels slows the rest of its way, and the response", "[timing]") {
    Cpus cpus(round_machine());
    auto& word = cpus.word_of(0);
    Time done{};
    cpus.add(1, [&](Context&) {
        read_once(word);
        done = cpus.now();
    });
    cpus.machine.change_frequency_at(ns(4), 1, mhz(500));
    cpus.run();
    // request 4 + 6 cycles of 2 ns; wires 20, snoop 20, wires 20; response 30 cycles and hit 1 cycle of 2 ns
    CHECK(done == ns(4 + 12 + 60 + 60 + 2));
}

TEST_CASE("a change while the data is on its way comes too late for it, but not for the operation", "[timing]") {
    Cpus cpus(round_machine());
    auto& word = cpus.word_of(0);
    Time done{};
    cpus.add(1, [&](Context&) {
        xchg(word, 1u);
        done = cpus.now();
    });
    cpus.machine.change_frequency_at(ns(60), 1, mhz(500));
    cpus.run();
    CHECK(done == ns(100 + 10));
}

TEST_CASE("a change of the holder's clock before the grant slows the snoop", "[timing]") {
    const std::int64_t at = GENERATE(9, 11);  // the request arrives at 10
    Cpus cpus(round_machine());
    auto& word = cpus.word_of(0);
    Time done{};
    cpus.add(1, [&](Context&) {
        read_once(word);
        done = cpus.now();
    });
    cpus.machine.change_frequency_at(ns(at), 0, mhz(500));
    cpus.run();
    CHECK(done == ns(at == 9 ? 121 : 101));
}

// Symptom: try_cmpxchg(word, 0u, x) chose the overload that takes a pointer, and dereferenced null.
TEST_CASE("a literal zero or null is an expected value of a compare-and-swap, not where to put what was seen",
          "[unit]") {
    Cpus cpus(round_machine());
    auto& word = cpus.word_of(0);
    auto& pointer = cpus.machine.arena().make<Atomic<Context*>>("pointer");
    std::uint64_t seen = 1;
    std::vector<bool> done;
    cpus.add(0, [&](Context& context) {
        done.push_back(try_cmpxchg(word, 0u, 5u));
        done.push_back(try_cmpxchg(word, &seen, 6u));
        done.push_back(try_cmpxchg(pointer, nullptr, &context));
    });
    cpus.run();
    CHECK(done == std::vector<bool>{true, false, true});
    CHECK(seen == 5);
}
