// The first screen: at most 24 lines of 80 columns, the answer first. Everything on it is cut to fit; what is
// left out is in report_details.cpp.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tools/locksim/answer_table.hpp"
#include "tools/locksim/report.hpp"
#include "tools/locksim/stability.hpp"
#include "tools/locksim/text.hpp"
#include "tools/locksim/validating/trust.hpp"

namespace locksim {

namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t label_width = 7;  // "expect" and a space
constexpr std::size_t most_why_lines = 3;
constexpr std::size_t fewest_expect_lines = 3;

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
    const model::Scenario* scenario = scenario_of(report, run);
    const Trust trust = scenario != nullptr ? trust_of(*scenario) : Trust{};
    const std::string validated = trust_text(trust);
    const std::string text =
        fmt::format("{}; {}{}", machine_text(run, validated, other_machines ? " (others in other variants)" : ""),
                    memory_order_text(run.memory_order), noise_text(report.scenarios));
    return labelled("trust", text, screen, trust.record ? 3 : 2);
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
    const AnswerTable table = AnswerTable::that_fits(summaries, screen);

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
    const Lines answer = table.lines(screen, room > expect_least ? room - expect_least : 0);
    append(lines, answer);
    append(lines, middle);
    append(lines, expect_lines(report, screen, room > answer.size() ? room - answer.size() : 1));
    append(lines, end);
    return join(lines, "\n") + "\n";
}

}  // namespace locksim
