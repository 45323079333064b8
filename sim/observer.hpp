#pragma once
// What an observer of a run sees: every hashed step, with the words to tell it. One observer at a time; it costs one
// predictable branch when unused. Strings are static or live as long as the simulation.

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

struct Step {
    Time at{};
    std::int32_t cpu = -1;
    const char* thread = "";
    const char* label = "";
    const char* operation = "";  ///< "load", "store", "rmw", "wait begin", ...
    CallSite where{};
    std::uint64_t address = 0;  ///< simulated; names come from the arena
    std::uint64_t old_value = 0;
    std::uint64_t new_value = 0;
    char line_after = '-';        ///< of this CPU's copy: M owned, S shared, I none
    std::int32_t cause_cpu = -1;  ///< whose request took the line away before this step had to fetch it
    Time cause_at{};
};

class Observer {
public:
    virtual ~Observer() = default;
    virtual void on_step(const Step& step) = 0;
};

}  // namespace sim
