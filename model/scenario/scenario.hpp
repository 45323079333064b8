#pragma once
// What a scenario file says, as plain structs with defaults. The loader (loader.hpp) fills them from TOML, the
// runner (runner.hpp) builds a simulation from them; nothing here knows TOML. Field lists: fields.hpp.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/machine/config.hpp"
#include "model/quantities.hpp"

namespace model {

/// Where a piece of configuration was written: for messages.
struct SourcePosition {
    std::string file;
    int line = 0;  ///< from 1; 0: no file (a default, or --set, which `file` then names)
};

/// A parameter of a lock or workload, as its catalogue row types it.
using ParameterValue = std::variant<bool, std::int64_t, Span, Distribution, std::string>;
using ParameterValues = std::map<std::string, ParameterValue>;  ///< complete: defaults filled in

/// One step of a program. `{work = "10cycles", jitter = "15%", label = "gap"}`
struct Step {
    enum class Kind {
        acquire,      ///< target: lock
        try_acquire,  ///< target: lock; times tries, `amount` apart; what fails skips to after the matching release
        release,      ///< target: lock
        work,         ///< amount; counts as work, or as critical section while a lock is held
        think,        ///< amount; the same, outside: idle
        read,         ///< target: line
        write,        ///< target: line
        set,          ///< target: flag; value
        wait,         ///< target: flag; until it equals value
        relax,        ///< the policy named by target: "none", "yield" (one hint), "cpu_relax" (the machine's); times
        delay,        ///< amount: busy-wait by the clock, as udelay does
        irq,          ///< target: "off" masks this CPU's interrupts, "on" lets them in
        ipi,          ///< target: group with interrupt = "ipi"; to its CPU number `value`, -1: to each but the own one
        repeat,       ///< body, `times` times or until flag `target` equals `value`
    };
    Kind kind = Kind::work;
    std::string target;
    std::int32_t target_index = -1;  ///< of the lock, line, flag or group; set when the simulation is built
    Distribution amount;
    Share jitter;  ///< uniform, plus or minus, on amount; besides [noise]
    std::int64_t value = 1;
    std::int64_t times = 1;
    std::string label;
    bool progress = false;    ///< passing this step is progress (see verdicts)
    std::uint32_t place = 0;  ///< number of the step in its scenario; set when the simulation is built
    bool watched = false;     ///< an event waits for its label; set when the simulation is built
    std::vector<Step> body;   ///< repeat only; one level
    SourcePosition position;  ///< where it was written
};

/// When the body of a group runs.
enum class InterruptKind {
    none,  ///< as a thread, from the start
    tick,  ///< as a handler, at each timer tick of its CPU
    ipi,   ///< as a handler, when a step {ipi = "GROUP"} calls it
};

/// [groups.NAME]: threads that do the same, or handlers of interrupts.
struct GroupConfig {
    std::string name;
    std::vector<std::int32_t> cpus;  ///< one thread per CPU named
    std::int32_t count = 0;  ///< with no `cpus`: so many threads on the lowest CPUs no group has named; both 0: all
    std::int64_t iterations = 0;  ///< body repetitions of each thread; 0: until the run ends
    InterruptKind interrupt = InterruptKind::none;
    bool nests = false;          ///< handlers: other interrupts may come while it runs
    std::vector<Step> program;   ///< either this
    std::string workload;        ///< or this, a row of the workload catalogue
    ParameterValues parameters;  ///< of the workload, [groups.NAME.WORKLOAD]
    SourcePosition position;
};

/// NAME where the group has one thread, else NAME.0, NAME.1, ...
inline std::string thread_name(const GroupConfig& group, std::size_t n) {
    return group.cpus.size() == 1 ? group.name : group.name + "." + std::to_string(n);
}

/// [locks.NAME]
struct LockConfig {
    std::string name;
    std::string type;            ///< a row of the lock catalogue
    ParameterValues parameters;  ///< [locks.NAME.TYPE] of the type chosen; other types' tables are kept and ignored
    SourcePosition position;
};

/// [lines.NAME]: shared data that programs read and write.
struct LineConfig {
    std::string name;
    std::int32_t bytes = 64;  ///< `read` and `write` touch each of its cache lines
    std::int32_t home = -1;   ///< CPU that owns it at the start; -1: in memory
};

struct FlagConfig {
    std::string name;
    std::int64_t initial = 0;
};

/// [noise]: seeded jitter.
struct NoiseConfig {
    Share work;     ///< uniform, plus or minus, on work, think and delay
    Share latency;  ///< uniform, plus or minus, on line transfers
    Distribution start_phase{Distribution::Kind::uniform, span({}),
                             span(sim::microseconds(1))};  ///< start of each thread
};

/// [[events]]: something that happens to a CPU or to a thread, at a time or at a labelled step.
struct EventConfig {
    std::optional<sim::Time> at = {};         ///< either at this time,
    std::optional<std::string> on = {};       ///< or when a thread begins a step with this label
    std::int64_t nth = 1;                     ///< `on`: for the nth time
    std::optional<std::string> thread = {};   ///< `on`: only this thread counts; `kill`: which one
    std::optional<std::int32_t> cpu = {};     ///< `on`: without it, the thread's own
    std::optional<Frequency> frequency = {};  ///< new clock of that CPU
    std::optional<sim::Time> stall = {};      ///< that CPU's clock stops for so long
    bool kill = false;                        ///< the thread stops for good, with all that it holds
    SourcePosition position = {};
};

/// How equal times are ordered.
enum class TieBreak { actor, seeded };

struct HopedExpectation {
    std::string that;
    std::string why;
    SourcePosition position;
};
struct ExpectationText {
    std::string text;
    SourcePosition position;
};
/// [expect] (variant "base") or [expect.VARIANT].
struct ExpectConfig {
    std::string verdict = "ok";            ///< a verdict's name, or "any"
    std::optional<std::int32_t> in_holds;  ///< `in = "12/16"`: in at least 12 ...
    std::optional<std::int32_t> in_of;     ///< ... of 16 phases. `in = "none/16"`: holds in 0 at most
    bool in_none = false;
    std::vector<ExpectationText> that;    ///< hold together with the verdict
    std::vector<ExpectationText> always;  ///< in every run
    std::vector<HopedExpectation> hoped;  ///< printed, never fails
    SourcePosition position;
};

/// One line of [fitted]: a parameter that was chosen so that the scenario matches what was measured.
struct FittedConfig {
    std::string parameter;
    std::string range;
    std::string why;
};

/// [lesson]: what a class does with the scenario. Paths in braces have been filled in; measures stay as they are
/// written and are filled in from the runs (lesson.hpp).
struct LessonConfig {
    std::string goal;
    std::string predict;
    std::vector<std::string> answers;  ///< to choose from; none: an open question
    std::string explain;
    SourcePosition position;
};

struct Scenario {
    std::string file;  ///< as the user named it
    std::string variant = "base";
    std::string title;
    std::string description;
    sim::Time duration = sim::milliseconds(10);  ///< simulated; the run ends earlier when every thread has finished
    std::uint64_t seed = 1;
    std::int32_t phases = 1;             ///< start phases that a full judgement needs
    sim::Time warmup{};                  ///< measures begin here ...
    std::int64_t warmup_operations = 0;  ///< ... and not before every thread has done so many bodies
    bool spin_elision = true;            ///< park spinning CPUs; the digest is the same without
    TieBreak tie_break = TieBreak::actor;
    MachineConfig machine;
    NoiseConfig noise;
    std::vector<LockConfig> locks;
    std::vector<LineConfig> lines;
    std::vector<FlagConfig> flags;
    std::vector<GroupConfig> groups;
    std::vector<EventConfig> events;
    ExpectConfig expect;  ///< of this variant
    std::vector<FittedConfig> fitted;
    std::optional<LessonConfig> lesson;  ///< the file's, the same in every variant
    bool has_expect = false;             ///< the file states expectations (else exit 1 unless the verdict is ok)
    std::string config_digest;  ///< 16 hex digits: hash of the resolved configuration as print-config writes it
};

}  // namespace model
