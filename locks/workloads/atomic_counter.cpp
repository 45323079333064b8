// A counter without a lock: one word that all threads change by an atomic instruction or by a compare-and-swap loop.
// What fetch-and-add and CAS cost under contention is what a machine is calibrated on.
//
// With `split` the word lies across two cache lines, as in a packed structure: x86 then locks the bus.
//
// One body takes a reference and gives it back: +1, `held` work, -1, `outside` think time.

#include <fmt/format.h>

#include "model/scenario/running/workload.hpp"

namespace locks {

namespace {

using namespace smp;
using model::Distribution;

class AtomicCounter final : public model::Workload {
    struct TwoLines {
        alignas(cache_line_bytes) std::byte bytes[2 * cache_line_bytes];
    };

public:
    AtomicCounter(model::Simulation& simulation, const model::ParameterValues& values)
        : by_cas_(std::get<std::string>(values.at("by")) == "cas"),
          relax_(std::get<bool>(values.at("relax"))),
          held_(std::get<Distribution>(values.at("held"))),
          outside_(std::get<Distribution>(values.at("outside"))),
          value_(simulation.arena().make<Atomic<std::uint64_t>>("counter")) {
        if (std::get<bool>(values.at("split"))) { lines_ = &simulation.arena().make<TwoLines>("split counter"); }
    }

    void body(model::Thread& thread) override {
        ++takes_begun_;
        add(1);
        ++takes_done_;
        thread.work(held_);
        ++gives_begun_;
        add(~std::uint64_t{0});
        ++gives_done_;
        thread.think(outside_);
    }

    /// Changes that the end of the run cut short may or may not have happened.
    std::string check() override {
        const auto counted = static_cast<std::int64_t>(lines_ != nullptr ? split_word().raw() : *value_.word());
        if (counted >= takes_done_ - gives_begun_ && counted <= takes_begun_ - gives_done_) { return {}; }
        return fmt::format("the counter stands at {} after {} taken and {} given back", counted, takes_done_,
                           gives_done_);
    }

private:
    /// Its first half at the end of one line, its second at the begin of the next.
    SplitWord<std::uint64_t> split_word() const {
        return SplitWord<std::uint64_t>(lines_->bytes + cache_line_bytes - sizeof(std::uint64_t) / 2);
    }

    void add(std::uint64_t delta) {
        if (lines_ != nullptr) {
            fetch_add(split_word(), delta);
            return;
        }
        if (!by_cas_) {
            fetch_add(value_, delta);
            return;
        }
        std::uint64_t old = read_once(value_);
        while (!try_cmpxchg(value_, &old, old + delta)) {
            if (relax_) { cpu_relax(); }
        }
    }

    bool by_cas_;
    bool relax_;
    Distribution held_;
    Distribution outside_;
    Atomic<std::uint64_t>& value_;
    TwoLines* lines_ = nullptr;
    std::int64_t takes_begun_ = 0;
    std::int64_t takes_done_ = 0;
    std::int64_t gives_begun_ = 0;
    std::int64_t gives_done_ = 0;
};

}  // namespace

extern const model::WorkloadEntry atomic_counter_workload;
const model::WorkloadEntry atomic_counter_workload{
    .name = "atomic-counter",
    .summary = "a reference counter taken and given back by fetch-and-add or by a compare-and-swap loop",
    .file = "locks/workloads/atomic_counter.cpp",
    .parameters = {{.name = "by",
                    .preset = std::string("add"),
                    .doc = "\"add\": one instruction; \"cas\": a compare-and-swap loop"},
                   {.name = "split",
                    .preset = false,
                    .doc = "the word lies across two cache lines: fetch-and-adds that take the bus lock"},
                   {.name = "relax", .preset = true, .doc = "cpu_relax() after a failed compare-and-swap"},
                   {.name = "held",
                    .preset = Distribution{.low = model::cycles(0), .high = {}},
                    .doc = "work while the reference is held"},
                   {.name = "outside",
                    .preset = Distribution{.low = model::cycles(0), .high = {}},
                    .doc = "think time between two references"}},
    .make = [](model::Simulation& simulation, const model::ParameterValues& values)
        -> std::unique_ptr<model::Workload> { return std::make_unique<AtomicCounter>(simulation, values); },
};

}  // namespace locks
