// What an observer sees of a run, and that looking changes nothing.
#include <string>
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
        threads.emplace_back(step.thread);
        operations.emplace_back(step.operation);
    }
    std::vector<sim::Step> steps;
    std::vector<std::string> threads, operations;
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
    CHECK(log.operations == std::vector<std::string>{"store", "fetch", "store_exclusive failed", "wait begin", "fetch",
                                                     "store", "fetch", "fetch", "wait end"});
    CHECK(log.threads ==
          std::vector<std::string>{"cpu1", "cpu1", "cpu0", "cpu0", "cpu0", "cpu1", "cpu1", "cpu0", "cpu0"});
    for (std::size_t i = 1; i < log.steps.size(); ++i) { CHECK(log.steps[i - 1].at <= log.steps[i].at); }

    const sim::Step& store = log.steps[0];
    CHECK(store.new_value == 1);
    CHECK(store.line_after == 'M');
    CHECK(std::string(store.where.file).ends_with("machine_observer_test.cpp"));

    // The failure leads back to the store that took the line: CPU 1's, whose snoop came at 150 ns.
    const sim::Step& failure = log.steps[2];
    CHECK(failure.cause_cpu == 1);
    CHECK(failure.cause_at == ns(150));
    CHECK(failure.address == store.address);
}

TEST_CASE("a run that is observed has the same digest", "[determinism]") {
    Log log;
    CHECK(two_cpus(&log) == two_cpus(nullptr));
}
