// The first screen: at most 24 lines of 80 columns, the answer first. Everything on it is cut to fit; what is
// left out is in report_details.cpp.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tools/locksim/report.hpp"
#include "tools/locksim/stability.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t label_width = 7;  // "expect" and a space
constexpr std::size_t most_why_lines = 3;
constexpr std::size_t fewest_expect_lines = 3;
constexpr std::size_t most_variant_width = 16;

void append(Lines& to, const Lines& from) { to.insert(to.end(), from.begin(), from.end()); }

/// "why    text", wrapped and indented, cut after `most` lines.
Lines labelled(std::string_view label, std::string_view text, const Screen& screen, std::size_t most) {
    Lines lines = wrap(printable(text), screen.width - label_width);
    if (lines.size() > most) {
        lines.resize(most);
        lines.back() = shorten(lines.back() + " ..", screen.width - label_width);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i] = pad_right(i == 0 ? label : "", label_width) + lines[i];
    }
    return lines;
}

std::string paint(const std::string& text, bool good, const Screen& screen) {
    if (!screen.colour) { return text; }
    return fmt::format("\x1b[{}m{}\x1b[0m", good ? "32" : "1;31", text);
}

// Title
// ---------------------------------------------------------------------------------------------------------

/// "3" or "1 to 16", over what the runs had.
template <typename Number>
std::string from_to(Number first, Number last) {
    return first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
}

std::string phase_text(const std::vector<model::RunResult>& runs) {
    const auto [first, last] =
        std::minmax_element(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.phase < b.phase; });
    const std::int32_t needed = runs.front().phases;
    if (first->phase == last->phase && needed == 1 && first->phase == 1) { return ""; }
    return fmt::format("phase{} {} of {}, ", first->phase == last->phase ? "" : "s", from_to(first->phase, last->phase),
                       std::max(needed, last->phase));
}

std::string seed_text(const std::vector<model::RunResult>& runs) {
    const auto [first, last] =
        std::minmax_element(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.seed < b.seed; });
    return first->seed == last->seed ? "" : fmt::format("seeds {}, ", from_to(first->seed, last->seed));
}

std::string extent_text(const std::vector<model::RunResult>& runs) {
    double host_seconds = 0;
    double longest = 0;
    bool equal = true;
    for (const model::RunResult& run : runs) {
        host_seconds += run.host_seconds;
        longest = std::max(longest, run.simulated_ns);
        equal = equal && run.simulated_ns == runs.front().simulated_ns;
    }
    return fmt::format("{}{} simulated in {}", equal ? "" : "up to ", friendly_time(longest), host_time(host_seconds));
}

Lines title_lines(const std::vector<model::RunResult>& runs, const Screen& screen) {
    const model::RunResult& run = runs.front();
    const std::string title = printable(run.title.empty() ? run.file : run.title);
    const std::string facts = shorten(seed_text(runs) + phase_text(runs) + extent_text(runs), screen.width);
    if (display_width(title) + 2 + display_width(facts) <= screen.width) {
        return {title + pad_left(facts, screen.width - display_width(title))};
    }
    return {shorten(title, screen.width), pad_left(facts, screen.width)};
}

// The answer: a row per variant
// ---------------------------------------------------------------------------------

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

/// One way to lay the table out; several are tried until one fits.
struct Layout {
    std::vector<std::string> groups;
    bool compact = false;      ///< "1.79M" below the groups' names, instead of "1 790 112" beside them
    bool llsc = false;         ///< with store-exclusives that succeeded and failed
    std::size_t left_out = 0;  ///< groups for which there is no room
};

class AnswerTable {
public:
    AnswerTable(const std::vector<VariantSummary>& summaries, Layout layout)
        : summaries_(summaries), layout_(std::move(layout)), table_(columns()) {
        many_runs_ = std::any_of(summaries.begin(), summaries.end(), [](const auto& s) { return s.runs > 1; });
        table_.add(header());
        for (const VariantSummary& summary : summaries) { table_.add(row(summary)); }
    }

    bool fits(const Screen& screen) const {
        const Lines all = lines();
        return std::all_of(all.begin(), all.end(),
                           [&screen](const auto& line) { return display_width(line) <= screen.width; });
    }
    std::size_t header_lines() const { return layout_.compact ? 2 : 1; }
    std::size_t groups_left_out() const { return layout_.left_out; }
    /// The headers, then one line per variant.
    Lines lines() const {
        Lines lines = table_.lines();
        if (layout_.compact) { lines.insert(lines.begin(), group_header()); }
        return lines;
    }

private:
    std::size_t leading_columns() const { return summaries_.size() > 1 ? 2 : 1; }

    std::vector<TextTable::Align> columns() const {
        std::vector<TextTable::Align> columns(leading_columns(), TextTable::Align::left);
        const std::size_t per_group = layout_.compact ? 1 : layout_.llsc ? 3 : 2;
        columns.resize(columns.size() + per_group * layout_.groups.size(), TextTable::Align::right);
        return columns;
    }

    std::string compact_cell(const std::string& count, const std::string& longest, const std::string& llsc) const {
        const std::string cell = pad_left(count, 5) + " " + pad_left(longest, 6);
        return layout_.llsc ? cell + " " + pad_left(llsc, 11) : cell;
    }
    /// "128/394k"
    static std::string llsc_cell(const GroupSummary& group) {
        if (group.sc_success + group.sc_fail == 0) { return "-"; }
        return compact_count(group.sc_success) + "/" + compact_count(group.sc_fail);
    }

    Lines header() const {
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

    Lines row(const VariantSummary& summary) const {
        Lines cells;
        if (leading_columns() == 2) { cells.push_back(shorten(printable(summary.variant), most_variant_width)); }
        cells.push_back(verdict_cell(summary));
        for (const std::string& name : layout_.groups) {
            const auto group = std::find_if(summary.groups.begin(), summary.groups.end(),
                                            [&name](const auto& known) { return known.name == name; });
            const bool known = group != summary.groups.end();
            if (layout_.compact) {
                cells.push_back(known ? compact_cell(compact_count(group->count), tight_time(group->longest_wait_ns),
                                                     llsc_cell(*group))
                                      : compact_cell("-", "-", "-"));
            } else {
                cells.push_back(known ? group_digits(static_cast<std::uint64_t>(group->count + 0.5)) : "-");
                cells.push_back(known ? friendly_time(group->longest_wait_ns) : "-");
                if (layout_.llsc) { cells.push_back(known ? llsc_cell(*group) : "-"); }
            }
        }
        return cells;
    }

    /// The groups' names, each above the end of its column.
    std::string group_header() const {
        const std::vector<std::size_t> widths = table_.widths();
        std::string line;
        std::size_t end = 0;
        for (std::size_t column = 0; column < widths.size(); ++column) {
            end += widths[column];
            if (column >= leading_columns()) {
                const std::string name = shorten(printable(layout_.groups[column - leading_columns()]), widths[column]);
                line = pad_right(line, end - display_width(name)) + name;
            }
            end += 2;
        }
        return line;
    }

    const std::vector<VariantSummary>& summaries_;
    Layout layout_;
    bool many_runs_ = false;
    TextTable table_;
};

bool anyone_tried_llsc(const std::vector<VariantSummary>& summaries) {
    return std::any_of(summaries.begin(), summaries.end(), [](const VariantSummary& summary) {
        return std::any_of(summary.groups.begin(), summary.groups.end(),
                           [](const GroupSummary& group) { return group.sc_success + group.sc_fail > 0; });
    });
}

/// Full numbers if they fit, else short ones, else without store-exclusives, else only the groups that waited longest.
AnswerTable best_table(const std::vector<VariantSummary>& summaries, const Screen& screen) {
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

Lines answer_lines(const std::vector<VariantSummary>& summaries, const AnswerTable& table, const Screen& screen,
                   std::size_t most) {
    const Lines all = table.lines();
    const std::size_t headers = table.header_lines();
    const std::size_t footers = table.groups_left_out() > 0 ? 1 : 0;
    // The line about those left out takes the room of one: a single variant is never left out, nor the worst of many.
    const bool all_fit = summaries.size() == 1 || all.size() + footers <= most;
    const std::size_t rows = most - std::min(most, headers + footers + 1);
    const std::vector<bool> stays =
        worst_variants(summaries, all_fit ? summaries.size() : std::max<std::size_t>(rows, 1));
    Lines lines(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(headers));
    for (std::size_t i = 0; i < summaries.size(); ++i) {
        if (!stays[i]) { continue; }
        lines.push_back(paint_verdict(shorten(all[headers + i], screen.width), summaries[i], screen));
    }
    if (!all_fit) { lines.push_back(left_out_line(summaries, stays, screen)); }
    if (footers > 0) {
        lines.push_back(fmt::format("... and {}, waiting less (-v)", counted(table.groups_left_out(), "more group")));
    }
    return lines;
}

// Why, and how far to trust it
// ------------------------------------------------------------------------------------

/// "lse, phase 3: ", as far as it tells this run from the others.
std::string which_run(const model::RunResult& run, const std::vector<model::RunResult>& runs) {
    const auto differs = [&](auto member) {
        return std::any_of(runs.begin(), runs.end(),
                           [&](const model::RunResult& other) { return other.*member != run.*member; });
    };
    Lines parts;
    if (differs(&model::RunResult::variant)) { parts.push_back(run.variant); }
    if (differs(&model::RunResult::seed)) { parts.push_back(fmt::format("seed {}", run.seed)); }
    if (differs(&model::RunResult::phase)) { parts.push_back(fmt::format("phase {}", run.phase)); }
    return parts.empty() ? "" : join(parts, ", ") + ": ";
}

/// What the verdict rests on: "bounded by B = 1 ms, made by the lock; survives noise: not tested".
std::string basis_text(const model::Verdict& verdict) {
    std::string text = verdict.basis;
    if (verdict.bound_ns > 0) { text += fmt::format(" by B = {}", friendly_time(verdict.bound_ns)); }
    if (verdict.window_ns > 0) { text += fmt::format(" by W = {}", friendly_time(verdict.window_ns)); }
    if (!verdict.made_by.empty()) { text += ", made by the " + verdict.made_by; }
    return verdict.survives ? text : text + "; survives noise: not tested";
}

Lines why_lines(const FileReport& report, const Screen& screen) {
    const std::vector<model::RunResult>& runs = report.runs;
    const model::RunResult& run = worst_run(runs);
    const model::Verdict& verdict = run.verdict();
    Lines lines;
    std::string text = report.why.empty() ? verdict.text : report.why;
    if (report.why.empty() && !verdict.where.empty()) { text += fmt::format(" ({})", verdict.where); }
    if (!text.empty()) { lines = labelled("why", which_run(run, runs) + text, screen, most_why_lines); }
    if (verdict.kind != model::VerdictKind::ok) { append(lines, labelled("basis", basis_text(verdict), screen, 2)); }
    return lines;
}

std::string memory_order_text(const std::string& order) {
    return order == "sc" ? "sequentially consistent" : upper_case(order) + " memory order";
}

std::string share_text(model::Share share) { return fmt::format("{:.4g} %", static_cast<double>(share.ppm) / 1e4); }

std::string noise_text(const std::vector<model::Scenario>& scenarios) {
    if (scenarios.empty()) { return ""; }
    const model::NoiseConfig& noise = scenarios.front().noise;
    if (noise.work.ppm == 0 && noise.latency.ppm == 0) { return "; no noise"; }
    return fmt::format("; noise {} of work, {} of latency", share_text(noise.work), share_text(noise.latency));
}

Lines trust_lines(const FileReport& report, const Screen& screen) {
    const model::RunResult& run = report.runs.front();
    const bool other_machines = std::any_of(report.runs.begin(), report.runs.end(), [&run](const auto& other) {
        return other.machine_preset != run.machine_preset;
    });
    const std::string text =
        fmt::format("machine {}{}: {} of {} numbers estimated; not validated; {}{}", run.machine_preset,
                    other_machines ? " (others in other variants)" : "", run.machine_estimated_numbers,
                    run.machine_numbers, memory_order_text(run.memory_order), noise_text(report.scenarios));
    return labelled("trust", text, screen, 2);
}

// What was expected, and what to do next
// --------------------------------------------------------------------------

std::string expect_summary(const FileReport& report) {
    const ExpectCounts counts = count(report.expectations);
    if (counts.total() == 0) { return "the file states none: any verdict but ok counts as failed"; }
    std::string text = fmt::format("{} of {} held", counts.held, counts.total());
    if (counts.failed > 0) { text += fmt::format(", {} FAILED", counts.failed); }
    if (counts.not_judged == 0) { return text; }
    text += fmt::format(", {} not judged", counts.not_judged);
    for (const auto& expectation : report.expectations) {
        if (!expectation.holds && !expectation.not_judged_because.empty()) {
            return text + fmt::format(" ({})", expectation.not_judged_because);
        }
    }
    return text;
}

/// One line for each expectation that failed or is only hoped for.
Lines expect_detail_lines(const FileReport& report, const Screen& screen) {
    Lines failed;
    Lines hoped;
    const auto line = [&screen](const std::string& mark, const std::string& text) {
        return std::string(label_width, ' ') + mark + shorten(text, screen.width - label_width - display_width(mark));
    };
    for (const auto& expectation : report.expectations) {
        const std::string text = describe(expectation);
        if (expectation.hoped) {
            const char* mark = !expectation.holds   ? "hoped, not judged: "
                               : *expectation.holds ? "hoped, holds: "
                                                    : "hoped, does not hold: ";
            hoped.push_back(line(mark, text));
        } else if (expectation.holds == false) {
            failed.push_back(line("FAILED ", text));
        }
    }
    append(failed, hoped);
    return failed;
}

Lines expect_lines(const FileReport& report, const Screen& screen, std::size_t most) {
    const bool failed = count(report.expectations).failed > 0;
    Lines lines = labelled("expect", expect_summary(report), screen, 1);
    if (failed) { lines.front() = paint(lines.front(), false, screen); }
    Lines rest = expect_detail_lines(report, screen);
    const std::size_t room = most > 1 ? most - 1 : 0;
    if (rest.size() > room) {
        const std::size_t left_out = rest.size() - room + 1;
        rest.resize(room);
        if (room > 0) {
            rest.back() = fmt::format("{}... and {} more (all with -v)", std::string(label_width, ' '), left_out);
        }
    }
    append(lines, rest);
    return lines;
}

/// A command behind a label. Commands are never cut: they go on in the next line, as a shell reads them.
Lines command_lines(std::string_view label, const Lines& words, const Screen& screen) {
    Lines lines = wrap_command(words, screen.width - label_width);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i] = pad_right(i == 0 ? label : "", label_width) + lines[i];
    }
    return lines;
}

Lines repeat_lines(const FileReport& report, const Options& options, const Screen& screen) {
    if (as_expected(report, options.judge_all)) { return {}; }
    return command_lines("repeat", repeat_command(options, run_to_repeat(report)), screen);
}

/// At most two commands that tell more, the most telling first.
Lines next_lines(const FileReport& report, const Options& options, const Screen& screen) {
    const model::RunResult& run = worst_run(report.runs);
    const RunName name{.file = run.file, .variant = "", .seed = {}, .phase = {}};
    std::vector<Lines> commands;
    const bool more_phases = std::all_of(report.runs.begin(), report.runs.end(),
                                         [](const auto& other) { return other.phase < other.phases; });
    if (more_phases) {
        Options all = options;
        all.phase.clear();
        all.phases = std::to_string(run.phases);
        commands.push_back(repeat_command(all, name));
    }
    if (run.verdict().kind != model::VerdictKind::ok && options.timeline.empty()) {
        commands.push_back(repeat_command(options, name));
        commands.back().emplace_back("--timeline");
    }
    if (!options.verbose) {
        commands.push_back(repeat_command(options, name));
        commands.back().emplace_back("-v");
    }
    if (!run.locks.empty()) {
        commands.push_back({shell_quote(options.program), "describe", shell_quote(run.locks.front().type)});
    }
    Lines lines;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, commands.size()); ++i) {
        append(lines, command_lines(i == 0 ? "next" : "", commands[i], screen));
    }
    return lines;
}

Lines digest_lines(const std::vector<model::RunResult>& runs, const Screen& screen) {
    std::string text = hex_digest(combined_digest(runs));
    if (runs.size() > 1) { text += fmt::format(" (of {} runs)", runs.size()); }
    return labelled("digest", text, screen, 1);
}

std::string nothing_ran(const FileReport& report, const Screen& screen) {
    const std::string title = report.scenarios.empty() ? "" : printable(report.scenarios.front().title);
    return shorten(fmt::format("{}: stopped before the first run had finished", title), screen.width) + "\n";
}

Lines stopped_lines(const FileReport& report, const Screen& screen) {
    if (report.runs.size() >= report.planned_runs) { return {}; }
    return labelled("note",
                    fmt::format("stopped early: {} of {} runs finished", report.runs.size(), report.planned_runs),
                    screen, 1);
}

}  // namespace

std::string first_screen(const FileReport& report, const Options& options, const Screen& screen) {
    if (report.runs.empty()) { return nothing_ran(report, screen); }
    const std::vector<VariantSummary> summaries = summarise(report.runs);
    const AnswerTable table = best_table(summaries, screen);

    const Lines title = title_lines(report.runs, screen);
    Lines middle = why_lines(report, screen);
    append(middle, labelled("stable", stability_summary(report.runs), screen, 3));
    append(middle, stopped_lines(report, screen));
    append(middle, trust_lines(report, screen));
    const Lines digest = digest_lines(report.runs, screen);
    const std::size_t expect_needs = 1 + expect_detail_lines(report, screen).size();
    const std::size_t expect_least = std::min(expect_needs, fewest_expect_lines);
    const std::size_t answer_least = table.header_lines() + 2;

    // Long commands to paste go first where there is no room: what was repeated stands on stderr too.
    Lines end = repeat_lines(report, options, screen);
    const Lines next = next_lines(report, options, screen);
    const std::size_t fixed = title.size() + middle.size() + digest.size() + expect_least + answer_least;
    if (fixed + end.size() > screen.lines) { end.clear(); }
    if (fixed + end.size() + next.size() <= screen.lines) { append(end, next); }
    append(end, digest);

    // The answer and the expectations share what room the rest leaves.
    const std::size_t used = title.size() + middle.size() + end.size();
    const std::size_t room = screen.lines > used ? screen.lines - used : 0;
    Lines lines = title;
    const Lines answer = answer_lines(summaries, table, screen, room > expect_least ? room - expect_least : 0);
    append(lines, answer);
    append(lines, middle);
    append(lines, expect_lines(report, screen, room > answer.size() ? room - answer.size() : 1));
    append(lines, end);
    return join(lines, "\n") + "\n";
}

}  // namespace locksim
