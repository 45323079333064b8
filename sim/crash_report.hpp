#pragma once
// What happens when simulated code breaks the host program: a stack overflow or a bad access on a fiber's stack, or ten
// seconds of host time without a step. All end the process with status 3 and one line that names the context and its
// last call site. Active while an object of this class lives; one at a time.

#include <cstddef>

#include "sim/engine.hpp"
#include "sim/stack_pool.hpp"

namespace sim {

class CrashReport {
public:
    /// Writes what is known about the context on stack `index` (-1: the running one). Called from a signal handler:
    /// it must only format into `out` with plain stores or snprintf.
    using Describe = void (*)(const void* model, long index, char* out, std::size_t size);

    CrashReport(const StackPool& stacks, const Engine& engine, Describe describe, const void* model);
    ~CrashReport();
    CrashReport(const CrashReport&) = delete;
    CrashReport& operator=(const CrashReport&) = delete;

    static constexpr int seconds_without_step = 10;
};

}  // namespace sim
