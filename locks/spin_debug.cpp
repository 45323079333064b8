// The catalogue row and the parameters of spin-debug. The algorithm is in spin_debug.hpp.

#include "locks/spin_debug.hpp"

namespace locks {

std::vector<model::ParameterSpec> SpinDebugLock::Options::parameters() {
    const Options preset;
    return {
        {.name = "every", .preset = preset.every, .doc = "time from a failed try to the next"},
        {.name = "tries", .preset = preset.tries, .doc = "then it joins the queue; 0: it tries for ever"},
    };
}

SpinDebugLock::Options SpinDebugLock::Options::from(const model::ParameterValues& values) {
    Options options;
    options.every = std::get<model::Span>(values.at("every"));
    options.tries = std::get<std::int64_t>(values.at("tries"));
    return options;
}

extern const LockEntry spin_debug_entry;
const LockEntry spin_debug_entry = exclusive_lock<SpinDebugLock>(
    "a ticket lock taken by try, fixed delay, try: a debug build's, unfair", "locks/spin_debug.hpp");

}  // namespace locks
