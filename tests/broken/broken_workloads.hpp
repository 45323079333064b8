#pragma once
// Workloads that use a sound lock wrongly, one mistake each, and one that only counts.

#include "model/scenario/running/workload.hpp"

namespace broken {

using namespace smp;

/// MISTAKE: two threads that let each other go first for ever.
class AfterYou final : public model::Workload {
public:
    explicit AfterYou(model::Simulation& simulation)
        : turn_(simulation.arena().make<Atomic<std::uint32_t>>("turn")),
          wants_{&simulation.arena().make<Atomic<std::uint32_t>>("wants 0"),
                 &simulation.arena().make<Atomic<std::uint32_t>>("wants 1")} {}

    void body(model::Thread& thread) override {
        const auto me = static_cast<std::uint32_t>(thread.index());
        const std::uint32_t other = 1 - me;
        write_once(*wants_[me], 1u);
        for (;;) {
            if (read_once(turn_) == me) {
                if (read_once(*wants_[other]) == 0) { break; }
                write_once(turn_, other);
            }
            cpu_relax();
        }
        write_once(*wants_[me], 0u);
    }
    std::string check() override { return {}; }

private:
    Atomic<std::uint32_t>& turn_;
    Atomic<std::uint32_t>* wants_[2];
};

/// A counter under the scenario's first lock, taken behind the back of those that watch it: only the count can tell.
class UnwatchedCounter final : public model::Workload {
public:
    explicit UnwatchedCounter(model::Simulation& simulation)
        : lock_(simulation.lock(0)), value_(simulation.arena().make<Atomic<std::uint64_t>>("counter")) {}

    void body(model::Thread& thread) override {
        void* context = thread.lock_contexts[0];
        lock_.algorithm->lock(context);
        ++begun_;
        const std::uint64_t before = read_once(value_);
        thread.work({.low = model::cycles(20), .high = {}});
        write_once(value_, before + 1);
        ++done_;
        lock_.algorithm->unlock(context);
        thread.think({.low = model::cycles(100), .high = {}});
    }
    std::string check() override {
        const std::uint64_t counted = *value_.word();
        return counted >= done_ && counted <= begun_ ? "" : "the counter lost increments";
    }

private:
    model::LockInstance& lock_;
    Atomic<std::uint64_t>& value_;
    std::uint64_t begun_ = 0;
    std::uint64_t done_ = 0;
};

/// MISTAKE: each tenth time it finds an error and returns with the lock held.
class ForgetfulPath final : public model::Workload {
public:
    explicit ForgetfulPath(model::Simulation& simulation) : lock_(simulation.lock(0)) {}

    void body(model::Thread& thread) override {
        thread.acquire(lock_);
        thread.work({.low = model::cycles(20), .high = {}});
        if (++done_ % 10 == 0) { return; }
        thread.release(lock_);
        thread.think({.low = model::cycles(100), .high = {}});
    }
    std::string check() override { return {}; }

private:
    model::LockInstance& lock_;
    std::uint64_t done_ = 0;
};

/// MISTAKE: the threads "stranger" and "late stranger" release a lock that they have not taken: in the middle of the
/// first section of another, and when all sections of one repetition are long over, whatever a hand-over costs.
class Stranger final : public model::Workload {
public:
    explicit Stranger(model::Simulation& simulation) : lock_(simulation.lock(0)) {}

    void body(model::Thread& thread) override {
        if (thread.name() == "stranger") {
            thread.think({.low = model::span(sim::microseconds(3)), .high = {}});
        } else if (thread.name() == "late stranger") {
            thread.think({.low = model::span(sim::microseconds(30)), .high = {}});
        } else {
            thread.acquire(lock_);
            thread.work({.low = model::span(sim::microseconds(5)), .high = {}});
        }
        thread.release(lock_);
    }
    std::string check() override { return {}; }

private:
    model::LockInstance& lock_;
};

template <class W>
model::WorkloadEntry workload_row(std::string_view name) {
    model::WorkloadEntry row;
    row.name = name;
    row.make = [](model::Simulation& simulation, const model::ParameterValues&) -> std::unique_ptr<model::Workload> {
        return std::make_unique<W>(simulation);
    };
    return row;
}

}  // namespace broken
