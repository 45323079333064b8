#pragma once
// The simulated machine: engine, memory, CPUs and contexts, built from a MachineConfig. One at a time in a process.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/machine/arena.hpp"
#include "model/machine/coherence_costs.hpp"
#include "model/machine/context.hpp"
#include "model/machine/cpu.hpp"
#include "model/machine/interrupts.hpp"
#include "model/machine/memory.hpp"
#include "model/machine/topology.hpp"
#include "sim/crash_report.hpp"
#include "sim/engine.hpp"
#include "sim/observer.hpp"
#include "sim/stack_pool.hpp"

namespace model {

class Machine {
public:
    struct Options {
        std::uint64_t seed = 1;
        std::optional<std::uint64_t> noise_seed, tie_seed;  ///< instead of `seed` for these streams
        bool spin_elision = true;
        bool walk_in_pieces = false;  ///< without elision: every piece of a poll is an event (else: every poll)
        bool seeded_ties = false;
        Share latency_noise{};
        std::size_t contexts = 1;  ///< room for so many
        sim::Monitor* monitor = nullptr;
        sim::Observer* observer = nullptr;
    };

    Machine(const MachineConfig& config, const Options& options);
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    sim::Engine& engine() { return engine_; }
    Arena& arena() { return arena_; }
    Memory& memory() { return memory_; }
    const MachineConfig& config() const { return config_; }
    const Topology& topology() const { return topology_; }
    const Options& options() const { return options_; }
    Cpu& cpu(std::int32_t n) { return cpus_[static_cast<std::size_t>(n)]; }

    /// A context that runs body(argument) on this CPU from `start` on. One a CPU.
    Context& add_context(std::int32_t cpu, std::string name, Context::Body body, void* argument, sim::Time start);
    std::deque<Context>& contexts() { return contexts_; }
    Interrupts& interrupts(std::int32_t cpu) { return interrupts_[static_cast<std::size_t>(cpu)]; }

    /// A context that runs body(argument) on this CPU each time an interrupt calls it. It is no live context: a run
    /// does not wait for it.
    Context& add_handler(std::int32_t cpu, std::string name, Context::Body body, void* argument);
    /// Timer interrupts of this CPU call the handler. The machine must tick.
    void handle_ticks(std::int32_t cpu, Context& handler, bool nests);

    /// Schedules a change of this CPU's clock. One that falls into an interrupt takes effect at its end.
    void change_frequency_at(sim::Time at, std::int32_t cpu, Frequency f);
    void change_frequency(std::int32_t cpu, Frequency f);  ///< now, in an event

    /// Runs until `until`, until every context has finished, or until all that have not only spin on copies that
    /// nobody is left to change: then deadlocked() is true.
    sim::Ending run(sim::Time until);
    bool deadlocked() const { return deadlocked_; }
    std::int32_t live_contexts() const { return live_; }

    /// Tells the observer, if there is one, of something that a CPU's own code did not do.
    void observe_event(const char* operation, std::int32_t cpu, std::uint64_t before = 0, std::uint64_t after = 0,
                       const char* label = "");

    // For Context.
    void context_settled();
    void handler_settled() { look_for_standstill(); }
    void context_unsettled() { --settled_; }
    void context_finished();
    void stores_drained();  ///< no CPU has a buffered store any more
    bool stopping() const { return deadlocked_; }

private:
    friend class Context;
    friend class Interrupts;
    struct FrequencyChange;
    struct Tick;
    void start_ticks();
    void make_store_buffers();
    void look_for_standstill();
    bool stands_still(std::size_t cpu) const;
    Context& emplace_context(std::int32_t cpu, std::string name, Context::Body body, void* argument);
    void set_frequency(std::int32_t cpu, Frequency f);
    static void describe(const void* machine, long index, char* out, std::size_t size);

    MachineConfig config_;
    Options options_;
    Topology topology_;
    CoherenceCosts costs_;
    sim::Engine engine_;
    Arena arena_;
    sim::StackPool stacks_;
    Memory memory_;
    std::vector<Cpu> cpus_;
    std::deque<StoreBuffer> store_buffers_;
    std::deque<Context> contexts_;
    std::deque<Interrupts> interrupts_;
    std::vector<Context*> context_on_cpu_;
    std::deque<FrequencyChange> frequency_changes_;
    std::deque<Tick> ticks_;
    std::unique_ptr<sim::CrashReport> crash_report_;
    std::int32_t live_ = 0;
    std::int32_t settled_ = 0;
    bool has_handlers_ = false;
    std::size_t moving_cpu_ = 0;  // the last one found that can still do something
    bool deadlocked_ = false;
};

}  // namespace model
