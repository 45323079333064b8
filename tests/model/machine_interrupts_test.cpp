// Interrupts that run code, on the round machine (1 GHz): hit 1, relax 3, transfer 100 ns = 10 request, 40 snoop, 50
// data.
#include <functional>
#include <vector>

#include "tests/catch.hpp"
#include "tests/model/machines.hpp"

using namespace model;
using namespace model::test;
using namespace smp;

namespace {

constexpr Time ns(std::int64_t n) { return nanoseconds(n); }

/// A machine with one interrupt source that runs a lambda on CPU 0, raised at given times.
struct Interrupted : Cpus {
    explicit Interrupted(const MachineConfig& config = round_machine(), Machine::Options options = {})
        : Cpus(config, options) {}

    Interrupts::Source& handler(std::function<void()> body, bool nests = false, std::int32_t cpu = 0) {
        std::function<void()>& kept = bodies_.emplace_back(std::move(body));
        Interrupts::Source& source = machine.interrupts(cpu).add_source();
        source.handler = &machine.add_handler(
            cpu, "handler", [](void* f) { (*static_cast<std::function<void()>*>(f))(); }, &kept);
        source.nests = nests;
        return source;
    }
    static void raise(Interrupts::Source& source, Time at) { source.owner().raise_at(source, at); }

private:
    std::deque<std::function<void()>> bodies_;
};

}  // namespace

TEST_CASE("a handler runs its code in the middle of work, which goes on where it was", "[timing]") {
    Interrupted cpus;
    std::vector<Time> times;
    Interrupts::Source& source = cpus.handler([&] {
        times.push_back(cpus.now());
        current->spend(cycles(30));
        times.push_back(cpus.now());
    });
    cpus.add(0, [&](Context& context) {
        context.spend(cycles(100));
        times.push_back(cpus.now());
    });
    Interrupted::raise(source, ns(40));
    cpus.run();
    CHECK(times == std::vector{ns(40), ns(70), ns(130)});
}

TEST_CASE("an interrupt that comes while they are masked waits, and merges with another of its kind", "[timing]") {
    Interrupted cpus;
    std::vector<Time> times;
    Interrupts::Source& source = cpus.handler([&] { times.push_back(cpus.now()); });
    cpus.add(0, [&](Context& context) {
        local_irq_disable();
        context.spend(cycles(50));
        Interrupted::raise(source, ns(60));
        context.spend(cycles(50));
        CHECK(times.empty());
        local_irq_enable();
        context.spend(cycles(10));
    });
    Interrupted::raise(source, ns(20));
    cpus.run();
    CHECK(times == std::vector{ns(100)});
}

TEST_CASE("a handler is interrupted only if it lets others nest, and never by itself", "[timing]") {
    for (const bool nests : {false, true}) {
        Interrupted cpus;
        std::vector<std::pair<char, Time>> log;
        Interrupts::Source& first = cpus.handler(
            [&] {
                current->spend(cycles(100));
                log.emplace_back('a', cpus.now());
            },
            nests);
        Interrupts::Source& second = cpus.handler([&] {
            current->spend(cycles(10));
            log.emplace_back('b', cpus.now());
        });
        cpus.add(0, [&](Context& context) {
            context.spend(cycles(1'000));
            log.emplace_back('t', cpus.now());
        });
        Interrupted::raise(first, ns(10));
        Interrupted::raise(second, ns(20));
        cpus.add(
            1,
            [&](Context& context) {
                context.spend(cycles(1));
                Interrupted::raise(first, ns(50));
            },
            ns(30));
        cpus.run();
        INFO("nests " << nests);
        using Log = std::vector<std::pair<char, Time>>;
        // Without nesting the second raising of a waits as b does; a comes before b, being the first source.
        const Log apart{{'a', ns(110)}, {'a', ns(210)}, {'b', ns(220)}, {'t', ns(1'210)}};
        const Log nested{{'b', ns(30)}, {'a', ns(120)}, {'a', ns(220)}, {'t', ns(1'210)}};
        CHECK(log == (nests ? nested : apart));
    }
}

TEST_CASE("masked interrupts of a thread are unmasked in nobody else", "[timing]") {
    Interrupted cpus;
    std::vector<Time> times;
    Interrupts::Source& here = cpus.handler([&] { times.push_back(cpus.now()); });
    Interrupts::Source& there = cpus.handler([&] { times.push_back(cpus.now()); }, false, 1);
    cpus.add(0, [&](Context& context) {
        const bool masked = local_irq_save();
        CHECK_FALSE(masked);
        CHECK(local_irq_save());
        local_irq_restore(true);
        context.spend(cycles(100));
        local_irq_restore(masked);
        context.spend(cycles(100));
    });
    cpus.add(1, [&](Context& context) { context.spend(cycles(300)); });
    Interrupted::raise(here, ns(20));
    Interrupted::raise(there, ns(30));
    cpus.run();
    CHECK(times == std::vector{ns(30), ns(100)});
}

TEST_CASE("a spinner sees what a handler of its own CPU has stored, parked or not", "[timing]") {
    // Symptom it would have: the store hits in the shared cache, no snoop tells the parked spinner.
    std::vector<std::uint64_t> digests;
    for (const bool elision : {true, false}) {
        Machine::Options options;
        options.spin_elision = elision;
        Interrupted cpus(round_machine(), options);
        auto& word = cpus.word_of(0);
        Interrupts::Source& source = cpus.handler([&] { write_once(word, 7u); });
        Time end{};
        Context& context = cpus.add(0, [&](Context&) {
            smp_cond_load_acquire(word, [](auto v) { return v == 7; });
            end = cpus.now();
        });
        Interrupted::raise(source, ns(41));
        cpus.run(sim::microseconds(5));
        // A poll each 4 ns, the last at 40; the handler's store takes 1 ns; 3 ns of the period are left, and the poll.
        CHECK(end == ns(41 + 1 + 3 + 1));
        CHECK(context.accesses() == 12);
        digests.push_back(cpus.digest());
    }
    CHECK(digests[0] == digests[1]);
}

TEST_CASE("data that comes while a handler runs waits for the handler's end", "[timing]") {
    Interrupted cpus;
    auto& word = cpus.word_of(1);
    Interrupts::Source& source = cpus.handler([&] { current->spend(cycles(200)); });
    Time end{};
    cpus.add(0, [&](Context&) {
        read_once(word);  // from 0 to 100, and 1
        end = cpus.now();
    });
    Interrupted::raise(source, ns(50));
    cpus.run();
    CHECK(end == ns(251));
}

TEST_CASE("an interrupt clears the reservation, a stall keeps it", "[unit]") {
    for (const bool stall : {false, true}) {
        Interrupted cpus;
        auto& word = cpus.word_of(0);
        Interrupts::Source& source = cpus.machine.interrupts(0).add_source();
        source.length = ns(10);
        source.stands_still = stall;
        bool stored = false;
        cpus.add(0, [&](Context& context) {
            ldxr(word);
            context.spend(cycles(100));
            stored = stxr(word, 1u);
            CHECK(cpus.now() == ns(112));
        });
        Interrupted::raise(source, ns(50));
        cpus.run();
        CHECK(stored == stall);
        Cpu& cpu = cpus.machine.cpu(0);
        cpu.become(Activity::idle, cpus.now());
        const Activity spent_on = stall ? Activity::halted : Activity::interrupt;
        CHECK(cpu.spent()[static_cast<std::size_t>(spent_on)] == ns(10));
    }
}

TEST_CASE("a store-exclusive on its way when an interrupt comes fails, whatever the handler has reserved", "[unit]") {
    // Symptom it would have: the handler's own load-exclusive arms the CPU's reservation, and the interrupted
    // store-exclusive, which is served after it, finds one.
    Interrupted cpus;
    auto& word = cpus.word_of(1);
    auto& other = cpus.word("other");
    Interrupts::Source& source = cpus.handler([&] { ldxr(other); });
    std::vector<bool> stored;
    cpus.add(0, [&](Context&) {
        read_once(other);  // so that the handler's load-exclusive hits
        ldxr(word);        // shared with CPU 1
        Interrupted::raise(source, cpus.now() + ns(3));
        stored.push_back(stxr(word, 1u));   // its request travels for 10 ns
        stored.push_back(stxr(other, 2u));  // the handler's reservation went with its return
    });
    cpus.run();
    CHECK(stored == std::vector<bool>{false, false});
}

TEST_CASE("a change of clock during a handler waits for its end", "[timing]") {
    Interrupted cpus;
    Interrupts::Source& source = cpus.handler([&] { current->spend(cycles(100)); });
    Time end{};
    cpus.add(0, [&](Context& context) {
        context.spend(cycles(100));
        end = cpus.now();
    });
    Interrupted::raise(source, ns(50));
    cpus.machine.change_frequency_at(ns(80), 0, mhz(500));
    cpus.run();
    CHECK(end == ns(50 + 100 + 2 * 50));
}

TEST_CASE("an interrupt wakes a WFE, a stall does not", "[timing]") {
    for (const bool stall : {false, true}) {
        MachineConfig m = round_machine();
        m.clusters[0].second.core.wfe_wake = cycles(7);
        m.event_stream = sim::microseconds(1);
        Interrupted cpus(m);
        Interrupts::Source& source = cpus.machine.interrupts(0).add_source();
        source.length = ns(10);
        source.stands_still = stall;
        Time end{};
        cpus.add(0, [&](Context&) {
            wfe();
            end = cpus.now();
        });
        Interrupted::raise(source, ns(50));
        cpus.run();
        CHECK(end == (stall ? ns(1'007) : ns(67)));
    }
}

TEST_CASE("a killed context stays where it is, and so does what it holds", "[unit]") {
    Interrupted cpus;
    auto& word = cpus.word_of(0);
    Context& victim = cpus.add(0, [&](Context& context) {
        write_once(word, 1u);
        context.spend(cycles(1'000));
        write_once(word, 2u);
    });
    Interrupts::Source& axe = cpus.handler([&] { victim.kill(); }, false, 1);
    cpus.add(1, [&](Context& context) { context.spend(cycles(2'000)); });
    Interrupted::raise(axe, ns(500));
    cpus.run();
    CHECK(*word.word() == 1);
    CHECK(cpus.machine.live_contexts() == 0);
    CHECK(cpus.now() == ns(2'000));
}
