#pragma once
// One of the processes that `verify` compares: fresh, and unlike the others in all that must not matter. It serves
// requests by lines on stdin and answers by lines on stdout; each request runs in a copy of the process (fork), so that
// every request finds the same memory, and a crash ends that copy alone.
//
//   digest RUN               "digest HEX", or "error TEXT"
//   checkpoints RUN STRIDE   "at STEPS HASH" after each STRIDE steps, "steps STEPS HASH"
//   steps RUN FIRST END      steps FIRST to before END as lines of an event log
//
// While a run goes on, "now PS" some times a second. After each answer "end STATUS", the copy's exit status.

#include <array>
#include <string>
#include <string_view>

#include "tools/locksim/exit_status.hpp"
#include "tools/locksim/options.hpp"

namespace locksim {

enum class Role { plain, moved, polling };
inline constexpr std::array roles{Role::plain, Role::moved, Role::polling};
std::string_view to_string(Role role);
/// "A": for people, and for `--worker`, where names of different lengths would already be different heaps.
std::string letter_of(Role role);

/// `options.worker` is the letter of its role. Ends where stdin does.
ExitStatus serve_as_worker(const Options& options);

}  // namespace locksim
