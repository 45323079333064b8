#include "model/scenario/lesson.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "model/scenario/judging/expect.hpp"
#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/reading/overlay.hpp"
#include "model/scenario/reading/table_reader.hpp"

namespace model {
namespace {

using Kind = LessonPiece::Kind;

/// The line of a text over several lines on which `what` stands: the first from the value's own on that has it.
SourcePosition place_of(const std::string& what, const SourcePosition& value) {
    std::error_code error;  // a pipe has been read already
    if (!std::filesystem::is_regular_file(value.file, error)) { return value; }
    std::ifstream file(value.file);
    const std::string first_line = what.substr(0, what.find('\n'));
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (number >= value.line && line.find(first_line) != std::string::npos) { return {value.file, number}; }
    }
    return value;
}

/// "10 ms" of "10ms": as the reports print it.
std::string with_space(const std::string& value) {
    const auto unit = value.find_first_not_of("0123456789.");
    if (unit == std::string::npos || unit == 0) { return value; }
    const bool is_quantity = std::all_of(value.begin() + static_cast<std::ptrdiff_t>(unit), value.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%';
    });
    return is_quantity ? value.substr(0, unit) + " " + value.substr(unit) : value;
}

std::string braces_doubled(const std::string& text) {
    std::string result;
    for (const char c : text) {
        result += c;
        if (c == '{' || c == '}') { result += c; }
    }
    return result;
}

class PieceReader {
public:
    explicit PieceReader(const ExpectationText& source) : source_(source), rest_(source.text) {}

    std::vector<LessonPiece> pieces() {
        while (!rest_.empty()) {
            if (rest_.starts_with("{{") || rest_.starts_with("}}")) {
                plain_ += rest_.front();
                rest_.remove_prefix(2);
            } else if (rest_.front() == '{') {
                braced();
            } else {
                plain_ += rest_.front();
                rest_.remove_prefix(1);
            }
        }
        end_plain();
        return std::move(pieces_);
    }

private:
    void end_plain() {
        if (!plain_.empty()) { pieces_.push_back({.kind = Kind::text, .text = std::move(plain_), .figure = {}}); }
        plain_.clear();
    }

    void braced() {
        end_plain();
        const auto end = rest_.find('}');
        const std::string inside(rest_.substr(1, end == std::string_view::npos ? end : end - 1));
        const SourcePosition where = place_of("{" + inside, source_.position);
        if (end == std::string_view::npos || inside.find('{') != std::string::npos) {
            const std::string shown = inside.substr(0, std::min<std::size_t>(inside.find('\n'), 40));
            throw ConfigError(where, fmt::format("\"{{{}\": expected }} (a brace itself is written twice)", shown));
        }
        rest_.remove_prefix(end + 1);
        LessonPiece piece{.kind = Kind::path, .text = inside, .figure = {}};
        std::replace(piece.text.begin(), piece.text.end(), '\n', ' ');
        if (inside == "run") { piece.kind = Kind::command; }
        if (inside.find('(') != std::string::npos) {
            piece.kind = Kind::figure;
            piece.figure = parse_term({piece.text, where});
            if (std::abs(piece.figure.dimension) > 1) {
                throw ConfigError(where, fmt::format("\"{}\": expected a time, a number or a rate", piece.text));
            }
        }
        pieces_.push_back(std::move(piece));
    }

    const ExpectationText& source_;
    std::string_view rest_;
    std::string plain_;
    std::vector<LessonPiece> pieces_;
};

/// Takes the name of a variant off the beginning of a path, and returns that variant's tree; else that of "base".
const Node& tree_of(std::vector<std::string>& parts, const std::vector<Node>& printed,
                    const std::vector<Scenario>& scenarios) {
    for (std::size_t i = 0; i < scenarios.size() && parts.size() > 1; ++i) {
        if (scenarios[i].variant != parts.front()) { continue; }
        parts.erase(parts.begin());
        return printed[i];
    }
    return printed.front();
}

std::string value_of_path(const std::string& path, const SourcePosition& where, const std::vector<Node>& printed,
                          const std::vector<Scenario>& scenarios, bool overridden) {
    auto parts = split_path(path);
    std::vector<std::string> known;
    const Node& tree = tree_of(parts, printed, scenarios);
    const Node* value = value_at(tree, parts, known);
    if (value == nullptr && overridden) { return fmt::format("[no {}]", path); }
    if (value == nullptr) {
        throw ConfigError(where, fmt::format("\"{{{}}}\": the scenario has no such key{}; a measure has parentheses",
                                             path, suggestion(parts.back(), known)));
    }
    if (value->is_table() || value->get_if<Node::Array>() != nullptr) {
        throw ConfigError(where, fmt::format("\"{{{}}}\": expected a key with one value", path));
    }
    const auto* text = value->get_if<std::string>();
    return with_space(text != nullptr ? *text : value->text());
}

/// Fills in the paths and checks the figures.
void resolve(std::string& text, const SourcePosition& where, bool before_run, const std::vector<Node>& printed,
             const std::vector<Scenario>& scenarios, bool overridden) {
    std::string result;
    for (const auto& piece : lesson_pieces({text, where})) {
        const SourcePosition place = place_of("{" + piece.text, where);
        if (piece.kind == Kind::path) {
            result += braces_doubled(value_of_path(piece.text, place, printed, scenarios, overridden));
            continue;
        }
        if (piece.kind == Kind::figure) {
            check_measures(measures_in(piece.figure), {piece.text, place}, "base", scenarios);
        }
        if (before_run && piece.kind != Kind::text) {
            throw ConfigError(
                place,
                fmt::format("\"{{{}}}\": expected in lesson.explain only, which is shown after the run", piece.text));
        }
        result += lesson_text(piece);
    }
    text = std::move(result);
}

}  // namespace

std::vector<LessonPiece> lesson_pieces(const ExpectationText& text) { return PieceReader(text).pieces(); }

std::string lesson_text(const LessonPiece& piece) {
    return piece.kind == Kind::text ? braces_doubled(piece.text) : "{" + piece.text + "}";
}

LessonConfig read_lesson(const Node& table, const std::vector<Node>& printed, const std::vector<Scenario>& scenarios,
                         bool overridden) {
    LessonConfig lesson;
    read_table(table, "lesson", lesson);
    lesson.position = table.position;
    const auto value_position = [&table](std::string_view key) { return table.find(key)->position; };
    resolve(lesson.goal, value_position("goal"), true, printed, scenarios, overridden);
    resolve(lesson.predict, value_position("predict"), true, printed, scenarios, overridden);
    for (auto& answer : lesson.answers) {
        resolve(answer, value_position("answers"), true, printed, scenarios, overridden);
    }
    resolve(lesson.explain, value_position("explain"), false, printed, scenarios, overridden);
    constexpr std::size_t letters = 26;
    if (lesson.answers.size() == 1 || lesson.answers.size() > letters) {
        reject(*table.find("answers"), "lesson.answers", "2 to 26 answers to choose from, or none");
    }
    return lesson;
}

LessonConfig lesson_of_one_variant(const LessonConfig& lesson, const std::string& variant) {
    LessonConfig own = lesson;
    own.explain.clear();
    for (const auto& piece : lesson_pieces({lesson.explain, lesson.position})) {
        const auto calls = measures_in(piece.figure);
        const bool is_own = std::all_of(calls.begin(), calls.end(), [&](const MeasureCall& call) {
            return variant == "base" && (call.variant.empty() || call.variant == "base");
        });
        own.explain += piece.kind != Kind::figure || is_own ? lesson_text(piece) : "(" + piece.text + ")";
    }
    return own;
}

}  // namespace model
