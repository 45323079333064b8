#pragma once
// What a comparison comes to, in sentences.

#include <string>
#include <vector>

#include "tools/locksim/side_by_side/side_by_side.hpp"

namespace locksim {

/// "0.62", "1.003", "12.4": as many digits as an interval of that width leaves meaningful, at least two decimals
/// below 10.
std::string ratio_text(double ratio, double width);

/// "mcs takes 0.62 times as long as ticket (95 %: 0.60 to 0.64)": one for each row after the reference.
std::vector<std::string> comparison_sentences(const SideBySide& found);

/// "tas starves little, mcs does not": one for each kind of verdict but ok. Nothing where all are ok.
std::vector<std::string> verdict_sentences(const SideBySide& found);

/// What limits all of the above: a single seed, seeds that change nothing, runs that are missing.
std::vector<std::string> caveats(const SideBySide& found);

}  // namespace locksim
