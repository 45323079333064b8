#pragma once
// A thread of a scenario: runs its program, or its workload's body, on one CPU. Also the vocabulary that workloads have
// beside model/smp.hpp: locks by name, work, think time.

#include <cstdint>
#include <string>
#include <vector>

#include "model/machine/context.hpp"
#include "model/metrics/histogram.hpp"
#include "model/scenario/scenario.hpp"
#include "sim/random.hpp"

namespace model {

class LockInstance;
class Simulation;
class Workload;

class Thread {
public:
    Thread(Simulation& simulation, std::int32_t index, std::string name, const GroupConfig& group, std::int32_t cpu);

    std::int32_t index() const { return index_; }
    const std::string& name() const { return name_; }
    const GroupConfig& group() const { return group_; }
    std::int32_t cpu() const { return cpu_; }

    /// Waits until this thread holds the lock. Exclusion is checked.
    void acquire(LockInstance& lock, sim::CallSite where = sim::CallSite::here());
    /// One try; only for locks whose row has_try_lock.
    bool try_acquire(LockInstance& lock, sim::CallSite where = sim::CallSite::here());
    void release(LockInstance& lock, sim::CallSite where = sim::CallSite::here());

    void work(const Distribution& amount, Share jitter = {});   ///< computes: work, or critical section under a lock
    void think(const Distribution& amount, Share jitter = {});  ///< lets time pass outside: idle
    void delay(const Distribution& amount);                     ///< spins by the clock, as udelay does
    void progress();                                            ///< a point that counts as progress

    // For the simulation.
    static void run(void* self);
    static void run_handler(void* self);  ///< one body, in an interrupt
    bool handles_interrupts() const { return group_.interrupt != InterruptKind::none; }
    Context* context = nullptr;
    Workload* workload = nullptr;
    std::vector<void*> lock_contexts;  ///< by lock
    std::int32_t locks_held = 0;
    LockInstance* waiting_for = nullptr;
    bool marks_progress = false;  ///< its program has steps marked `progress`: then only these count as progress
    bool in_step = false;         ///< of known end: work, think, delay
    bool try_failed = false;      ///< in the body under way: a section was skipped, the body is not completed
    bool finished = false;
    bool killed = false;  ///< by an event
    sim::Time finished_at{};
    std::uint64_t bodies = 0;      ///< since the run began
    std::uint64_t operations = 0;  ///< bodies in the window
    std::uint64_t acquisitions = 0;
    Histogram waits;
    sim::Time longest_wait{};
    sim::Time longest_wait_since{};

private:
    void run_program(const std::vector<Step>& steps);
    std::size_t run_step(const std::vector<Step>& steps, std::size_t at);  // index of the next one
    void note_wait(sim::Time since, sim::Time now);
    void observe(sim::LockStep::Kind kind, const LockInstance& lock, bool contended = false) const;
    Span draw(const Distribution& amount, Share jitter);
    sim::Time length_of(Span span) const;
    void run_body();
    [[gnu::noinline]] void run_body_deeper();  ///< with other stack addresses each time
    void run_body_here();
    Activity busy() const {
        if (locks_held > 0) { return Activity::critical; }
        return handles_interrupts() ? Activity::interrupt : Activity::work;
    }
    void spend(Span span);

    Simulation& simulation_;
    std::int32_t index_;
    std::string name_;
    const GroupConfig& group_;
    std::int32_t cpu_;
    sim::RandomStream program_random_;
    sim::RandomStream noise_random_;
    std::uint64_t bodies_begun_ = 0;  // counted where stacks move
};

}  // namespace model
