// Every lesson of configs/lessons: what it states holds, its figures are those of its runs, its commands work.

#include <ctime>
#include <filesystem>
#include <sstream>

#include "model/scenario/judging/expect.hpp"
#include "model/scenario/reading/loader.hpp"
#include "model/scenario/running/runner.hpp"
#include "tests/catch.hpp"
#include "tests/tools/report_fixture.hpp"
#include "tests/tools/temporary_folder.hpp"
#include "tools/locksim/lesson.hpp"
#include "tools/locksim/user_locks.hpp"

using namespace locksim_test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string configs = std::string(LOCKSIM_SOURCE_DIR) + "/configs";

std::vector<std::string> lesson_files() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(configs + "/lessons")) {
        if (entry.path().extension() == ".toml") { files.push_back(entry.path().string()); }
    }
    std::sort(files.begin(), files.end());
    return files;
}

locksim::FileReport run_lesson(const std::string& file, std::int32_t phases) {
    const model::Catalogue catalogue = locksim::load_catalogue("");
    model::LoadOptions load;
    load.configs_dir = configs;
    locksim::FileReport report;
    report.scenarios = model::load_scenario(file, catalogue, load);
    for (const model::Scenario& scenario : report.scenarios) {
        for (std::int32_t phase = 1; phase <= phases; ++phase) {
            model::RunOptions options;
            options.phase = phase;
            report.runs.push_back(*model::run(scenario, catalogue, options));
        }
    }
    report.expectations = model::judge(report.scenarios, report.runs);
    return report;
}

void check_expectations(const locksim::FileReport& report) {
    CHECK_FALSE(report.expectations.empty());
    for (const model::JudgedExpectation& expectation : report.expectations) {
        INFO(locksim::describe(expectation) << " " << expectation.not_judged_because);
        CHECK(expectation.holds == true);
    }
}

/// A part of the file without what is in braces and without commands.
std::string prose_of(const std::string& file, const std::string& from, const std::string& to) {
    const std::string text = content(file);
    const std::size_t begin = text.find(from);
    REQUIRE(begin != std::string::npos);
    const std::size_t end = text.find(to, begin + from.size());
    REQUIRE(end != std::string::npos);
    std::istringstream lines(text.substr(begin, end - begin));
    std::string prose;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("    {run}")) { prose += line + "\n"; }
    }
    for (std::size_t open = 0; (open = prose.find('{')) != std::string::npos;) {
        prose.erase(open, prose.find('}', open) - open + 1);
    }
    return prose;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Numbers in a text but for years; digits inside a name are none.
std::vector<std::string> numerals_in(const std::string& text) {
    std::vector<std::string> found;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!is_digit(text[at])) { continue; }
        std::size_t end = at;
        while (end < text.size() && is_digit(text[end])) { ++end; }
        const std::string number = text.substr(at, end - at);
        const bool in_name = at > 0 && is_letter(text[at - 1]);
        const bool is_year = number.size() == 4 && (number.starts_with("19") || number.starts_with("20"));
        if (!in_name && !is_year) { found.push_back(number); }
        at = end;
    }
    return found;
}

std::string command_output(const std::string& command, int& status) {
    const TemporaryFolder folder;
    const std::string line = "cd '" + std::string(LOCKSIM_SOURCE_DIR) + "' && unset LOCKSIM_CONFIGS COLUMNS && " +
                             command + " >'" + (folder / "out") + "' 2>&1 </dev/null";
    status = std::system(line.c_str());
    return content(folder / "out");
}

}  // namespace

TEST_CASE("What a lesson states holds in every start phase that it asks for", "[lessons]") {
    REQUIRE(lesson_files().size() >= 3);
    for (const std::string& file : lesson_files()) {
        INFO(file);
        const locksim::FileReport one = run_lesson(file, 1);
        check_expectations(one);
        check_expectations(run_lesson(file, one.scenarios.front().phases));
    }
}

TEST_CASE("A lesson takes less than five seconds", "[lessons]") {
    for (const std::string& file : lesson_files()) {
        INFO(file);
        const std::clock_t begin = std::clock();  // of this process: other load does not count
        run_lesson(file, 1);
        CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 5.0);
    }
}

TEST_CASE("Every figure of an explanation comes from its runs", "[lessons]") {
    for (const std::string& file : lesson_files()) {
        INFO(file);
        const locksim::FileReport report = run_lesson(file, 1);
        const std::string text =
            locksim::filled_explanation(*report.scenarios.front().lesson, report.runs, "./tools/run run x.toml");
        CHECK_THAT(text, !ContainsSubstring("[no samples]") && !ContainsSubstring("did not run"));
        CHECK(numerals_in(prose_of(file, "explain = \"\"\"", "\n\"\"\"")) == std::vector<std::string>{});
    }
}

TEST_CASE("A number in a lesson's question stands in its expectations", "[lessons]") {
    for (const std::string& file : lesson_files()) {
        INFO(file);
        const auto stated = numerals_in(prose_of(file, "\n[expect]", "\n[lesson]"));
        for (const std::string& number : numerals_in(prose_of(file, "\n[lesson]", "explain = \"\"\""))) {
            INFO(number);
            CHECK(std::find(stated.begin(), stated.end(), number) != stated.end());
        }
    }
}

TEST_CASE("The search for numerals finds one", "[lessons]") {
    CHECK(numerals_in("in 2017 some 30 of CPU0, 1.5 times") == std::vector<std::string>{"30", "1", "5"});
}

TEST_CASE("An explanation is short: at most 25 lines of 80 columns", "[lessons]") {
    for (const std::string& file : lesson_files()) {
        INFO(file);
        const locksim::FileReport report = run_lesson(file, 1);
        const std::string command = "./tools/run run " + file.substr(std::string(LOCKSIM_SOURCE_DIR).size() + 1);
        const std::string text =
            locksim::laid_out(locksim::filled_explanation(*report.scenarios.front().lesson, report.runs, command), 80);
        INFO(text);
        CHECK(lines_of(text).size() <= 25);
        CHECK(widest(text) <= 80);
    }
}

TEST_CASE("The commands that a lesson ends with run, and its expectations hold there too", "[lessons]") {
    for (const std::string& file : lesson_files()) {
        INFO(file);
        const locksim::FileReport report = run_lesson(file, 1);
        const std::string text = locksim::filled_explanation(*report.scenarios.front().lesson, report.runs,
                                                             std::string(LOCKSIM_BINARY) + " run '" + file + "'");
        int commands = 0;
        for (const std::string& line : lines_of(text)) {
            if (!line.starts_with("    ")) { continue; }
            ++commands;
            int status = -1;
            INFO(line);
            INFO(command_output(line, status));
            CHECK(status == 0);
        }
        CHECK(commands >= 1);
    }
}

TEST_CASE("A lesson tells its explanation where nobody can be asked", "[lessons]") {
    for (const std::string& file : lesson_files()) {
        int status = -1;
        const std::string screen = command_output(std::string(LOCKSIM_BINARY) + " run --lesson '" + file + "'", status);
        INFO(screen);
        CHECK(status == 0);
        CHECK_THAT(screen,
                   ContainsSubstring("Goal: ") && ContainsSubstring("Next: ") && !ContainsSubstring("Your answer"));
        CHECK(widest(screen) <= 80);
    }
}
