#pragma once
// A stage for one spin and one disturbance: four CPUs, one of which waits for a word that another one sets. Run with
// the spin parked, walked poll by poll and walked piece by piece, everything that can be seen of the runs must agree.

#include <array>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "tests/model/machines.hpp"

namespace model::test {

/// Two words in one line, and a third elsewhere.
struct StageWords {
    alignas(64) smp::Atomic<std::uint32_t> word;
    smp::Atomic<std::uint32_t> beside;
    alignas(64) smp::Atomic<std::uint32_t> elsewhere;
};

/// Everything that parking must leave as it is.
struct Seen {
    std::uint64_t digest = 0;
    Time ended{};
    bool deadlocked = false;
    std::int32_t alive = 0;
    std::vector<std::pair<Time, std::uint64_t>> log;  ///< what the code on the CPUs noted, and when
    std::vector<std::uint64_t> counts;                ///< of each context: accesses, store-exclusives done and failed
    std::vector<std::int64_t> spent_ps;               ///< of each CPU, by activity
    friend bool operator==(const Seen&, const Seen&) = default;

    /// The first thing that differs, for messages.
    std::string differs_from(const Seen& other) const {
        if (ended != other.ended) { return fmt::format("end: {} and {} ps", ended.ps, other.ended.ps); }
        if (deadlocked != other.deadlocked || alive != other.alive) { return "deadlock, or who is alive"; }
        if (log != other.log) {
            for (std::size_t i = 0; i < std::min(log.size(), other.log.size()); ++i) {
                if (log[i] == other.log[i]) { continue; }
                return fmt::format("note {}: {} at {} ps and {} at {} ps", i, log[i].second, log[i].first.ps,
                                   other.log[i].second, other.log[i].first.ps);
            }
            return fmt::format("{} and {} notes", log.size(), other.log.size());
        }
        for (std::size_t i = 0; i < counts.size(); ++i) {
            if (counts[i] == other.counts[i]) { continue; }
            constexpr const char* names[] = {"accesses", "store-exclusives", "failed store-exclusives"};
            return fmt::format("{} of context {}: {} and {}", names[i % 3], i / 3, counts[i], other.counts[i]);
        }
        for (std::size_t i = 0; i < spent_ps.size(); ++i) {
            if (spent_ps[i] == other.spent_ps[i]) { continue; }
            return fmt::format("time of CPU {} as {}: {} and {} ps", i / activities,
                               to_string(static_cast<Activity>(i % activities)), spent_ps[i], other.spent_ps[i]);
        }
        return digest == other.digest ? "nothing" : "the digest alone";
    }
};

/// The actors of disturbances come where those of a scenario's [[events]] do.
class Stage : public Cpus {
public:
    static constexpr std::int32_t storer = 0, waiter = 1;  ///< CPUs; 2 and 3 are left to the disturbance

    Stage(const MachineConfig& config, Machine::Options options)
        : Cpus(config, options), words(machine.arena().make<StageWords>("words")) {
        machine.memory().place(machine.arena().slots().back(), storer);
    }

    /// In an event of its own.
    void at(Time when, std::function<void()> action) {
        Call& call = calls_.emplace_back((std::uint64_t{1} << 16) + calls_.size(), std::move(action));
        machine.engine().schedule(call, when);
    }
    /// An interrupt of this CPU that runs code; without code, one that takes `length`.
    Interrupts::Source& interrupt(std::int32_t cpu, std::function<void()> body, Time length = {}) {
        Interrupts::Source& source = machine.interrupts(cpu).add_source();
        source.length = length;
        if (!body) { return source; }
        std::function<void()>& kept = bodies_.emplace_back(std::move(body));
        source.handler = &machine.add_handler(
            cpu, "handler", [](void* f) { (*static_cast<std::function<void()>*>(f))(); }, &kept);
        return source;
    }
    void raise(Interrupts::Source& source, Time when) { source.owner().raise_at(source, when); }
    void note(std::uint64_t what) { log_.emplace_back(now(), what); }
    Context& thread_on(std::int32_t cpu) {
        for (Context& context : machine.contexts()) {
            if (context.cpu().number() == cpu) { return context; }
        }
        std::abort();
    }

    Seen run_and_see(Time until) {
        run(until);
        Seen seen{digest(), now(), machine.deadlocked(), machine.live_contexts(), log_, {}, {}};
        for (const Context& context : machine.contexts()) {
            seen.counts.insert(seen.counts.end(), {context.accesses(), context.sc_successes(), context.sc_failures()});
        }
        for (std::int32_t n = 0; n < machine.topology().cpus(); ++n) {
            Cpu& cpu = machine.cpu(n);
            cpu.become(cpu.activity(), now());
            for (const Time& spent : cpu.spent()) { seen.spent_ps.push_back(spent.ps); }
        }
        return seen;
    }

    StageWords& words;

private:
    struct Call final : sim::Actor {
        Call(std::uint64_t number, std::function<void()> a) : Actor(number, fire), action(std::move(a)) {}
        static sim::Fiber* fire(sim::Actor& actor) {
            static_cast<Call&>(actor).action();
            return nullptr;
        }
        std::function<void()> action;
    };
    std::deque<Call> calls_;
    std::deque<std::function<void()>> bodies_;
    std::vector<std::pair<Time, std::uint64_t>> log_;
};

/// A way to wait until `word` is 5, and what it wants of the machine.
struct Spin {
    const char* name;
    void (*wait)(Stage&);  ///< runs on CPU 1, thread or handler
    void (*adapt)(MachineConfig&) = nullptr;
    enum class Runs { as_thread, masked, in_handler, in_both } runs = Runs::as_thread;
};
const std::vector<Spin>& spins();

/// Something that happens at `when`.
struct Disturbance {
    const char* name;
    void (*arrange)(Stage&, Time when);
};

extern const std::vector<Disturbance> interrupts, frequencies, accesses, stalls, kills;

/// A machine, and when CPU 0 sets the word on it.
struct StageMachine {
    const char* name;
    MachineConfig config;
    Time set_at;
};
const std::vector<StageMachine>& stage_machines();

struct Ties {
    bool seeded = false;
    std::uint64_t seed = 1;
};
/// In pieces: every piece of a poll is an event, which is the reference that the two others shorten.
enum class Walk { parked, by_polls, in_pieces };
/// One run; `disturbance` may be null. `ends_at`: the run is cut there.
Seen see(const StageMachine& on, const Spin& spin, const Disturbance* disturbance, Time when, const Ties& ties,
         Walk walk, Time ends_at, sim::Observer* observer = nullptr);

/// Where it may matter: every border of a piece in two periods of the spin, the middles of the pieces, and whatever
/// happens at the begin of the wait and around the store; each with the picosecond before and after.
std::vector<Time> instants(const StageMachine& on, const Spin& spin);

}  // namespace model::test
