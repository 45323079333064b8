// A counter incremented under a lock, checked at the end: the smallest workload, to show how one is written.
//
// The increment is a plain read and a plain write, as kernel code under a lock would do it. If two threads are ever
// inside at once, one of the increments is lost, and the check says so.

#include <fmt/format.h>

#include "model/scenario/running/workload.hpp"

namespace locks {

namespace {

using namespace smp;
using model::Distribution;

class Counter final : public model::Workload {
public:
    Counter(model::Simulation& simulation, const model::ParameterValues& values)
        : simulation_(simulation),
          lock_(simulation.lock(std::get<std::string>(values.at("lock")))),
          section_(std::get<Distribution>(values.at("section"))),
          outside_(std::get<Distribution>(values.at("outside"))),
          value_(simulation.arena().make<Atomic<std::uint64_t>>("counter")) {}

    void body(model::Thread& thread) override {
        thread.acquire(lock_);
        ++begun_;
        const std::uint64_t before = read_once(value_);
        thread.work(section_);
        write_once(value_, before + 1);
        ++done_;
        thread.release(lock_);
        thread.think(outside_);
    }

    /// Increments that the end of the run cut short may or may not have been written, or are still buffered.
    std::string check() override {
        const std::uint64_t counted = *value_.word();
        if (counted + simulation_.stores_under_way() >= done_ && counted <= begun_) { return {}; }
        return fmt::format("the counter stands at {} after {} increments under {}", counted, done_, lock_.name());
    }

private:
    model::Simulation& simulation_;
    model::LockInstance& lock_;
    Distribution section_;
    Distribution outside_;
    Atomic<std::uint64_t>& value_;
    std::uint64_t begun_ = 0;
    std::uint64_t done_ = 0;
};

}  // namespace

extern const model::WorkloadEntry counter_workload;
const model::WorkloadEntry counter_workload{
    .name = "counter",
    .summary = "a counter incremented under a lock with a plain read and write, checked at the end",
    .file = "locks/workloads/counter.cpp",
    .parameters = {{.name = "lock", .preset = std::string(), .doc = "which lock protects the counter"},
                   {.name = "section",
                    .preset = Distribution{.low = model::cycles(10), .high = {}},
                    .doc = "work between the read and the write"},
                   {.name = "outside",
                    .preset = Distribution{.low = model::cycles(30), .high = {}},
                    .doc = "think time between two increments"}},
    .make = [](model::Simulation& simulation, const model::ParameterValues& values)
        -> std::unique_ptr<model::Workload> { return std::make_unique<Counter>(simulation, values); },
};

}  // namespace locks
