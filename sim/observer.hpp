#pragma once
// What an observer of a run sees: every hashed step with the words to tell it, what each CPU is doing, and who waits
// for and holds each lock. One observer at a time; it costs one predictable branch when unused. Strings are static or
// live as long as the simulation.

#include <cstdint>

#include "sim/time.hpp"

namespace sim {

/// Where in the source a step was asked for.
struct CallSite {
    const char* file = "";
    int line = 0;
    static constexpr CallSite here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        return {file, line};
    }
};

/// What delayed a step or made it fail.
struct Cause {
    /// "": nothing did. Of a miss: "taken" (someone wrote the line), "shared" (someone read it, and it can no longer be
    /// written here), "cold" (never had it). Of a failed store-exclusive: "taken", "interrupt", "never_armed", "used"
    /// (by an earlier store-exclusive).
    const char* kind = "";
    std::int32_t cpu = -1;  ///< who did it; the members below are its step's
    const char* thread = "";
    const char* label = "";
    const char* operation = "";
    CallSite where{};
    Time at = Time::max();        ///< of that step; Time::max(): its data is still on the way
    std::uint64_t request = 0;    ///< the number of its request: the step that is under way will have it too
    Time lost_at = Time::max();   ///< when the copy or the reservation was gone: the step's snoop, before its data
    Time armed_at = Time::max();  ///< failed store-exclusive: when its load-exclusive made the reservation
};

struct Step {
    Time at{};
    std::int32_t cpu = -1;
    const char* thread = "";
    const char* label = "";        ///< of the program step under way
    const char* operation = "";    ///< "load", "store", "fetch", "wait_begin", "interrupt_begin", ...
    const char* instruction = "";  ///< of a fetch: what it was for; else ""
    CallSite where{};
    std::uint64_t address = 0;  ///< simulated
    const char* variable = "";  ///< the arena's name for it, and how far from its begin
    std::uint64_t offset = 0;
    std::uint64_t old_value = 0;
    std::uint64_t new_value = 0;
    std::uint64_t polls = 0;  ///< of a wait that ends: how often it looked
    char line_before = '-';   ///< this CPU's copy: M owned, S shared, I none; of a miss: when the request was made
    char line_after = '-';
    std::uint64_t request = 0;  ///< the number of the exclusive request that this step completed, else 0
    Cause cause;
};

/// Something about a lock, as the thread that uses it sees it.
struct LockStep {
    enum class Kind : std::uint8_t { request, acquired, gave_up, release };
    Kind kind = Kind::request;
    Time at{};
    std::int32_t cpu = -1;
    const char* thread = "";
    const char* lock = "";
    bool contended = false;  ///< request: somebody held it or waited for it
};

class Observer {
public:
    virtual ~Observer() = default;
    virtual void on_step(const Step& step) = 0;
    /// From `at` on the CPU does this: "work", "critical", "spin", "stall", "interrupt", "halted", "idle" ... The end
    /// of an interrupt may be announced at its beginning: then `at` lies in the future.
    virtual void on_activity(std::int32_t /*cpu*/, const char* /*activity*/, Time /*at*/) {}
    virtual void on_lock(const LockStep& /*step*/) {}
};

}  // namespace sim
