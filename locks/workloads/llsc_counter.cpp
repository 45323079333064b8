// A counter without a lock, incremented by load-exclusive and store-exclusive, again until it succeeds: every atomic of
// a machine without single-instruction ones, with the retry laid open. What lies between the two is the machine's
// `ll_to_sc`.
//
// One body is one increment, then `outside` think time. The back-off begins anew with each body.

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "model/scenario/running/workload.hpp"

namespace locks {

namespace {

using namespace smp;
using model::Distribution;
using model::Span;

class LlscCounter final : public model::Workload {
public:
    LlscCounter(model::Simulation& simulation, const model::ParameterValues& values)
        : outside_(std::get<Distribution>(values.at("outside"))),
          retry_delay_(std::get<Span>(values.at("retry_delay"))),
          retry_doubling_(std::get<bool>(values.at("retry_doubling"))),
          retry_limit_(std::get<std::int64_t>(values.at("retry_limit"))),
          value_(word(simulation.line(std::get<std::string>(values.at("line"))))) {}

    void body(model::Thread& thread) override {
        ++begun_;
        increment();
        ++done_;
        thread.think(outside_);
    }

    /// An increment that the end of the run cut short may or may not have happened.
    std::string check() override {
        const std::uint64_t counted = *value_.word();
        if (counted >= done_ && counted <= begun_) { return {}; }
        return fmt::format("the counter stands at {} after {} increments", counted, done_);
    }

private:
    /// 8 bytes into the line, beside the word that the step `write` of a program writes.
    static Atomic<std::uint64_t>& word(const model::SharedLine& line) {
        return *new (line.data + sizeof(std::uint64_t)) Atomic<std::uint64_t>;
    }

    void increment() {
        std::int64_t factor = 1;
        for (;;) {
            const std::uint64_t before = ldaxr(value_);
            if (stxr(value_, before + 1)) { return; }
            if (retry_delay_ == Span{}) { continue; }
            delay({retry_delay_.cycles * factor, retry_delay_.time * factor});
            if (retry_doubling_) { factor = std::min(2 * factor, retry_limit_); }
        }
    }

    Distribution outside_;
    Span retry_delay_;
    bool retry_doubling_;
    std::int64_t retry_limit_;
    Atomic<std::uint64_t>& value_;
    std::uint64_t begun_ = 0;
    std::uint64_t done_ = 0;
};

}  // namespace

extern const model::WorkloadEntry llsc_counter_workload;
const model::WorkloadEntry llsc_counter_workload{
    .name = "llsc-counter",
    .summary = "a counter incremented by load-exclusive and store-exclusive, with a back-off",
    .file = "locks/workloads/llsc_counter.cpp",
    .parameters =
        {{.name = "outside",
          .preset = Distribution{.low = model::cycles(0), .high = {}},
          .doc = "think time between two increments"},
         {.name = "retry_delay", .preset = Span{}, .doc = "after a failed store-exclusive; 0: retry at once"},
         {.name = "retry_doubling", .preset = false, .doc = "twice as long after each failure in a row"},
         {.name = "retry_limit", .preset = std::int64_t{256}, .doc = "but at most so many times retry_delay", .min = 1},
         {.name = "line",
          .preset = std::string(),
          .doc = "of [lines]: the counter lies 8 bytes into it; for one group only"}},
    .make = [](model::Simulation& simulation, const model::ParameterValues& values)
        -> std::unique_ptr<model::Workload> { return std::make_unique<LlscCounter>(simulation, values); },
};

}  // namespace locks
