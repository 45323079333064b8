#include "tools/locksim/lesson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "model/scenario/lesson.hpp"
#include "tools/locksim/exit_status.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

using model::Figure;
using model::LessonPiece;

constexpr std::size_t verbatim_indent = 4;

/// Three digits, or all of a large whole number: "0.0166", "2.49", "394 120".
std::string three_digits(double value) {
    if (value < 0) { return "-" + three_digits(-value); }
    if (value == 0 || value >= 1 || !std::isfinite(value)) {
        const double rounded = value < 9.995   ? std::round(value * 100) / 100
                               : value < 99.95 ? std::round(value * 10) / 10
                                               : std::round(value);
        return plain_number(rounded);
    }
    const int decimals = std::min(2 - static_cast<int>(std::floor(std::log10(value))), 9);
    std::string digits = fmt::format("{:.{}f}", value, decimals);
    digits.erase(digits.find_last_not_of('0') + 1);
    return digits.back() == '.' ? digits.substr(0, digits.size() - 1) : digits;
}

std::string figure_text(const Figure& figure) {
    if (!figure.missing_variant.empty()) { return fmt::format("[variant {} did not run]", figure.missing_variant); }
    if (!figure.value) { return "[no samples]"; }
    switch (figure.kind) {
        case Figure::Kind::time: return friendly_time(*figure.value);
        case Figure::Kind::share: return three_digits(*figure.value * 100) + " %";
        case Figure::Kind::rate: return three_digits(*figure.value) + " a second";
        case Figure::Kind::number: break;
    }
    return three_digits(*figure.value);
}

/// The first seed and phase that ran, of each variant.
model::RunOfVariant first_runs(const std::vector<model::RunResult>& runs) {
    return [&runs](const std::string& variant) -> const model::RunResult* {
        const std::string& wanted = variant.empty() ? "base" : variant;
        const auto found = std::find_if(runs.begin(), runs.end(), [&](const auto& run) {
            return run.variant == wanted && run.seed == runs.front().seed && run.phase == runs.front().phase;
        });
        return found == runs.end() ? nullptr : &*found;
    };
}

/// At spaces, but not inside '...' or "...", and not between --set and its value.
std::vector<std::string> shell_words(const std::string& line) {
    std::vector<std::string> words(1);
    char quote = 0;
    for (const char c : line) {
        if (quote == 0 && c == ' ' && words.back() != "--set") {
            if (!words.back().empty()) { words.emplace_back(); }
            continue;
        }
        if (quote == c) {
            quote = 0;
        } else if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
        }
        words.back() += c;
    }
    if (words.back().empty()) { words.pop_back(); }
    return words;
}

/// A command that is too wide goes on in the next line, as a shell reads it.
std::string verbatim(const std::string& line, std::size_t width) {
    if (display_width(line) <= width) { return line + "\n"; }
    const std::string indent(verbatim_indent, ' ');
    std::string text;
    for (const std::string& part : wrap_command(shell_words(line), width - verbatim_indent)) {
        text += indent + part + "\n";
    }
    return text;
}

std::string wrapped(const std::string& text, const std::string& first, const std::string& others, std::size_t width) {
    std::string result;
    for (const std::string& line : wrap(printable(text), width - first.size())) {
        result += (result.empty() ? first : others) + line + "\n";
    }
    return result;
}

}  // namespace

void check_lesson(const model::Scenario& scenario, const Options& options) {
    if (!options.lesson) { return; }
    if (options.format != Format::table) {
        throw InputError("--lesson: prints a text for people; expected no --format, or --format table");
    }
    if (scenario.lesson) { return; }
    throw InputError(
        fmt::format("--lesson: {} has no [lesson]; `{} list lessons` shows those that have, "
                    "`{} help scenario` how to write one",
                    scenario.file, options.program, options.program));
}

std::string laid_out(const std::string& text, std::size_t width) {
    std::istringstream lines(text);
    std::string result, block;
    const auto end_block = [&] {
        const bool is_item = block.starts_with("- ");
        if (!block.empty()) {
            result += wrapped(is_item ? block.substr(2) : block, is_item ? "- " : "", is_item ? "  " : "", width);
        }
        block.clear();
    };
    for (std::string line; std::getline(lines, line);) {
        const bool is_empty = line.find_first_not_of(' ') == std::string::npos;
        const bool is_verbatim = !is_empty && line.starts_with(std::string(verbatim_indent, ' '));
        if (is_empty || is_verbatim || line.starts_with("- ")) { end_block(); }
        if (is_empty) {
            if (!result.empty()) { result += "\n"; }
        } else if (is_verbatim) {
            result += verbatim(line, width);
        } else {
            block += (block.empty() ? "" : " ") + line;
        }
    }
    end_block();
    while (result.ends_with("\n\n")) { result.pop_back(); }
    return result;
}

std::string lesson_question(const model::Scenario& scenario, std::size_t width) {
    const model::LessonConfig& lesson = *scenario.lesson;
    const auto plain = [](const std::string& text) {
        std::string result;
        for (const LessonPiece& piece : model::lesson_pieces({text, {}})) { result += piece.text; }
        return result;
    };
    std::string text = wrapped("Lesson: " + scenario.title, "", "        ", width);
    text += "\n" + wrapped("Goal: " + plain(lesson.goal), "", "      ", width);
    text += "\n" + laid_out(plain(lesson.predict), width);
    for (std::size_t i = 0; i < lesson.answers.size(); ++i) {
        const std::string letter(1, static_cast<char>('a' + i));
        text += wrapped(plain(lesson.answers[i]), "  " + letter + ") ", "     ", width);
    }
    return text + "\n";
}

std::string chosen_answer(const model::LessonConfig& lesson, const std::string& typed) {
    const bool is_letter = typed.size() == 1 || (typed.size() == 2 && (typed[1] == ')' || typed[1] == '.'));
    if (!is_letter) { return typed; }
    const char letter = static_cast<char>(typed[0] | 0x20);  // small
    const auto index = static_cast<std::size_t>(letter - 'a');
    if (letter < 'a' || index >= lesson.answers.size()) { return typed; }
    std::string answer(1, letter);
    answer += ") ";
    for (const LessonPiece& piece : model::lesson_pieces({lesson.answers[index], {}})) { answer += piece.text; }
    return answer;
}

std::string filled_explanation(const model::LessonConfig& lesson, const std::vector<model::RunResult>& runs,
                               const std::string& command) {
    std::string text;
    for (const LessonPiece& piece : model::lesson_pieces({lesson.explain, lesson.position})) {
        switch (piece.kind) {
            case LessonPiece::Kind::figure: text += figure_text(evaluate(piece.figure, first_runs(runs))); break;
            case LessonPiece::Kind::command: text += command; break;
            case LessonPiece::Kind::path: text += "{" + piece.text + "}"; break;  // the loader has filled them in
            case LessonPiece::Kind::text: text += piece.text; break;
        }
    }
    return text;
}

std::string lesson_explanation(const FileReport& report, const std::string& answer, const Options& options,
                               std::size_t width) {
    const model::Scenario& scenario = report.scenarios.front();
    const std::string command = fmt::format("{} run {}", shell_quote(options.program), shell_quote(scenario.file));
    std::string text = "\n";
    if (!answer.empty()) { text += wrapped("Your prediction: " + answer, "", "  ", width) + "\n"; }
    text += laid_out(filled_explanation(*scenario.lesson, report.runs, command), width);
    const model::RunResult& run = report.runs.front();
    const bool several = std::any_of(report.runs.begin(), report.runs.end(), [&run](const auto& other) {
        return other.seed != run.seed || other.phase != run.phase;
    });
    if (several) { text += fmt::format("\n(Figures of seed {}, start phase {}.)\n", run.seed, run.phase); }
    return text;
}

}  // namespace locksim
