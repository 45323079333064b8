// The screen of `compare`: at most 24 lines of 80 columns. A row per candidate, what it comes to in sentences, how far
// to trust it. What does not fit is said to be left out.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/locksim/comparing/screen.hpp"
#include "tools/locksim/side_by_side/findings.hpp"
#include "tools/locksim/side_by_side/side_by_side.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

using Lines = std::vector<std::string>;
constexpr std::size_t most_lines = 24;

std::string paint(const std::string& text, bool good) {
    return fmt::format("\x1b[{}m{}\x1b[0m", good ? "32" : "1;31", text);
}

// The table ---------------------------------------------------------------------------------------------------

std::string mean_cell(const Row& row, Measure measure) {
    const auto mean = row.mean(measure);
    return mean ? value_text(mean->value, row_of(measure).unit) : "-";
}

/// Half the interval as a share of the mean: "+-0.4%".
std::string width_cell(const Row& row, Measure measure) {
    const auto mean = row.mean(measure);
    if (!mean || !mean->interval || mean->value == 0) { return ""; }
    const double share = (mean->interval->high - mean->interval->low) / 2 / mean->value * 100;
    if (share == 0) { return "+-0"; }
    if (share < 0.01) { return "<0.01%"; }
    return fmt::format("+-{:.{}f}%", share, share < 0.095 ? 2 : share < 9.95 ? 1 : 0);
}

std::string ratio_cell(const Row& row, const Row& reference, Measure measure) {
    const auto ratio = estimate_ratio(paired(row, reference, measure));
    return ratio ? ratio_text(Estimate{ratio->n, ratio->value, {}}) : "-";
}

std::string verdict_cell(const Row& row) {
    const auto [kind, count] = row.worst();
    if (row.samples.empty()) { return "-"; }
    if (kind == model::VerdictKind::ok) { return "ok"; }
    const std::string text = upper_case(model::to_string(kind));
    return count == row.samples.size() ? text : fmt::format("{} {}/{}", text, count, row.samples.size());
}

struct Column {
    std::string head;
    std::vector<std::string> cells;
    int needed = 0;  ///< the column with the smallest number goes first where there is no room
};

constexpr std::size_t widest_label = 30;
constexpr const char* interval_head = "95 %";

/// Without the bars.
std::vector<Column> columns_of(const SideBySide& found) {
    const Measure main = found.main_measure();
    const bool locks = found.has_acquisitions();
    std::vector<Column> columns{{found.varied, {}, 9},  {"verdict", {}, 8}, {locks ? "per acq" : "per op", {}, 7},
                                {interval_head, {}, 2}, {"ratio", {}, 6},   {"longest", {}, 5},
                                {"p99 wait", {}, 4},    {"Jain", {}, 3},    {"transfers", {}, 1}};
    for (const Row& row : found.rows) {
        const Lines cells{shorten(row.label, widest_label),
                          verdict_cell(row),
                          mean_cell(row, main),
                          width_cell(row, main),
                          ratio_cell(row, found.reference(), main),
                          mean_cell(row, Measure::longest_wait_ns),
                          mean_cell(row, Measure::p99_wait_ns),
                          mean_cell(row, Measure::jain),
                          mean_cell(row, Measure::transfers_per_acquisition)};
        for (std::size_t i = 0; i < cells.size(); ++i) { columns[i].cells.push_back(cells[i]); }
    }
    std::erase_if(columns, [](const Column& column) {
        return std::all_of(column.cells.begin(), column.cells.end(),
                           [](const std::string& cell) { return cell.empty() || cell == "-"; });
    });
    return columns;
}

Lines table_of(const std::vector<Column>& columns) {
    std::vector<TextTable::Align> alignment;
    for (const Column& column : columns) {
        const bool left = &column == &columns.front() || column.head == "verdict";
        alignment.push_back(left ? TextTable::Align::left : TextTable::Align::right);
    }
    TextTable table(alignment);
    Lines head;
    for (const Column& column : columns) { head.push_back(column.head); }
    table.add(head);
    for (std::size_t row = 0; row < columns.front().cells.size(); ++row) {
        Lines cells;
        for (const Column& column : columns) { cells.push_back(column.cells[row]); }
        table.add(cells);
    }
    return table.lines();
}

std::size_t width_of(const Lines& lines) {
    std::size_t width = 0;
    for (const std::string& line : lines) { width = std::max(width, display_width(line)); }
    return width;
}

/// `share` of so many columns: whole and partial blocks, or number signs.
std::string bar(double share, std::size_t columns, bool utf8) {
    if (!utf8) { return std::string(static_cast<std::size_t>(std::lround(share * static_cast<double>(columns))), '#'); }
    constexpr std::size_t parts = 8;
    const auto eighths = static_cast<std::size_t>(std::lround(share * static_cast<double>(columns * parts)));
    static constexpr const char* partial[parts] = {"",       "\u258F", "\u258E", "\u258D",
                                                   "\u258C", "\u258B", "\u258A", "\u2589"};
    std::string text;
    for (std::size_t i = 0; i < eighths / parts; ++i) { text += "\u2588"; }
    return text + partial[eighths % parts];
}

constexpr std::size_t shortest_bar = 6;
constexpr std::size_t longest_bar = 20;
constexpr std::size_t bar_gap = 2;

bool has_room_for_bars(const Lines& table, std::size_t width) {
    return width_of(table) + bar_gap + shortest_bar <= width;
}

/// Of the time per acquisition, where the table leaves room for something that can be told apart.
void add_bars(Lines& table, const SideBySide& found, const ComparisonScreen& screen) {
    const std::size_t width = width_of(table);
    if (!screen.bars || !has_room_for_bars(table, screen.width)) { return; }
    const std::size_t room = std::min(screen.width - width - bar_gap, longest_bar);
    double most = 0;
    for (const Row& row : found.rows) {
        if (const auto mean = row.mean(found.main_measure())) { most = std::max(most, mean->value); }
    }
    if (most <= 0) { return; }
    for (std::size_t i = 0; i < found.rows.size(); ++i) {
        const auto mean = found.rows[i].mean(found.main_measure());
        if (!mean) { continue; }
        table[i + 1] = pad_right(table[i + 1], width + bar_gap) + bar(mean->value / most, room, screen.utf8);
    }
}

void paint_verdicts(Lines& table, const SideBySide& found) {
    for (std::size_t i = 0; i < found.rows.size(); ++i) {
        const std::string cell = verdict_cell(found.rows[i]);
        // Past the name, which may be "ok" itself.
        const std::string name = shorten(found.rows[i].label, widest_label);
        const std::size_t at = table[i + 1].find(cell, std::min(name.size(), table[i + 1].size()));
        if (at == std::string::npos || cell == "-") { continue; }
        table[i + 1].replace(at, cell.size(), paint(cell, found.rows[i].worst().first == model::VerdictKind::ok));
    }
}

Lines table_lines(const SideBySide& found, const ComparisonScreen& screen) {
    std::vector<Column> columns = columns_of(found);
    Lines table = table_of(columns);
    while (width_of(table) > screen.width && columns.size() > 2) {
        columns.erase(std::min_element(columns.begin(), columns.end(),
                                       [](const Column& a, const Column& b) { return a.needed < b.needed; }));
        table = table_of(columns);
    }
    if (screen.bars && !has_room_for_bars(table, screen.width)) {
        // Intervals stand in the sentences and in -v too.
        std::erase_if(columns, [](const Column& column) { return column.head == interval_head; });
        if (Lines narrower = table_of(columns); has_room_for_bars(narrower, screen.width)) { table = narrower; }
    }
    for (std::string& line : table) { line = shorten(line, screen.width); }
    add_bars(table, found, screen);
    if (screen.colour) { paint_verdicts(table, found); }
    return table;
}

// Around it ---------------------------------------------------------------------------------------------------

Lines title_lines(const SideBySide& found, const ComparisonScreen& screen) {
    const std::string title = printable(found.title.empty() ? found.file : found.title);
    const std::string seeds = found.seeds.first == found.seeds.last
                                  ? fmt::format("seed {}", found.seeds.first)
                                  : fmt::format("seeds {} to {}", found.seeds.first, found.seeds.last);
    const std::string facts = shorten(fmt::format("{}, {} simulated each, {}", seeds, friendly_time(found.simulated_ns),
                                                  host_time(found.host_seconds)),
                                      screen.width);
    if (display_width(title) + 2 + display_width(facts) <= screen.width) {
        return {title + pad_left(facts, screen.width - display_width(title))};
    }
    return {shorten(title, screen.width), pad_left(facts, screen.width)};
}

std::size_t lines_of(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Sentences under one label, as many as fit in so many lines.
void add_sentences(LabelledLines& lines, const std::string& label, const Lines& sentences, std::size_t most) {
    LabelledLines all(lines.width());
    for (const std::string& sentence : sentences) { all.add(all.size() == 0 ? label : "", sentence); }
    if (all.size() <= most) { return lines.append(all); }
    LabelledLines some(lines.width());
    std::size_t added = 0;
    for (const std::string& sentence : sentences) {
        LabelledLines longer = some;
        longer.add(longer.size() == 0 ? label : "", sentence);
        if (longer.size() + 1 > most) { break; }
        some = longer;
        ++added;
    }
    if (most > 0) {
        some.add(some.size() == 0 ? label : "", fmt::format("... and {} more (-v)", sentences.size() - added));
    }
    lines.append(some);
}

std::vector<std::string> more_seeds_command(const SideBySide& found, const Options& options) {
    Options more = options;
    more.seed.clear();
    const std::uint64_t seeds = found.seeds.last - found.seeds.first + 1;
    more.seeds = fmt::format("{}..{}", found.seeds.first, found.seeds.first + (seeds == 1 ? 5 : 4 * seeds) - 1);
    return repeat_command(more, {.file = found.file, .variant = "", .seed = {}, .phase = {}}, "compare");
}

bool wants_more_seeds(const SideBySide& found) {
    return std::any_of(found.rows.begin() + 1, found.rows.end(), [&found](const Row& row) {
        const Relation related = relation(row, found.reference(), found.main_measure());
        return related == Relation::not_shown || related == Relation::one_seed;
    });
}

}  // namespace

std::string side_by_side_screen(const SideBySide& found, const Options& options, const ComparisonScreen& screen) {
    Lines head = title_lines(found, screen);
    if (found.runs() == 0) { return head.front() + "\nstopped before the first run had finished\n"; }
    Lines table = table_lines(found, screen);

    LabelledLines end(screen.width);
    for (const std::string& caveat : caveats(found)) { end.add("note", caveat); }
    end.add("trust", found.machine);
    end.add("expect", "not judged (`run` does)");
    LabelledLines next(screen.width);
    if (found.runs() == found.planned && wants_more_seeds(found)) {
        next.add_command("next", more_seeds_command(found, options));
    }

    constexpr std::size_t fewest_sentences = 4;  // lines
    const std::size_t fixed = head.size() + end.size() + fewest_sentences;
    const std::size_t most_rows = most_lines - std::min(most_lines, fixed);
    if (table.size() > most_rows) {
        const std::size_t left_out = table.size() - most_rows + 1;
        table.resize(most_rows - 1);
        table.push_back(shorten(fmt::format("... and {} (-v)", counted(left_out, "more variant")), screen.width));
    }
    const std::size_t used = head.size() + table.size() + end.size();
    std::size_t room = most_lines - std::min(most_lines, used);
    LabelledLines middle(screen.width);
    add_sentences(middle, "verdict", verdict_sentences(found), std::min<std::size_t>(room / 2, 4));
    add_sentences(middle, "time", comparison_sentences(found), room - middle.size());
    middle.append(end);
    std::string text = join(head, "\n") + "\n" + join(table, "\n") + "\n" + middle.text();
    if (lines_of(text) + next.size() <= most_lines) { text += next.text(); }
    return text;
}

}  // namespace locksim
