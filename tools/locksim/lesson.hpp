#pragma once
// `run --lesson`: the question before the run, and the explanation after it, with figures of the run.

#include <string>
#include <vector>

#include "model/scenario/scenario.hpp"
#include "tools/locksim/options.hpp"
#include "tools/locksim/report.hpp"

namespace locksim {

/// Throws InputError where a lesson was asked for and the scenario has none, or where what is printed is no text for
/// people.
void check_lesson(const model::Scenario& scenario, const Options& options);

/// Title, goal, question and the answers to choose from.
std::string lesson_question(const model::Scenario& scenario, std::size_t width);

/// The learner's answer as it is repeated: "b) twice as long" for "b", else what was typed.
std::string chosen_answer(const model::LessonConfig& lesson, const std::string& typed);

/// The answer, where there is one, and the explanation. Figures are those of the first seed and start phase that ran.
std::string lesson_explanation(const FileReport& report, const std::string& answer, const Options& options,
                               std::size_t width);

/// Paragraphs wrapped, items ("- ") indented, lines that begin with four spaces as they are.
std::string laid_out(const std::string& text, std::size_t width);

/// What `explain` says with the figures of these runs, not laid out. `command`: what stands for {run}.
std::string filled_explanation(const model::LessonConfig& lesson, const std::vector<model::RunResult>& runs,
                               const std::string& command);

/// Waits for a line on stdin where that is a terminal; else, and at the end of input: empty.
struct Answer {
    std::string text;
    bool interrupted = false;
};
Answer read_answer();

}  // namespace locksim
