// `locksim diff`: two event logs, the first event that differs, and what it changed.

#include <fmt/format.h>

#include "build_info.hpp"
#include "tools/locksim/comparing/log_comparison.hpp"
#include "tools/locksim/output.hpp"
#include "tools/locksim/verbs.hpp"

namespace locksim {

ExitStatus verb_diff(const Options& options) {
    const auto output = open_output(options.output);
    const RecordedEvents a = read_events(options.files.at(0));
    const RecordedEvents b = read_events(options.files.at(1));
    const LogComparison comparison = compare(a, b);
    output->write(options.format == Format::json ? comparison_json(comparison, build_info::version)
                                                 : comparison_screen(comparison, output->terminal().width));
    output->finish();
    return comparison.same() ? ExitStatus::ok : ExitStatus::unexpected;
}

}  // namespace locksim
