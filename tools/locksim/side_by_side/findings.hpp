#pragma once
// What a comparison comes to, in sentences.

#include <string>
#include <vector>

#include "tools/locksim/side_by_side/side_by_side.hpp"

namespace locksim {

/// "382ns", "2.62M/s", "0.999", "2.90".
std::string value_text(double value, Unit unit);
/// "0.62", "12.4"; with an interval: as many digits as it leaves meaningful, "1.003", and as tell it from 1.
std::string ratio_text(const Estimate& ratio);
/// "0.60 to 0.64", with as many digits. The ratio has an interval.
std::string interval_text(const Estimate& ratio);

/// "mcs takes 0.62 times as long as ticket (95 %: 0.60 to 0.64)": one for each row after the reference.
std::vector<std::string> comparison_sentences(const SideBySide& found);

/// "tas starves little, mcs does not": one for each kind of verdict but ok. Nothing where all are ok.
std::vector<std::string> verdict_sentences(const SideBySide& found);

/// What limits all of the above: a single seed, seeds that change nothing, runs that are missing.
std::vector<std::string> caveats(const SideBySide& found);

}  // namespace locksim
