// What an observer sees of a run, and that looking changes nothing.
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "model/machine/context.hpp"
#include "tests/catch.hpp"
#include "tests/model/machines.hpp"

using namespace model;
using namespace model::test;
using namespace smp;

namespace {

constexpr Time ns(std::int64_t n) { return nanoseconds(n); }

class Log final : public sim::Observer {
public:
    void on_step(const sim::Step& step) override {
        steps.push_back(step);
        operations.emplace_back(step.operation);
    }
    void on_activity(std::int32_t cpu, const char* activity, Time at) override {
        activities.emplace_back(cpu, activity, at);
    }
    std::vector<sim::Step> steps;
    std::vector<std::string> operations;
    std::vector<std::tuple<std::int32_t, std::string, Time>> activities;
};

/// CPU 0 waits for a word that CPU 1 sets at 1000 ns, after a store-exclusive that CPU 1's store had made fail.
std::uint64_t two_cpus(sim::Observer* observer) {
    Machine::Options options;
    options.observer = observer;
    Cpus cpus(round_machine(), options);
    auto& word = cpus.word_of(0);
    cpus.add(0, [&](Context& context) {
        ldxr(word);
        context.spend(span(ns(500)));
        stxr(word, 7u);
        smp_cond_load_acquire(word, [](auto value) { return value == 2; });
    });
    cpus.add(
        1,
        [&](Context& context) {
            write_once(word, 1u);
            context.spend(span(ns(900)));
            write_once(word, 2u);
        },
        ns(100));
    cpus.run();
    return cpus.digest();
}

}  // namespace

TEST_CASE("an observer sees the hashed steps in order, with values, call sites and causes", "[unit]") {
    Log log;
    two_cpus(&log);
    CHECK(log.operations == std::vector<std::string>{"thread_begin", "thread_begin", "store", "fetch",
                                                     "store_exclusive_failed", "wait_begin", "fetch", "store", "fetch",
                                                     "thread_end", "fetch", "wait_end", "thread_end"});
    for (std::size_t i = 1; i < log.steps.size(); ++i) { CHECK(log.steps[i - 1].at <= log.steps[i].at); }

    const sim::Step& store = log.steps[2];
    CHECK(store.new_value == 1);
    CHECK(store.line_before == 'I');
    CHECK(store.line_after == 'M');
    CHECK(std::string(store.cause.kind) == "cold");
    CHECK(std::string(store.variable) == "word");
    CHECK(std::string(store.where.file).ends_with("machine_observer_test.cpp"));
    CHECK(std::string(log.steps[3].instruction) == "store");  // its fetch

    // The second store finds its line shared: CPU 0 has polled it.
    const sim::Step& second = log.steps[7];
    CHECK(second.line_before == 'S');
    CHECK(std::string(second.cause.kind) == "shared");
    CHECK(second.cause.cpu == 0);
    // And takes it from CPU 0, whose next poll is a miss.
    const sim::Step& poll = log.steps[10];
    CHECK(std::string(poll.cause.kind) == "taken");
    CHECK(poll.cause.cpu == 1);
    CHECK(poll.cause.at == second.at);
}

TEST_CASE("a failed store-exclusive leads back to the store that took its line", "[unit]") {
    Log log;
    two_cpus(&log);
    const sim::Step& store = log.steps[2];
    const sim::Step& failure = log.steps[4];
    const sim::Cause& cause = failure.cause;
    CHECK(std::string(cause.kind) == "taken");
    CHECK(cause.cpu == store.cpu);
    CHECK(cause.at == store.at);
    CHECK(cause.request == store.request);
    CHECK(std::string(cause.operation) == "store");
    CHECK(cause.where.line == store.where.line);
    CHECK(failure.address == store.address);
    // Load-exclusive at 0, the store's snoop at 150, its data at 200, the store-exclusive at 501.
    CHECK(cause.armed_at == ns(0));
    CHECK(cause.lost_at == ns(150));
    CHECK(cause.at == ns(200));
    CHECK(failure.at > cause.at);
}

TEST_CASE("a store whose data is still on the way is named by the number of its request", "[unit]") {
    Log log;
    Machine::Options options;
    options.observer = &log;
    Cpus cpus(round_machine(), options);
    auto& word = cpus.word_of(0);
    cpus.add(0, [&](Context& context) {
        ldxr(word);
        context.spend(span(ns(159)));
        stxr(word, 7u);  // at 160: after the snoop (150), before the data (200)
    });
    cpus.add(
        1, [&](Context&) { write_once(word, 1u); }, ns(100));
    cpus.run();
    const auto failure = std::find(log.operations.begin(), log.operations.end(), "store_exclusive_failed");
    const auto store = std::find(log.operations.begin(), log.operations.end(), "store");
    REQUIRE(failure < store);
    const sim::Cause& cause = log.steps[static_cast<std::size_t>(failure - log.operations.begin())].cause;
    CHECK(cause.at == Time::max());
    CHECK(cause.lost_at == ns(150));
    CHECK(cause.request == log.steps[static_cast<std::size_t>(store - log.operations.begin())].request);
}

TEST_CASE("a failed store-exclusive says when it was an interrupt, no load-exclusive, or an earlier store", "[unit]") {
    Log log;
    Machine::Options options;
    options.observer = &log;
    MachineConfig config = round_machine();
    config.tick = {.period = ns(1'000), .length = ns(50), .skew = {}};
    config.cpus[0].tick_offset = ns(1'000);
    Cpus cpus(config, options);
    auto& word = cpus.word_of(0);
    cpus.add(0, [&](Context& context) {
        stxr(word, 1u);
        ldxr(word);
        stxr(word, 2u);
        stxr(word, 3u);
        ldxr(word);
        context.spend(span(ns(1'500)));
        stxr(word, 4u);
    });
    cpus.run(ns(1'900));
    std::vector<std::string> kinds;
    for (std::size_t i = 0; i < log.steps.size(); ++i) {
        if (log.operations[i] == "store_exclusive_failed") { kinds.emplace_back(log.steps[i].cause.kind); }
    }
    CHECK(kinds == std::vector<std::string>{"never_armed", "used", "interrupt"});
    // The tick is a step of its own, at the time that the failure names.
    const auto tick = std::find(log.operations.begin(), log.operations.end(), "interrupt_begin");
    REQUIRE(tick != log.operations.end());
    const auto failure = std::find_if(log.steps.rbegin(), log.steps.rend(),
                                      [](const sim::Step& s) { return std::string(s.cause.kind) == "interrupt"; });
    REQUIRE(failure != log.steps.rend());
    CHECK(failure->cause.cpu == 0);
    CHECK(failure->cause.at == ns(1'000));
    const auto own_tick = std::find_if(log.steps.begin(), log.steps.end(), [](const sim::Step& s) {
        return std::string(s.operation) == "interrupt_begin" && std::string(s.label) == "tick" && s.cpu == 0 &&
               s.at == ns(1'000);
    });
    CHECK(own_tick != log.steps.end());
    CHECK(failure->cause.armed_at < failure->cause.at);
}

TEST_CASE("an observer is told what each CPU does, handlers included", "[unit]") {
    Log log;
    Machine::Options options;
    options.observer = &log;
    MachineConfig config = round_machine();
    config.tick = {.period = ns(1'000), .length = ns(50), .skew = {}};
    config.cpus[0].tick_offset = ns(300);
    Cpus cpus(config, options);
    auto& word = cpus.word();
    cpus.add(0, [&](Context& context) {
        context.cpu().become(Activity::work, cpus.now());
        context.spend(span(ns(500)));
        write_once(word, 1u);
    });
    cpus.run(ns(900));
    std::vector<std::string> seen;
    for (const auto& [cpu, activity, at] : log.activities) {
        if (cpu == 0) { seen.push_back(fmt::format("{} {}", activity, at.ps / 1000)); }
    }
    CHECK(seen == std::vector<std::string>{"work 0", "interrupt 300", "work 350", "stall 550", "work 750", "idle 751"});
}

TEST_CASE("a run that is observed has the same digest", "[determinism]") {
    Log log;
    CHECK(two_cpus(&log) == two_cpus(nullptr));
}
