// What -v adds to the screen of `compare`: every measure of every row, each with its interval.

#include <fmt/format.h>

#include "tools/locksim/side_by_side/findings.hpp"
#include "tools/locksim/side_by_side/side_by_side.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

std::string estimate_text(const Estimate& estimate, Unit unit) {
    std::string text = value_text(estimate.value, unit);
    if (estimate.interval) {
        text += fmt::format(" ({} to {})", value_text(estimate.interval->low, unit),
                            value_text(estimate.interval->high, unit));
    }
    return text;
}

std::string factor_text(const Estimate& ratio) {
    if (!ratio.interval) { return ratio_text(ratio); }
    return fmt::format("{} ({})", ratio_text(ratio), interval_text(ratio));
}

}  // namespace

std::string side_by_side_details(const SideBySide& found, std::size_t width) {
    std::string text = fmt::format("\nmeans, and ratios to {}; in brackets 95 % intervals\n", found.reference().name);
    for (const Row& row : found.rows) {
        text += fmt::format("{}: {}\n", row.name, row.sets.empty() ? row.variant : join(row.sets, ", "));
        for (const MeasureRow& measure : measures) {
            const auto mean = row.mean(measure.measure);
            if (!mean) { continue; }
            std::string line = fmt::format("  {}  {}", pad_right(measure.text, 25), estimate_text(*mean, measure.unit));
            const auto ratio = estimate_ratio(paired(row, found.reference(), measure.measure));
            if (ratio && &row != &found.reference()) { line += fmt::format("; {}", factor_text(*ratio)); }
            text += line + "\n";
        }
    }
    return rewrapped(text, width);
}

}  // namespace locksim
