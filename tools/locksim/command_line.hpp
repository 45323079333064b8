#pragma once
// From argv to a verb, and from whatever happens there to an exit status.

#include <optional>
#include <string>
#include <vector>

#include "tools/locksim/exit_status.hpp"
#include "tools/locksim/options.hpp"

namespace locksim {

/// The whole command: main() and nothing else. Lets no exception out.
int run_command(int argc, const char* const* argv);

/// What a command line asks for.
struct Request {
    std::string verb;  ///< empty: no verb but `text` is wanted (--help, --version)
    std::string text;  ///< what to print on stdout
    Options options;
};
/// Throws InputError, naming what was expected.
Request parse_command_line(const std::vector<std::string>& arguments, const std::string& program);

/// In the order of `locksim --help`.
std::vector<std::string> verb_names();
/// What `locksim VERB --help` prints; empty verb: `locksim --help`.
std::string usage(const std::string& verb);

}  // namespace locksim
