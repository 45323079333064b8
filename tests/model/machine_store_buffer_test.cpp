// The store buffer on the round machine (1 GHz: hit 1, read-modify-write 5, fence 2, transfer 100 ns): when a store is
// visible, what is answered from the buffer, and what waits for it.
#include "model/machine/store_buffer.hpp"

#include <vector>

#include "tests/catch.hpp"
#include "tests/model/machines.hpp"

using namespace model;
using namespace model::test;
using namespace smp;

namespace {

constexpr Time ns(std::int64_t n) { return nanoseconds(n); }
constexpr std::int64_t start = 1'000;  // of the code under test, in ns

MachineConfig buffered(std::int32_t depth = 8) {
    MachineConfig m = round_machine();
    m.store_buffer = depth;
    return m;
}

/// In an event of its own, which belongs to no CPU.
class Probe final : public sim::Actor {
public:
    Probe(Cpus& cpus, Time when, std::function<void()> look) : Actor(number_, fire), look_(std::move(look)) {
        cpus.machine.engine().schedule(*this, when);
    }

private:
    static sim::Fiber* fire(sim::Actor& actor) {
        static_cast<Probe&>(actor).look_();
        return nullptr;
    }
    static inline std::uint64_t number_ = std::uint64_t{1} << 16;  // before all others of the instant
    std::function<void()> look_;
};

/// From `start` on CPU 1; each operation's length in ns.
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
        ns(start));
    cpus.run();
    return result;
}

/// When the word changes from 0, in ns; another instant than a whole nanosecond is told as the next whole one.
std::int64_t visible_at(Cpus& cpus, const Atomic<std::uint64_t>& word, const std::function<void()>& code) {
    std::deque<Probe> probes;
    std::int64_t first = 0;
    for (std::int64_t at = start; at < start + 1'000; ++at) {
        probes.emplace_back(cpus, ns(at), [&, at] {
            if (first == 0 && *word.word() != 0) { first = at - 1; }  // probes come first in their instant
        });
    }
    cpus.add(
        1, [&](Context&) { code(); }, ns(start));
    cpus.add(  // the run goes on until the last probe
        3, [](Context& self) { self.spend(cycles(1)); }, ns(start + 1'000));
    cpus.run();
    return first;
}

}  // namespace

TEST_CASE("a store that misses costs a hit, and is visible when its line is there", "[timing]") {
    {
        Cpus cpus(buffered());
        auto& word = cpus.word_of(0);
        CHECK(lengths_on_cpu1(cpus, [&] { write_once(word, 7u); }) == std::vector<std::int64_t>{1});
        CHECK(*word.word() == 7);  // the run goes on until the last store is visible
        CHECK(cpus.now() >= ns(start + 100));
    }
    Cpus cpus(buffered());
    auto& word = cpus.word_of(0);
    CHECK(visible_at(cpus, word, [&] { write_once(word, 7u); }) == start + 100);
}

TEST_CASE("without a buffer the same store waits for its line", "[timing]") {
    Cpus cpus(buffered(0));
    auto& word = cpus.word_of(0);
    CHECK(lengths_on_cpu1(cpus, [&] { write_once(word, 7u); }) == std::vector<std::int64_t>{101});
}

TEST_CASE("a store that hits with an empty buffer is visible at once", "[timing]") {
    Cpus cpus(buffered());
    auto& word = cpus.word_of(1);
    CHECK(visible_at(cpus, word, [&] { write_once(word, 7u); }) == start);
}

TEST_CASE("stores become visible in the order of the program, one hit after the other", "[timing]") {
    const auto visible = [](int which) {
        Cpus cpus(buffered());
        auto& missing = cpus.word_of(0, "missing");
        auto& owned = cpus.word_of(1, "owned");
        auto& owned_too = cpus.word_of(1, "owned too");
        Atomic<std::uint64_t>* words[] = {&missing, &owned, &owned_too};
        return visible_at(cpus, *words[which], [&] {
            write_once(missing, 1u);
            write_once(owned, 1u);
            write_once(owned_too, 1u);
        });
    };
    CHECK(visible(0) == start + 100);
    CHECK(visible(1) == start + 101);
    CHECK(visible(2) == start + 102);
}

TEST_CASE("the requests of two stores that miss are under way together", "[timing]") {
    Cpus cpus(buffered());
    auto& first = cpus.word_of(0, "first");
    auto& second = cpus.word_of(2, "second");
    CHECK(visible_at(cpus, second, [&] {
              write_once(first, 1u);
              write_once(second, 1u);
          }) == start + 101);
}

TEST_CASE("an own load sees the youngest buffered store, which nobody else sees", "[timing]") {
    Cpus cpus(buffered());
    auto& word = cpus.word_of(0);
    std::uint64_t own = 0;
    std::uint64_t others = 99;
    cpus.add(
        0, [&](Context&) { others = read_once(word); }, ns(start + 3));
    CHECK(lengths_on_cpu1(
              cpus, [&] { write_once(word, 7u); }, [&] { write_once(word, 8u); }, [&] { own = read_once(word); }) ==
          std::vector<std::int64_t>{1, 1, 1});
    CHECK(own == 8);
    CHECK(others == 0);
    CHECK(*word.word() == 8);
}

TEST_CASE("a load of a part of a buffered store is answered from it, one of more than it waits", "[timing]") {
    Cpus cpus(buffered());
    auto& word = cpus.machine.arena().make<Atomic<std::uint32_t>>("word", 0x1111'2222u);
    cpus.machine.memory().place(cpus.machine.arena().slots().back(), 0);
    std::uint32_t byte = 0;
    std::uint32_t whole = 0;
    CHECK(lengths_on_cpu1(
              cpus, [&] { write_once(low_half(word), std::uint16_t{0xabcd}); },
              [&] { byte = read_once(byte_of(word, 1)); },
              [&] { whole = read_once(word); }) == std::vector<std::int64_t>{1, 1, 99});
    CHECK(byte == 0xab);
    CHECK(whole == 0x1111'abcd);
}

TEST_CASE("a load beside a buffered store in its line gets the line that comes for the store", "[timing]") {
    Cpus cpus(buffered());
    auto& word = cpus.machine.arena().make<Atomic<std::uint32_t>>("word", 0x1111'2222u);
    cpus.machine.memory().place(cpus.machine.arena().slots().back(), 0);
    std::uint32_t beside = 0;
    const auto lengths = lengths_on_cpu1(
        cpus, [&] { write_once(low_half(word), std::uint16_t{0xabcd}); }, [&] { beside = read_once(high_half(word)); });
    CHECK(beside == 0x1111);
    CHECK(lengths[1] >= 100);  // at 1'100 the line is there, and the store may use it for its hit first
    CHECK(lengths[1] <= 101);
}

TEST_CASE("a full fence and a read-modify-write wait for the buffer, then cost what they cost", "[timing]") {
    {
        Cpus cpus(buffered());
        auto& word = cpus.word_of(0);
        CHECK(lengths_on_cpu1(
                  cpus, [&] { write_once(word, 1u); }, [&] { smp_mb(); }, [&] { smp_mb(); }) ==
              std::vector<std::int64_t>{1, 99 + 2, 2});
    }
    Cpus cpus(buffered());
    auto& word = cpus.word_of(0);
    auto& owned = cpus.word_of(1, "owned");
    CHECK(lengths_on_cpu1(
              cpus, [&] { write_once(word, 1u); }, [&] { xchg(owned, 1u); }, [&] { xchg(owned, 2u); }) ==
          std::vector<std::int64_t>{1, 99 + 5, 5});
}

TEST_CASE("a store-exclusive waits for the buffer, a load-exclusive only for a store it overlaps", "[timing]") {
    Cpus cpus(buffered());
    auto& word = cpus.word_of(0);
    auto& owned = cpus.word_of(1, "owned");
    bool stored = false;
    CHECK(lengths_on_cpu1(
              cpus, [&] { write_once(word, 1u); }, [&] { ldxr(owned); }, [&] { stored = stxr(owned, 2u); }) ==
          std::vector<std::int64_t>{1, 1, 98 + 1});
    CHECK(stored);
    CHECK(*owned.word() == 2);
}

TEST_CASE("a full buffer makes the next store wait for room", "[timing]") {
    Cpus cpus(buffered(2));
    auto& first = cpus.word_of(0, "first");
    auto& second = cpus.word_of(0, "second");
    auto& third = cpus.word_of(0, "third");
    CHECK(lengths_on_cpu1(
              cpus, [&] { write_once(first, 1u); }, [&] { write_once(second, 1u); }, [&] { write_once(third, 1u); }) ==
          std::vector<std::int64_t>{1, 1, 98 + 1});
    CHECK(*third.word() == 1);
}

TEST_CASE("no buffered store becomes visible before store_drain_min", "[timing]") {
    MachineConfig m = buffered();
    m.store_drain_min = ns(250);
    Cpus cpus(m);
    auto& word = cpus.word_of(0);
    CHECK(visible_at(cpus, word, [&] { write_once(word, 7u); }) == start + 250);
}

TEST_CASE("a line that is taken before the store's turn is asked for again", "[timing]") {
    MachineConfig m = buffered();
    m.store_drain_min = ns(400);
    Cpus cpus(m);
    auto& word = cpus.word_of(0);
    std::uint64_t seen = 99;
    cpus.add(  // takes the line back at 1'300 + 100
        2, [&](Context&) { seen = fetch_add(word, 0x100u); }, ns(start + 250));
    // 1'400: not this core's any more; a transfer of 100 ns later it is.
    CHECK(visible_at(cpus, word, [&] { write_once(word, 7u); }) == start + 250 + 100);
    CHECK(seen == 0);
    CHECK(*word.word() == 7);  // the store came after the addition
}

TEST_CASE("what a thread has stored becomes visible though the thread has ended or was killed", "[unit]") {
    for (const bool killed : {false, true}) {
        Cpus cpus(buffered());
        auto& word = cpus.word_of(0);
        Context& writer = cpus.add(
            1,
            [&](Context& self) {
                write_once(word, 7u);
                if (killed) { self.spend(cycles(1'000)); }
            },
            ns(start));
        Probe probe(cpus, ns(start + 50), [&] {
            CHECK(*word.word() == 0);
            if (killed) { writer.kill(); }
        });
        cpus.run();
        CHECK(*word.word() == 7);
    }
}

TEST_CASE("an interrupt does not stop the buffer", "[timing]") {
    Cpus cpus(buffered());
    auto& word = cpus.word_of(0);
    Interrupts::Source& tick = cpus.machine.interrupts(1).add_source();
    tick.length = ns(500);
    tick.owner().raise_at(tick, ns(start + 20));
    CHECK(visible_at(cpus, word, [&] {
              write_once(word, 7u);
              delay(cycles(50));
          }) == start + 100);
}

namespace {

/// The stores of a handler: run on CPU 1 at `when`.
struct Handler {
    Handler(Cpus& cpus, Time when, std::function<void()> code) : body(std::move(code)) {
        Interrupts::Source& source = cpus.machine.interrupts(1).add_source();
        source.handler = &cpus.machine.add_handler(
            1, "handler", [](void* f) { (*static_cast<std::function<void()>*>(f))(); }, &body);
        source.owner().raise_at(source, when);
    }
    std::function<void()> body;
};

}  // namespace

TEST_CASE("a store that waited for room looks again after a handler has filled the buffer", "[unit]") {
    // Symptom: the thread's store overwrote the oldest one of the handler.
    Cpus cpus(buffered(1));
    auto& first = cpus.word_of(0, "first");
    auto& second = cpus.word_of(0, "second");
    auto& third = cpus.word_of(0, "third");
    // At 1'100 there is room, and the handler, which has been computing since 1'050, takes it.
    Handler handler(cpus, ns(start + 50), [&] {
        delay(cycles(100));
        write_once(third, 3u);
    });
    lengths_on_cpu1(
        cpus, [&] { write_once(first, 1u); }, [&] { write_once(second, 2u); });
    CHECK(*first.word() == 1);
    CHECK(*second.word() == 2);
    CHECK(*third.word() == 3);
}

TEST_CASE("a fence that waited for the buffer waits for the stores of a handler, too", "[unit]") {
    // Symptom: the fence ended with the handler's store still on its way.
    Cpus cpus(buffered());
    auto& first = cpus.word_of(0, "first");
    auto& second = cpus.word_of(0, "second");
    Handler handler(cpus, ns(start + 50), [&] {
        delay(cycles(100));
        write_once(second, 2u);
    });
    std::uint64_t after_fence = 99;
    lengths_on_cpu1(
        cpus, [&] { write_once(first, 1u); }, [&] { smp_mb(); }, [&] { after_fence = *second.word(); });
    CHECK(after_fence == 2);
}

TEST_CASE("a named wait on a word with an own buffered store sees that store or a later one", "[unit]") {
    for (const bool elision : {true, false}) {
        for (const Waiting by : {Waiting::poll, Waiting::wfe}) {
            MachineConfig m = buffered();
            m.waiting = by;
            Machine::Options options;
            options.spin_elision = elision;
            Cpus cpus(m, options);
            auto& word = cpus.word_of(0);
            std::uint64_t seen = 0;
            cpus.add(  // overwrites the 7
                0, [&](Context&) { write_once(word, 9u); }, ns(start + 500));
            cpus.add(
                1,
                [&](Context&) {
                    write_once(word, 7u);
                    smp_cond_load_acquire(word, [](auto v) { return v == 7; });
                    seen = smp_cond_load_acquire(word, [](auto v) { return v != 7; });
                },
                ns(start));
            cpus.run();
            CHECK(seen == 9);
        }
    }
}

TEST_CASE("a buffered store takes away others' reservations when the line is asked for, not before", "[unit]") {
    Cpus cpus(buffered());
    auto& word = cpus.word_of(2);
    std::vector<bool> stored;
    cpus.add(
        2,
        [&](Context& self) {
            ldxr(word);
            self.spend(cycles(30));
            stored.push_back(stxr(word, 5u));  // before the snoop of the store below
            ldxr(word);
            self.spend(cycles(500));
            stored.push_back(stxr(word, 6u));
        },
        ns(start - 30));
    cpus.add(
        1, [&](Context&) { write_once(word, 7u); }, ns(start));
    cpus.run();
    CHECK(stored == std::vector<bool>{true, false});
    CHECK(*word.word() == 7);
}

TEST_CASE("a store that nobody will see ends no standstill: spinners are a deadlock once all buffers are empty",
          "[unit]") {
    for (const bool elision : {true, false}) {
        Machine::Options options;
        options.spin_elision = elision;
        Cpus cpus(buffered(), options);
        auto& word = cpus.word_of(0, "word");
        auto& other = cpus.word_of(2, "other");
        cpus.add(
            1,
            [&](Context&) {
                write_once(other, 1u);
                smp_cond_load_acquire(word, [](auto v) { return v == 5; });
            },
            ns(start));
        cpus.run();
        CHECK(cpus.machine.deadlocked());
        CHECK(*other.word() == 1);
    }
}

TEST_CASE("prefetchw costs a hit, and the write behind it finds the line on its way or there", "[timing]") {
    for (const std::int32_t depth : {0, 8}) {
        {
            Cpus cpus(buffered(depth));
            auto& word = cpus.word_of(0);
            CHECK(lengths_on_cpu1(
                      cpus, [&] { prefetchw(word); }, [&] { fetch_add(word, 1u); }) ==
                  std::vector<std::int64_t>{1, 99 + 5});
        }
        Cpus cpus(buffered(depth));
        auto& word = cpus.word_of(0);
        CHECK(lengths_on_cpu1(
                  cpus, [&] { prefetchw(word); }, [&] { delay(cycles(99)); }, [&] { fetch_add(word, 1u); }) ==
              std::vector<std::int64_t>{1, 99, 5});
        CHECK(*word.word() == 1);
    }
}
