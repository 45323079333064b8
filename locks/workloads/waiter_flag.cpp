// A mutex with a flag for its waiters, and the full barrier that its release needs: who releases stores `free` and then
// looks at the flag; who waits sets the flag and then looks at the lock. Where a store may still be in its CPU's buffer
// when the load behind it is done, both may see the old value, and nobody wakes the waiter. Without the barrier that
// hung database servers (MariaDB MDEV-7026, 2014; MySQL bugs 79477 and 83528: configs/cases/waiter-flag.toml).
//
//   acquire  exchanges the lock word; if it was held: notes the event's number, sets the flag, exchanges once more, and
//            waits for the event
//   release  frees the lock word by a store, by a store and a full barrier, or by an exchange; if the flag is set:
//   clears
//            it and raises the event
//
// One body: think, acquire, work, count, append to a log, release, and wait until every thread of the group has done
// so: where they meet after each round, no later release makes up for the one that woke nobody.
//
// STATE    (lock, waiters, event): lock 0 free, 1 held; waiters 1: somebody may be waiting for the event to move on.
// NOT HERE Sleeping: a waiter spins on the event, which costs time and changes nothing of the race.

#include <fmt/format.h>

#include "model/scenario/running/workload.hpp"

namespace locks {

namespace {

using namespace smp;
using model::Distribution;

class WaiterFlag final : public model::Workload {
    struct Mutex {
        alignas(cache_line_bytes) Atomic<std::uint32_t> lock_word;
        alignas(cache_line_bytes) Atomic<std::uint32_t> waiters;
        alignas(cache_line_bytes) Atomic<std::uint32_t> event;
        alignas(cache_line_bytes) Atomic<std::uint64_t> counter;  // what the mutex protects
    };
    struct Rounds {
        alignas(cache_line_bytes) Atomic<std::uint64_t> arrived;
        alignas(cache_line_bytes) Atomic<std::uint64_t> done;
    };

public:
    WaiterFlag(model::Simulation& simulation, const model::ParameterValues& values)
        : simulation_(simulation),
          release_(std::get<std::string>(values.at("release"))),
          held_(std::get<Distribution>(values.at("held"))),
          outside_(std::get<Distribution>(values.at("outside"))),
          log_lines_(static_cast<std::uint64_t>(std::get<std::int64_t>(values.at("log_lines")))),
          mutex_(simulation.arena().make<Mutex>("mutex")),
          rounds_(simulation.arena().make<Rounds>("rounds")) {
        if (log_lines_ > 0) {
            log_ = static_cast<std::byte*>(simulation.arena().allocate("log", log_lines_ * cache_line_bytes));
        }
    }

    void body(model::Thread& thread) override {
        thread.think(outside_);
        acquire();
        thread.work(held_);
        const std::uint64_t count = read_once(mutex_.counter);
        ++begun_;
        write_once(mutex_.counter, count + 1);
        if (log_ != nullptr) { append(count); }
        ++done_;
        release();
        meet(threads_of(thread));
    }

    /// A store that the end of the run cut short may or may not be visible.
    std::string check() override {
        const std::uint64_t counted = *mutex_.counter.word();
        if (counted <= begun_ && counted + simulation_.stores_under_way() >= done_) { return {}; }
        return fmt::format("the counter under the mutex stands at {} after {} increments", counted, done_);
    }

private:
    void acquire() {
        while (xchg_acquire(mutex_.lock_word, 1u) != 0) {
            const std::uint32_t seen = read_once(mutex_.event);
            write_once(mutex_.waiters, 1u);
            if (xchg_acquire(mutex_.lock_word, 1u) == 0) { return; }  // a full barrier, in any case
            smp_cond_load_acquire(mutex_.event, [seen](auto now) { return now != seen; });
        }
    }

    void release() {
        if (release_ == "exchange") {
            xchg_release(mutex_.lock_word, 0u);
        } else {
            smp_store_release(mutex_.lock_word, 0u);
            if (release_ == "store-barrier") { smp_mb(); }  // pairs with the exchange after `waiters` is set
        }
        if (read_once(mutex_.waiters) == 0) { return; }
        write_once(mutex_.waiters, 0u);
        fetch_add(mutex_.event, 1u);
    }

    /// One word in a line of its own, which is in nobody's cache as long as the log has not come round.
    void append(std::uint64_t count) {
        auto& entry = *new (log_ + count % log_lines_ * cache_line_bytes) Atomic<std::uint64_t>;
        write_once(entry, count);
    }

    void meet(std::uint64_t threads) {
        const std::uint64_t mine = fetch_add(rounds_.arrived, 1u);
        const std::uint64_t round = mine / threads;
        if (mine % threads == threads - 1) {
            smp_store_release(rounds_.done, round + 1);
        } else {
            smp_cond_load_acquire(rounds_.done, [round](auto done) { return done > round; });
        }
    }

    std::uint64_t threads_of(const model::Thread& thread) {
        if (threads_ == 0) {
            for (const model::Thread& each : simulation_.threads()) {
                threads_ += &each.group() == &thread.group() ? 1 : 0;
            }
        }
        return threads_;
    }

    model::Simulation& simulation_;
    std::string release_;
    Distribution held_;
    Distribution outside_;
    std::uint64_t log_lines_;
    Mutex& mutex_;
    Rounds& rounds_;
    std::byte* log_ = nullptr;
    std::uint64_t threads_ = 0;
    std::uint64_t begun_ = 0;
    std::uint64_t done_ = 0;
};

Distribution fixed(std::int64_t ns) { return {.low = model::span(sim::nanoseconds(ns)), .high = {}}; }

}  // namespace

extern const model::WorkloadEntry waiter_flag_workload;
const model::WorkloadEntry waiter_flag_workload{
    .name = "waiter-flag",
    .summary = "a mutex whose release looks at a waiters flag, with or without the full barrier that this needs",
    .file = "locks/workloads/waiter_flag.cpp",
    .parameters = {{.name = "release",
                    .preset = std::string("store-barrier"),
                    .doc = "how the mutex is freed before the look at the flag",
                    .choices = {"store", "store-barrier", "exchange"}},
                   {.name = "held", .preset = fixed(100), .doc = "work while the mutex is held"},
                   {.name = "outside", .preset = fixed(300), .doc = "think time before each acquire"},
                   {.name = "log_lines",
                    .preset = std::int64_t{0},
                    .doc = "each section writes the next of so many lines, which come from memory the first time",
                    .max = 1'000'000}},
    .make = [](model::Simulation& simulation, const model::ParameterValues& values)
        -> std::unique_ptr<model::Workload> { return std::make_unique<WaiterFlag>(simulation, values); },
};

}  // namespace locks
