// Timers that expire on one CPU while another deletes one and waits for its callback: the kernel pattern in which a
// fast CPU starved a slow one in 2017 (V. Mulukutla, linux-kernel, 28 July 2017, "[Question]: try to fix contention
// between expire_timers and try_to_del_timer_sync").
//
//   expire   holds the base's lock; for each timer: notes it as running, drops the lock, runs the callback, takes the
//            lock again; at the end notes that none runs. It must get the lock back to say so.
//   cancel   takes the lock, looks whether the timer runs, drops the lock; if it runs: relaxes and looks again.
//
// Both hold the lock with interrupts off; the callback runs with interrupts on. The running timer is a word of its own
// cache line here; in the kernel it shares one with the lock.

#include <fmt/format.h>

#include "model/scenario/running/workload.hpp"

namespace locks {

namespace {

using namespace smp;
using model::Distribution;

class TimerExpiry final : public model::Workload {
public:
    TimerExpiry(model::Simulation& simulation, const model::ParameterValues& values)
        : base_lock_(simulation.lock(std::get<std::string>(values.at("lock")))),
          expires_(std::get<std::string>(values.at("role")) == "expire"),
          between_(std::get<Distribution>(values.at("between"))),
          callback_(std::get<Distribution>(values.at("callback"))),
          timers_(std::get<std::int64_t>(values.at("timers"))),
          pause_after_(std::get<std::int64_t>(values.at("pause_after"))),
          pause_relaxes_(std::get<std::int64_t>(values.at("pause_relaxes"))),
          running_timer_(simulation.arena().find_or_make<Atomic<std::uint64_t>>(base_lock_.name() + ".running_timer")) {
    }

    void body(model::Thread& thread) override {
        thread.think(between_);
        if (expires_) {
            expire_timers(thread);
        } else {
            del_timer_sync(thread);
        }
    }

    std::string check() override { return {}; }

private:
    void lock_base(model::Thread& thread) {
        local_irq_disable();
        thread.acquire(base_lock_);
    }
    void unlock_base(model::Thread& thread) {
        thread.release(base_lock_);
        local_irq_enable();
    }

    void expire_timers(model::Thread& thread) {
        lock_base(thread);
        for (std::int64_t timer = 1; timer <= timers_; ++timer) {
            write_once(running_timer_, static_cast<std::uint64_t>(timer));
            unlock_base(thread);
            thread.work(callback_);
            lock_base(thread);
        }
        write_once(running_timer_, 0);
        unlock_base(thread);
    }

    bool try_to_del_timer_sync(model::Thread& thread) {
        lock_base(thread);
        const bool deleted = read_once(running_timer_) == 0;
        unlock_base(thread);
        return deleted;
    }

    void del_timer_sync(model::Thread& thread) {
        for (std::int64_t tries = 1; !try_to_del_timer_sync(thread); ++tries) {
            cpu_relax();
            if (pause_after_ == 0 || tries % pause_after_ != 0) { continue; }
            for (std::int64_t n = 0; n < pause_relaxes_; ++n) { cpu_relax(); }
        }
    }

    model::LockInstance& base_lock_;
    bool expires_;
    Distribution between_;
    Distribution callback_;
    std::int64_t timers_;
    std::int64_t pause_after_;
    std::int64_t pause_relaxes_;
    Atomic<std::uint64_t>& running_timer_;  // 0: none
};

Distribution fixed_time(sim::Time t) { return {.low = model::span(t), .high = {}}; }

}  // namespace

extern const model::WorkloadEntry timer_expiry_workload;
const model::WorkloadEntry timer_expiry_workload{
    .name = "timer-expiry",
    .summary = "timers expire on one CPU while another deletes one and waits for its callback (kernel/time)",
    .file = "locks/workloads/timer_expiry.cpp",
    .parameters =
        {{.name = "lock", .preset = std::string(), .doc = "the timer base's lock"},
         {.name = "role",
          .preset = std::string("expire"),
          .doc = "\"expire\" runs the callbacks, \"cancel\" deletes a timer and waits for its callback",
          .choices = {"expire", "cancel"}},
         {.name = "between",
          .preset = fixed_time(sim::microseconds(5)),
          .doc = "think time before the next expiry, or the next deletion"},
         {.name = "callback", .preset = fixed_time(sim::microseconds(1)), .doc = "expire: of each timer"},
         {.name = "timers", .preset = std::int64_t{1}, .doc = "expire: that expire together", .min = 1},
         {.name = "pause_after",
          .preset = std::int64_t{0},
          .doc = "cancel: after so many looks in vain it relaxes longer (Z. Bouska, March 2023: 100); 0: never"},
         {.name = "pause_relaxes", .preset = std::int64_t{50}, .doc = "cancel: so many times (Z. Bouska: 50)"}},
    .make = [](model::Simulation& simulation, const model::ParameterValues& values)
        -> std::unique_ptr<model::Workload> { return std::make_unique<TimerExpiry>(simulation, values); },
};

}  // namespace locks
