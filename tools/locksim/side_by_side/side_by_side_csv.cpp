// CSV: a header, then a row for each candidate and measure. Columns bear the names of the JSON report; a cell is empty
// where there is no value.

#include <fmt/format.h>

#include "tools/locksim/side_by_side/side_by_side.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

std::string cells(const std::optional<Estimate>& estimate) {
    if (!estimate) { return ",,"; }
    if (!estimate->interval) { return fmt::format("{},,", estimate->value); }
    return fmt::format("{},{},{}", estimate->value, estimate->interval->low, estimate->interval->high);
}

}  // namespace

std::string side_by_side_csv(const SideBySide& found) {
    std::string text =
        "scenario.file,phase,variant,set,reference,name,measure,n,mean,low,high,ratio.value,ratio.low,ratio.high,"
        "difference.value,difference.low,difference.high\n";
    for (const Row& row : found.rows) {
        for (const MeasureRow& measure : measures) {
            const std::optional<Estimate> mean = row.mean(measure.measure);
            const Pairs pairs = paired(row, found.reference(), measure.measure);
            text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(found.file), found.phase,
                                csv_cell(row.variant), csv_cell(join(row.sets, " ")), csv_cell(found.reference().name),
                                csv_cell(row.name), measure.name, mean ? mean->n : 0, cells(mean),
                                cells(estimate_ratio(pairs)), cells(estimate_difference(pairs)));
        }
    }
    return text;
}

}  // namespace locksim
