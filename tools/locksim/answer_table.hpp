#pragma once
// The answer on the first screen: a row per variant, with its verdict and, for each group, how much it did and how long
// it waited. Several layouts are tried until one fits.

#include <cstddef>
#include <string>
#include <vector>

#include "tools/locksim/report.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

class AnswerTable {
public:
    /// Full numbers if they fit, else short ones, else without store-exclusives, else only the groups that waited
    /// longest. The summaries must outlive the table.
    static AnswerTable that_fits(const std::vector<VariantSummary>& summaries, const Screen& screen);

    std::size_t header_lines() const { return layout_.compact ? 2 : 1; }
    /// At most so many lines: where there is no room for all variants the worst stay, and a line tells of the others.
    std::vector<std::string> lines(const Screen& screen, std::size_t most) const;

private:
    using Lines = std::vector<std::string>;
    struct Layout {
        std::vector<std::string> groups;
        bool compact = false;      // "1.79M" below the groups' names, instead of "1 790 112" beside them
        bool llsc = false;         // with store-exclusives that succeeded and failed
        std::size_t left_out = 0;  // groups for which there is no room
    };

    AnswerTable(const std::vector<VariantSummary>& summaries, Layout layout);
    bool fits(const Screen& screen) const;
    Lines all_lines() const;  // the headers, then one line per variant
    std::vector<TextTable::Align> columns() const;
    std::size_t leading_columns() const { return summaries_.size() > 1 ? 2 : 1; }
    Lines header() const;
    std::string group_header() const;  // the groups' names, each above the end of its column
    Lines row(const VariantSummary& summary) const;
    std::string compact_cell(const std::string& count, const std::string& longest, const std::string& llsc) const;

    const std::vector<VariantSummary>& summaries_;
    Layout layout_;
    bool many_runs_ = false;
    TextTable table_;
};

}  // namespace locksim
