#pragma once
// [lesson]: what a class does with a scenario. Its texts may hold, in braces,
//
//   {p50(wait(lock))}          a figure of the run: one side of a comparison of [expect], measures of "base" where no
//                              variant stands before them; in `explain` only, the others are shown before the run
//   {machine.tick.period}      a value of the configuration as print-config writes it, of "base" or, behind its name,
//   of
//                              another variant ({slow.machine.tick.period}); filled in when the file loads
//   {run}                      the command that runs the scenario
//   {{ and }}                  a brace

#include <string>
#include <vector>

#include "model/scenario/judging/comparison.hpp"
#include "model/scenario/reading/node.hpp"
#include "model/scenario/scenario.hpp"

namespace model {

struct LessonPiece {
    enum class Kind { text, figure, path, command };
    Kind kind = Kind::text;
    std::string text;  ///< with braces as they are read; of the others: what stands between the braces
    Term figure;
};

/// Throws ConfigError at the place of what is wrong; the names of threads, locks, variants and keys are not looked at.
/// `text` is one value of the file at its position.
std::vector<LessonPiece> lesson_pieces(const ExpectationText& text);

/// Text as it would be written: braces doubled.
std::string lesson_text(const LessonPiece& piece);

/// Reads and checks the table. `scenarios`: all variants; `printed`: each of them as print_config writes it, as a tree.
/// `overridden`: by --set, which may have taken away what a path names (another machine has other clusters); the text
/// then says so. Throws ConfigError.
LessonConfig read_lesson(const Node& table, const std::vector<Node>& printed, const std::vector<Scenario>& scenarios,
                         bool overridden);

/// For a file in which `variant` is the base and the only one: figures of other variants are named instead of asked
/// for.
LessonConfig lesson_of_one_variant(const LessonConfig& lesson, const std::string& variant);

}  // namespace model
