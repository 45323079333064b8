// Atomic operations across two cache lines, on the round machine (1 GHz: hit 1, read-modify-write 5, transfer 100 of
// which the request is 10 ns) with a bus lock of 500 ns.
#include "model/machine/bus_lock.hpp"

#include <vector>

#include "tests/catch.hpp"
#include "tests/model/machines.hpp"

using namespace model;
using namespace model::test;
using namespace smp;

namespace {

constexpr Time ns(std::int64_t n) { return nanoseconds(n); }

MachineConfig locking(std::int64_t lock_ns = 500) {
    MachineConfig m = round_machine();
    m.bus_lock = ns(lock_ns);
    return m;
}

struct TwoLines {
    alignas(64) std::byte bytes[128];
};

/// 8 bytes, half of them in each of two lines that a CPU owns (-1: that are in memory).
SplitWord<std::uint64_t> split_word_of(Cpus& cpus, std::int32_t cpu, std::size_t offset = 60) {
    auto& lines = cpus.machine.arena().make<TwoLines>("lines");
    if (cpu >= 0) { cpus.machine.memory().place(cpus.machine.arena().slots().back(), cpu); }
    return SplitWord<std::uint64_t>(lines.bytes + offset);
}

std::int64_t length_of(Cpus& cpus, const std::function<void()>& operation) {
    const Time before = cpus.now();
    operation();
    return (cpus.now() - before).ps / 1'000;
}

}  // namespace

TEST_CASE("an atomic operation across two lines fetches both and keeps them for the bus lock", "[timing]") {
    for (const std::int32_t owner : {1, 0}) {
        Cpus cpus(locking());
        const auto word = split_word_of(cpus, owner);
        std::int64_t took = 0;
        std::uint64_t before = 99;
        cpus.add(1,
                 [&](Context&) { took = length_of(cpus, [&] { before = fetch_add(word, std::uint64_t{1} << 33); }); });
        cpus.run();
        CHECK(before == 0);
        CHECK(word.raw() == std::uint64_t{1} << 33);
        CHECK(took == (owner == 1 ? 0 : 2 * 100) + 5 + 500);
    }
}

TEST_CASE("inside one line the same operation is an ordinary one", "[timing]") {
    for (const std::size_t offset : {std::size_t{3}, std::size_t{56}}) {
        Cpus cpus(locking());
        const auto word = split_word_of(cpus, 1, offset);
        std::vector<std::int64_t> took;
        cpus.add(1, [&](Context&) {
            took.push_back(length_of(cpus, [&] { fetch_add(word, 7u); }));
            took.push_back(length_of(cpus, [&] { CHECK(try_cmpxchg(word, 7u, 8u)); }));
            took.push_back(length_of(cpus, [&] { xchg(word, 9u); }));
        });
        cpus.run();
        CHECK(took == std::vector<std::int64_t>{5, 5, 5});
        CHECK(word.raw() == 9);
    }
}

TEST_CASE("while it lasts others hit, and whoever misses waits for its end", "[timing]") {
    Cpus cpus(locking());
    const auto word = split_word_of(cpus, 1);
    auto& own = cpus.word_of(2, "own");
    auto& foreign = cpus.word_of(3, "foreign");
    std::vector<std::int64_t> took;
    cpus.add(
        1, [&](Context&) { fetch_add(word, 1u); }, ns(1'000));  // until 1'505
    cpus.add(
        2,
        [&](Context&) {
            took.push_back(length_of(cpus, [&] { fetch_add(own, 1u); }));
            took.push_back(length_of(cpus, [&] { read_once(foreign); }));  // asked at 1'105, granted at 1'505
            took.push_back(length_of(cpus, [&] { write_once(own, 7u); }));
        },
        ns(1'100));
    cpus.run();
    CHECK(took == std::vector<std::int64_t>{5, 1'505 - 1'105 + 90 + 1, 1});
}

TEST_CASE("a transfer that has been granted goes on under the lock", "[timing]") {
    Cpus cpus(locking());
    const auto word = split_word_of(cpus, 1);
    auto& foreign = cpus.word_of(3, "foreign");
    std::int64_t took = 0;
    cpus.add(
        1, [&](Context&) { fetch_add(word, 1u); }, ns(1'000));
    cpus.add(
        2, [&](Context&) { took = length_of(cpus, [&] { read_once(foreign); }); }, ns(985));  // granted at 995
    cpus.run();
    CHECK(took == 101);
}

TEST_CASE("operations of several CPUs on one split word are atomic, and between them others get on", "[unit]") {
    for (const bool elision : {true, false}) {
        Machine::Options options;
        options.spin_elision = elision;
        Cpus cpus(locking(40), options);
        const auto word = split_word_of(cpus, -1);
        auto& shared = cpus.word("shared");
        int others = 0;
        int done = 0;
        for (const std::int32_t cpu : {0, 1, 2}) {
            cpus.add(cpu, [&](Context&) {
                for (int i = 0; i < 200; ++i) { fetch_add(word, 0x1'0000'0001u); }
                ++done;
            });
        }
        cpus.add(3, [&](Context&) {
            while (done < 3) {
                fetch_add(shared, 1u);
                xchg(shared, 0u);
                read_once(cpus.machine.arena().make<Atomic<std::uint64_t>>("fresh"));
                ++others;
            }
        });
        cpus.run();
        CHECK(word.raw() == 600 * 0x1'0000'0001u);
        CHECK(others >= 100);  // of 600 operations in a row
    }
}

TEST_CASE("a CPU that is interrupted in it keeps nobody waiting for longer", "[unit]") {
    Cpus cpus(locking());
    const auto word = split_word_of(cpus, 1);
    auto& foreign = cpus.word_of(3, "foreign");
    Interrupts::Source& tick = cpus.machine.interrupts(1).add_source();
    tick.length = ns(10'000);
    tick.owner().raise_at(tick, ns(1'200));
    std::int64_t took = 0;
    std::int64_t split_took = 0;
    cpus.add(
        1, [&](Context&) { split_took = length_of(cpus, [&] { fetch_add(word, 1u); }); }, ns(1'000));
    cpus.add(
        2, [&](Context&) { took = length_of(cpus, [&] { read_once(foreign); }); }, ns(1'300));
    cpus.run();
    CHECK(took == 1'505 - 1'300 + 90 + 1);
    CHECK(split_took == 10'200);
}

TEST_CASE("who is killed while its operation waits for the lock does it all the same, and gives the lock back",
          "[unit]") {
    Cpus cpus(locking());
    const auto word = split_word_of(cpus, 0);
    Context* victim = nullptr;
    std::int64_t took = 0;
    cpus.add(
        0, [&](Context&) { fetch_add(word, 1u); }, ns(1'000));
    victim = &cpus.add(
        1, [&](Context&) { fetch_add(word, 1u); }, ns(1'100));
    cpus.add(
        2,
        [&](Context& self) {
            victim->kill();
            self.spend(cycles(2'000));
            took = length_of(cpus, [&] { fetch_add(word, 1u); });
        },
        ns(1'200));
    cpus.run();
    CHECK(word.raw() == 3);
    CHECK(took == 2 * 100 + 505);
}

TEST_CASE("buffered stores are visible before a split operation", "[unit]") {
    MachineConfig m = locking();
    m.store_buffer = 8;
    Cpus cpus(m);
    const auto word = split_word_of(cpus, 1);
    auto& stored = cpus.word_of(0, "stored");
    std::uint64_t seen = 0;
    cpus.add(1, [&](Context&) {
        write_once(stored, 7u);
        fetch_add(word, 1u);
        seen = *stored.word();
    });
    cpus.run();
    CHECK(seen == 7);
}
