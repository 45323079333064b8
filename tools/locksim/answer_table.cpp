// See answer_table.hpp.

#include "tools/locksim/answer_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace locksim {

namespace {

constexpr std::size_t most_variant_width = 16;

std::string shout(model::VerdictKind kind) {
    return kind == model::VerdictKind::ok ? "ok" : upper_case(model::to_string(kind));
}

/// "STARVATION", or over many runs "STARVATION 13, ok 3".
std::string verdict_cell(const VariantSummary& summary) {
    if (summary.verdicts.size() == 1) { return shout(summary.worst()); }
    std::string cell;
    for (const auto& [kind, runs] : summary.verdicts) {
        cell += fmt::format("{}{} {}", cell.empty() ? "" : ", ", shout(kind), runs);
    }
    return shorten(cell, 24);
}

/// Names of all groups of all variants, those with the longest waits first.
std::vector<std::string> groups_by_wait(const std::vector<VariantSummary>& summaries) {
    std::vector<std::pair<std::string, double>> groups;
    for (const VariantSummary& summary : summaries) {
        for (const GroupSummary& group : summary.groups) {
            const auto known = std::find_if(groups.begin(), groups.end(),
                                            [&group](const auto& other) { return other.first == group.name; });
            if (known == groups.end()) {
                groups.emplace_back(group.name, group.longest_wait_ns);
            } else {
                known->second = std::max(known->second, group.longest_wait_ns);
            }
        }
    }
    std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<std::string> names;
    names.reserve(groups.size());
    for (const auto& [name, wait] : groups) { names.push_back(name); }
    return names;
}

/// Those of `chosen`, in the order of the file.
std::vector<std::string> in_file_order(const std::vector<std::string>& chosen,
                                       const std::vector<VariantSummary>& summaries) {
    std::vector<std::string> names;
    for (const VariantSummary& summary : summaries) {
        for (const GroupSummary& group : summary.groups) {
            const bool wanted = std::find(chosen.begin(), chosen.end(), group.name) != chosen.end();
            const bool known = std::find(names.begin(), names.end(), group.name) != names.end();
            if (wanted && !known) { names.push_back(group.name); }
        }
    }
    return names;
}

/// "128/394k"
std::string llsc_cell(const GroupSummary& group) {
    if (group.sc_success + group.sc_fail == 0) { return "-"; }
    return compact_count(group.sc_success) + "/" + compact_count(group.sc_fail);
}

bool anyone_tried_llsc(const std::vector<VariantSummary>& summaries) {
    return std::any_of(summaries.begin(), summaries.end(), [](const VariantSummary& summary) {
        return std::any_of(summary.groups.begin(), summary.groups.end(),
                           [](const GroupSummary& group) { return group.sc_success + group.sc_fail > 0; });
    });
}

/// Which variants stay where there is no room for all: the worst, in their order.
std::vector<bool> worst_variants(const std::vector<VariantSummary>& summaries, std::size_t most) {
    std::vector<std::size_t> order(summaries.size());
    for (std::size_t i = 0; i < order.size(); ++i) { order[i] = i; }
    std::stable_sort(order.begin(), order.end(), [&summaries](std::size_t a, std::size_t b) {
        return summaries[a].worst() > summaries[b].worst();
    });
    std::vector<bool> stays(summaries.size(), false);
    for (std::size_t i = 0; i < std::min(most, order.size()); ++i) { stays[order[i]] = true; }
    return stays;
}

std::string paint_verdict(std::string line, const VariantSummary& summary, const Screen& screen) {
    const std::string cell = verdict_cell(summary);
    // Past the variant's name, which may be "ok" itself.
    const std::size_t at = line.find(cell, line.starts_with(summary.variant) ? summary.variant.size() : 0);
    if (at == std::string::npos) { return line; }
    return line.replace(at, cell.size(), paint(cell, summary.worst() == model::VerdictKind::ok, screen));
}

/// "... 7 more variants: ok 6, STARVATION 1 (-v)"
std::string left_out_line(const std::vector<VariantSummary>& summaries, const std::vector<bool>& stays,
                          const Screen& screen) {
    std::size_t left_out = 0;
    std::size_t left_out_ok = 0;
    for (std::size_t i = 0; i < summaries.size(); ++i) {
        if (stays[i]) { continue; }
        ++left_out;
        if (summaries[i].worst() == model::VerdictKind::ok) { ++left_out_ok; }
    }
    return shorten(
        fmt::format("... and {}, {} of them ok (all with -v)", counted(left_out, "more variant"), left_out_ok),
        screen.width);
}

}  // namespace

AnswerTable AnswerTable::that_fits(const std::vector<VariantSummary>& summaries, const Screen& screen) {
    std::vector<std::string> groups = groups_by_wait(summaries);
    std::vector<bool> with_llsc{false};
    if (anyone_tried_llsc(summaries)) { with_llsc.insert(with_llsc.begin(), true); }
    for (const bool llsc : with_llsc) {
        for (const bool compact : {false, true}) {
            AnswerTable table(summaries, {in_file_order(groups, summaries), compact, llsc});
            if (table.fits(screen)) { return table; }
        }
    }
    for (std::size_t left_out = 1; groups.size() > 1; ++left_out) {
        groups.pop_back();
        AnswerTable table(summaries,
                          {.groups = in_file_order(groups, summaries), .compact = true, .left_out = left_out});
        if (table.fits(screen)) { return table; }
    }
    return AnswerTable(summaries, {});
}

AnswerTable::AnswerTable(const std::vector<VariantSummary>& summaries, Layout layout)
    : summaries_(summaries), layout_(std::move(layout)), table_(columns()) {
    many_runs_ = std::any_of(summaries.begin(), summaries.end(), [](const auto& s) { return s.runs > 1; });
    table_.add(header());
    for (const VariantSummary& summary : summaries) { table_.add(row(summary)); }
}

bool AnswerTable::fits(const Screen& screen) const {
    const Lines all = all_lines();
    return std::all_of(all.begin(), all.end(),
                       [&screen](const auto& line) { return display_width(line) <= screen.width; });
}

AnswerTable::Lines AnswerTable::all_lines() const {
    Lines lines = table_.lines();
    if (layout_.compact) { lines.insert(lines.begin(), group_header()); }
    return lines;
}

std::vector<TextTable::Align> AnswerTable::columns() const {
    std::vector<TextTable::Align> columns(leading_columns(), TextTable::Align::left);
    const std::size_t per_group = layout_.compact ? 1 : layout_.llsc ? 3 : 2;
    columns.resize(columns.size() + per_group * layout_.groups.size(), TextTable::Align::right);
    return columns;
}

std::string AnswerTable::compact_cell(const std::string& count, const std::string& longest,
                                      const std::string& llsc) const {
    const std::string cell = pad_left(count, 5) + " " + pad_left(longest, 6);
    return layout_.llsc ? cell + " " + pad_left(llsc, 11) : cell;
}

AnswerTable::Lines AnswerTable::header() const {
    const std::string count = many_runs_ ? "mean" : "count";
    Lines cells;
    if (leading_columns() == 2) { cells.emplace_back("variant"); }
    cells.emplace_back("verdict");
    for (const std::string& group : layout_.groups) {
        if (layout_.compact) {
            cells.push_back(compact_cell(count, "worst", "SC ok/fail"));
        } else {
            cells.push_back(fmt::format("{}: {}", printable(group), count));
            cells.emplace_back("longest");
            if (layout_.llsc) { cells.emplace_back("SC ok/fail"); }
        }
    }
    return cells;
}

AnswerTable::Lines AnswerTable::row(const VariantSummary& summary) const {
    Lines cells;
    if (leading_columns() == 2) { cells.push_back(shorten(printable(summary.variant), most_variant_width)); }
    cells.push_back(verdict_cell(summary));
    for (const std::string& name : layout_.groups) {
        const auto group = std::find_if(summary.groups.begin(), summary.groups.end(),
                                        [&name](const auto& known) { return known.name == name; });
        const bool known = group != summary.groups.end();
        if (layout_.compact) {
            cells.push_back(
                known ? compact_cell(compact_count(group->count), tight_time(group->longest_wait_ns), llsc_cell(*group))
                      : compact_cell("-", "-", "-"));
        } else {
            cells.push_back(known ? group_digits(static_cast<std::uint64_t>(std::llround(group->count))) : "-");
            cells.push_back(known ? friendly_time(group->longest_wait_ns) : "-");
            if (layout_.llsc) { cells.push_back(known ? llsc_cell(*group) : "-"); }
        }
    }
    return cells;
}

std::string AnswerTable::group_header() const {
    const std::vector<std::size_t> widths = table_.widths();
    std::string line;
    std::size_t end = 0;
    for (std::size_t column = 0; column < widths.size(); ++column) {
        end += widths[column];
        if (column >= leading_columns()) {
            const std::string name = shorten(printable(layout_.groups[column - leading_columns()]), widths[column]);
            line = pad_right(line, end - display_width(name));
            line += name;
        }
        end += 2;
    }
    return line;
}

std::vector<std::string> AnswerTable::lines(const Screen& screen, std::size_t most) const {
    const Lines all = all_lines();
    const std::size_t headers = header_lines();
    const std::size_t footers = layout_.left_out > 0 ? 1 : 0;
    // The line about those left out takes the room of one: a single variant is never left out, nor the worst of many.
    const bool all_fit = summaries_.size() == 1 || all.size() + footers <= most;
    const std::size_t rows = most - std::min(most, headers + footers + 1);
    const std::vector<bool> stays =
        worst_variants(summaries_, all_fit ? summaries_.size() : std::max<std::size_t>(rows, 1));
    Lines lines(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(headers));
    for (std::size_t i = 0; i < summaries_.size(); ++i) {
        if (!stays[i]) { continue; }
        lines.push_back(paint_verdict(shorten(all[headers + i], screen.width), summaries_[i], screen));
    }
    if (!all_fit) { lines.push_back(left_out_line(summaries_, stays, screen)); }
    if (footers > 0) {
        lines.push_back(fmt::format("... and {}, waiting less (-v)", counted(layout_.left_out, "more group")));
    }
    return lines;
}

}  // namespace locksim
