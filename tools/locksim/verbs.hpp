#pragma once
// One function per verb, in verb_NAME.cpp. A new verb is that file and one row of the table in
// command_line.cpp.
//
// A verb prints its result through open_output(), throws InputError, model::ConfigError, OutputError or
// ClosedPipe, and returns what else there is to say.

#include "tools/locksim/exit_status.hpp"
#include "tools/locksim/options.hpp"

namespace locksim {

ExitStatus verb_run(const Options& options);
ExitStatus verb_compare(const Options& options);
ExitStatus verb_validate(const Options& options);
ExitStatus verb_verify(const Options& options);
ExitStatus verb_diff(const Options& options);
ExitStatus verb_list(const Options& options);
ExitStatus verb_describe(const Options& options);
ExitStatus verb_help(const Options& options);
ExitStatus verb_print_config(const Options& options);

}  // namespace locksim
