#pragma once
// One scenario, brought to life: machine, locks, shared data and threads, and what is measured of them. Built, run once
// and read out by run() in runner.cpp.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/machine/machine.hpp"
#include "model/metrics/lock_monitor.hpp"
#include "model/metrics/progress_monitor.hpp"
#include "model/metrics/run_result.hpp"
#include "model/scenario/catalogue.hpp"
#include "model/scenario/running/injection.hpp"
#include "model/scenario/running/runner.hpp"
#include "model/scenario/running/thread.hpp"
#include "model/scenario/scenario.hpp"
#include "model/smp.hpp"

namespace model {

/// A lock of the scenario: the algorithm, and who watches it.
class LockInstance {
public:
    LockInstance(std::int32_t index, const LockConfig& config, const LockEntry& entry, std::size_t threads)
        : config_(config), entry_(entry), monitor_(threads), index_(index) {}

    const std::string& name() const { return config_.name; }
    const LockConfig& config() const { return config_; }
    const LockEntry& entry() const { return entry_; }
    std::int32_t index() const { return index_; }
    LockMonitor& monitor() { return monitor_; }
    const LockMonitor& monitor() const { return monitor_; }

    // What a thread is doing while it is in the lock's code, where no step of a program says so.
    const char* acquire_label() const { return acquire_label_.c_str(); }
    const char* release_label() const { return release_label_.c_str(); }

    std::unique_ptr<ExclusiveLock> algorithm;
    std::uint16_t account = 0;

private:
    const LockConfig& config_;
    const LockEntry& entry_;
    LockMonitor monitor_;
    std::int32_t index_;
    std::string acquire_label_ = "acquire " + config_.name;
    std::string release_label_ = "release " + config_.name;
};

/// [lines.NAME]
struct SharedLine {
    std::string name;
    std::byte* data = nullptr;
    std::int32_t bytes = 0;
};
/// [flags] NAME
struct Flag {
    std::string name;
    Atomic<std::int64_t>* word = nullptr;
};

class Simulation {
public:
    Simulation(const Scenario& scenario, const Catalogue& catalogue, const RunOptions& options);
    ~Simulation();

    /// No result if the monitor gave the run up.
    std::optional<RunResult> run();

    // For workloads. Names have been checked by the loader.
    LockInstance& lock(std::string_view name);
    SharedLine& line(std::string_view name);
    Flag& flag(std::string_view name);
    Arena& arena() { return machine_->arena(); }
    Machine& machine() { return *machine_; }
    const Scenario& scenario() const { return scenario_; }
    std::uint64_t noise_seed() const { return options_.noise_seed.value_or(scenario_.seed); }
    sim::Time now() { return machine_->engine().now(); }
    /// Buffered stores that nobody sees yet. At the end of a run: what it has cut short.
    std::uint64_t stores_under_way() const { return static_cast<std::uint64_t>(machine_->memory().stores_under_way()); }

    // For threads.
    LockInstance& lock(std::int32_t index) { return locks_[static_cast<std::size_t>(index)]; }
    SharedLine& line(std::int32_t index) { return lines_[static_cast<std::size_t>(index)]; }
    Flag& flag(std::int32_t index) { return flags_[static_cast<std::size_t>(index)]; }
    ProgressMonitor& progress() { return progress_; }
    bool moving_stacks() const { return options_.moving_stacks; }
    sim::Observer* observer() const { return options_.observer; }  ///< null: nobody looks
    std::deque<LockInstance>& locks() { return locks_; }
    std::deque<Thread>& threads() { return threads_; }
    void body_done(Thread& thread, sim::Time began);
    void watched_step(const Step& step, const Thread& thread) { injection_->step_begins(step, thread); }
    void send_ipi(const Step& step, const Thread& sender);
    void thread_finished(Thread& thread);
    /// In an event: the thread stops for good.
    void kill(Thread& thread);
    void exclusion_broken(const Thread& second, const LockInstance& lock, std::int32_t first, sim::CallSite where);
    void released_by_stranger(const Thread& stranger, const LockInstance& lock, sim::CallSite where);
    /// The thread begins to wait for a lock that is held: does that close a circle?
    void look_for_deadlock(const Thread& thread);

private:
    struct WindowBegin;

    void resolve(std::vector<Step>& program) const;
    void place_data();
    void make_locks(const Catalogue& catalogue);
    void make_threads(const Catalogue& catalogue);
    void start_thread(Thread& thread);
    void install_handler(Thread& thread);
    void watch_labels(std::vector<Step>& program);
    void begin_window_if_due();

    // judgement.cpp
    void judge_end(sim::Ending ending);
    void add_verdict(Verdict verdict);
    std::string no_verdict_text() const;
    void judge_all_waiting();
    void judge_livelock();
    void judge_starvation();
    void judge_workloads();
    sim::Time median_wait_of_others(const Thread& thread) const;
    bool closes_deadlock_of_all(const Thread& thread);
    const Thread* interrupter_of(const Thread& thread) const;
    bool chain_is_closed(const Thread& start, std::vector<WaitsFor>& edges) const;

    // results.cpp
    RunResult results(double host_seconds);
    LockResult lock_result(LockInstance& lock);
    ThreadResult thread_result(Thread& thread);
    CpuResult cpu_result(std::int32_t cpu);

    Scenario scenario_;
    RunOptions options_;
    std::unique_ptr<sim::Monitor> monitor_;
    std::unique_ptr<Machine> machine_;
    std::deque<LockInstance> locks_;
    std::deque<SharedLine> lines_;
    std::deque<Flag> flags_;
    std::vector<std::unique_ptr<Workload>> workloads_;
    std::deque<Thread> threads_;
    std::vector<std::string> thread_names_;
    std::vector<std::pair<const Thread*, Interrupts::Source*>> ipis_;  // the handlers that a step can call
    std::unique_ptr<Injection> injection_;
    ProgressMonitor progress_;
    std::unique_ptr<WindowBegin> window_begin_event_;
    std::uint32_t places_ = 0;  // steps of programs
    bool window_open_ = false;
    bool warmup_over_ = false;
    sim::Time window_begin_{};
    std::vector<Verdict> verdicts_;
};

}  // namespace model
