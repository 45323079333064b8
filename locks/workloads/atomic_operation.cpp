// One atomic instruction after another on one word, as benchmarks of atomics do it: what a line costs under contention.
//
// One body is one operation, whether or not it changed the word, and `outside` think time.

#include <fmt/format.h>

#include "model/scenario/running/workload.hpp"

namespace locks {

namespace {

using namespace smp;
using model::Distribution;

class AtomicOperation final : public model::Workload {
public:
    AtomicOperation(model::Simulation& simulation, const model::ParameterValues& values)
        : by_(std::get<std::string>(values.at("by"))),
          outside_(std::get<Distribution>(values.at("outside"))),
          word_(simulation.arena().make<Atomic<std::uint32_t>>("word")) {}

    void body(model::Thread& thread) override {
        ++begun_;
        operate();
        ++done_;
        thread.think(outside_);
    }

    /// Operations that the end of the run cut short may or may not have happened.
    std::string check() override {
        const std::uint32_t word = *word_.word();
        const bool counts = by_ == "fetch-add" || by_ == "cas-loop";
        if (!counts && word <= 1) { return {}; }
        if (counts && word - done_ <= begun_ - done_) { return {}; }
        return fmt::format("the word is {} after {} operations", word, done_);
    }

private:
    void operate() {
        if (by_ == "fetch-add") {
            fetch_add(word_, 1u);
        } else if (by_ == "swap") {
            xchg(word_, 1u);
        } else if (by_ == "test-and-set") {
            if (xchg(word_, 1u) == 0) { write_once(word_, 0u); }
        } else if (by_ == "cas") {
            const std::uint32_t expected = flips_++ % 2;
            try_cmpxchg(word_, expected, 1 - expected);
        } else {
            std::uint32_t old = read_once(word_);
            while (!try_cmpxchg(word_, old, old + 1)) { old = read_once(word_); }
        }
    }

    std::string by_;
    Distribution outside_;
    std::uint32_t flips_ = 0;
    std::uint32_t begun_ = 0, done_ = 0;  // they wrap as the word does
    Atomic<std::uint32_t>& word_;
};

}  // namespace

extern const model::WorkloadEntry atomic_operation_workload;
const model::WorkloadEntry atomic_operation_workload{
    .name = "atomic-operation",
    .summary = "one atomic instruction after another on one word: fetch-and-add, exchange, compare-and-swap",
    .file = "locks/workloads/atomic_operation.cpp",
    .parameters = {{.name = "by",
                    .preset = std::string("fetch-add"),
                    .doc = "which; test-and-set clears the word where it has set it, cas flips it, cas-loop adds one",
                    .choices = {"fetch-add", "swap", "test-and-set", "cas", "cas-loop"}},
                   {.name = "outside",
                    .preset = Distribution{.low = model::cycles(0), .high = {}},
                    .doc = "think time between two operations"}},
    .make = [](model::Simulation& simulation, const model::ParameterValues& values)
        -> std::unique_ptr<model::Workload> { return std::make_unique<AtomicOperation>(simulation, values); },
};

}  // namespace locks
