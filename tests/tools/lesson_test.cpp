// The texts around a lesson's run, and the dialogue with a learner at a terminal.

#include "tools/locksim/lesson.hpp"

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "model/scenario/judging/comparison.hpp"
#include "tests/catch.hpp"
#include "tests/tools/report_fixture.hpp"
#include "tests/tools/temporary_folder.hpp"
#include "tools/locksim/exit_status.hpp"

using namespace locksim_test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string configs = std::string(LOCKSIM_SOURCE_DIR) + "/tests/tools/data/configs";

model::LessonConfig lesson() {
    return {.goal = "See it.",
            .predict = "How long does `little` wait?",
            .answers = {"not at all", "long"},
            .explain = "It waited {longest_wait(little)}.\n",
            .position = {}};
}

/// What `explain` becomes with base starving and lse ok.
std::string filled(const std::string& explain) {
    model::LessonConfig all = lesson();
    all.explain = explain;
    return locksim::filled_explanation(all, two_variants().runs, "./tools/run run x.toml");
}

/// A lesson that runs in no time.
std::string lesson_file(const TemporaryFolder& folder) {
    std::string path = folder / "lesson.toml";
    std::ofstream(path) << content(configs + "/two_cpus.toml")
                        << "\n[lesson]\ngoal = \"See it.\"\npredict = \"Who waits?\"\nanswers = [\"both\", \"none\"]\n"
                           "explain = \"It was {acquisitions(both)} times.\"\n";
    return path;
}

/// What a command says at a terminal where somebody types `typed` once the question has been asked.
struct Dialogue {
    int status = -1;
    std::string screen;
};
Dialogue at_terminal(const std::vector<std::string>& words, const std::string& typed) {
    std::vector<std::string> arguments{LOCKSIM_BINARY};
    arguments.insert(arguments.end(), words.begin(), words.end());
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
        ::setenv("LOCKSIM_CONFIGS", configs.c_str(), 1);
        ::setenv("COLUMNS", "80", 1);
        std::vector<char*> argv;
        argv.reserve(arguments.size() + 1);
        for (std::string& argument : arguments) { argv.push_back(argument.data()); }
        argv.push_back(nullptr);
        ::execv(argv.front(), argv.data());
        ::_exit(127);
    }
    REQUIRE(child > 0);
    Dialogue dialogue;
    bool has_typed = false;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(terminal, buffer, sizeof buffer)) > 0;) {
        dialogue.screen.append(buffer, static_cast<std::size_t>(n));
        if (!has_typed && dialogue.screen.find("Your answer") != std::string::npos) {
            has_typed = true;
            REQUIRE(::write(terminal, typed.data(), typed.size()) == static_cast<ssize_t>(typed.size()));
        }
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(terminal);
    dialogue.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return dialogue;
}

}  // namespace

TEST_CASE("Figures of an explanation are printed as the reports print them", "[unit]") {
    CHECK(filled("{longest_wait(little)}, {lse.longest_wait(little)}") == "19.9 ms, 400 ns");
    CHECK(filled("{acquisitions(big)} of {acquisitions(big) + acquisitions(little)}") == "1 790 112 of 1 802 153");
    CHECK(filled("{share(little)}, {jain(timers)}, {throughput(timers)}") == "0.668 %, 0.507, 9 010 765 a second");
    CHECK(filled("{acquisitions(little) / acquisitions(big)}") == "0.00673");
    CHECK(filled("{longest_wait(little) / longest_wait(big)} times, {p99(hold(timers))}") == "49 750 times, 7 ns");
    CHECK(filled("{run} -v, {{}}") == "./tools/run run x.toml -v, {}");
}

TEST_CASE("A figure that is not there says so", "[unit]") {
    CHECK(filled("{p50(handover(timers))}") == "[no samples]");
    CHECK(filled("{mcs.longest_wait(little)}") == "[variant mcs did not run]");
}

TEST_CASE("An explanation wraps, keeps its items and never breaks a command", "[unit]") {
    const std::string text =
        "One two\nthree four.\n\n- an item that is\nlong enough\n- another\n\nNext:\n    ./tools/run run file.toml --set 'a=b c'\n";
    CHECK(
        locksim::laid_out(text, 80) ==
        "One two three four.\n\n- an item that is long enough\n- another\n\nNext:\n    ./tools/run run file.toml --set 'a=b c'\n");
    CHECK(locksim::laid_out(text, 24) ==
          "One two three four.\n\n- an item that is long\n  enough\n- another\n\nNext:\n"
          "    ./tools/run run \\\n    file.toml \\\n    --set 'a=b c'\n");
}

TEST_CASE("The question is asked with its answers", "[unit]") {
    model::Scenario scenario;
    scenario.title = "Two CPUs";
    scenario.lesson = lesson();
    CHECK(locksim::lesson_question(scenario, 80) ==
          "Lesson: Two CPUs\n\nGoal: See it.\n\nHow long does `little` wait?\n  a) not at all\n  b) long\n\n");
    CHECK(widest(locksim::lesson_question(scenario, 20)) <= 20);
}

TEST_CASE("A letter is repeated as the answer that it stands for", "[unit]") {
    CHECK(locksim::chosen_answer(lesson(), "b") == "b) long");
    CHECK(locksim::chosen_answer(lesson(), "A)") == "a) not at all");
    CHECK(locksim::chosen_answer(lesson(), "c") == "c");
    CHECK(locksim::chosen_answer(lesson(), "1") == "1");
    CHECK(locksim::chosen_answer(lesson(), "very long") == "very long");
    CHECK(locksim::chosen_answer(lesson(), "").empty());
}

TEST_CASE("A lesson is refused where there is none, and where no person reads", "[unit]") {
    model::Scenario scenario;
    scenario.file = "x.toml";
    locksim::Options options = locksim_test::options();
    CHECK_NOTHROW(check_lesson(scenario, options));
    options.lesson = true;
    CHECK_THROWS_WITH(check_lesson(scenario, options), ContainsSubstring("x.toml has no [lesson]"));
    scenario.lesson = lesson();
    CHECK_NOTHROW(check_lesson(scenario, options));
    options.format = locksim::Format::json;
    CHECK_THROWS_WITH(check_lesson(scenario, options), ContainsSubstring("--format table"));
}

TEST_CASE("A learner answers at a terminal before anything runs, and reads the answer again", "[unit]") {
    const TemporaryFolder folder;
    const Dialogue dialogue = at_terminal({"run", lesson_file(folder), "--lesson"}, "B\n");
    INFO(dialogue.screen);
    CHECK(dialogue.status == 0);
    const std::size_t question = dialogue.screen.find("Who waits?");
    const std::size_t report = dialogue.screen.find("verdict");
    const std::size_t answer = dialogue.screen.find("Your prediction: b) none");
    CHECK(question < report);
    CHECK(report < answer);
    CHECK(answer < dialogue.screen.find("It was "));
}

TEST_CASE("Only Enter, or the end of input, goes on without an answer", "[unit]") {
    const TemporaryFolder folder;
    for (const char* typed : {"\n", "\x04"}) {
        const Dialogue dialogue = at_terminal({"run", lesson_file(folder), "--lesson"}, typed);
        INFO(dialogue.screen);
        CHECK(dialogue.status == 0);
        CHECK_THAT(dialogue.screen, ContainsSubstring("It was ") && !ContainsSubstring("Your prediction"));
    }
}

TEST_CASE("Ctrl-C at the question ends with 130, and nothing has run", "[unit]") {
    const TemporaryFolder folder;
    const Dialogue dialogue = at_terminal({"run", lesson_file(folder), "--lesson"}, "\x03");
    INFO(dialogue.screen);
    CHECK(dialogue.status == 130);
    CHECK_THAT(dialogue.screen, ContainsSubstring("Who waits?") && !ContainsSubstring("verdict"));
}

TEST_CASE("A revealed lesson asks and waits for nobody", "[unit]") {
    const TemporaryFolder folder;
    const Dialogue dialogue = at_terminal({"run", lesson_file(folder), "--reveal"}, "");
    INFO(dialogue.screen);
    CHECK(dialogue.status == 0);
    CHECK_THAT(dialogue.screen, ContainsSubstring("It was ") && !ContainsSubstring("Your answer"));
}
