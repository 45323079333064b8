// [lesson]: what its texts may hold, what is refused and where, and what print-config makes of it.
#include "model/scenario/lesson.hpp"
#include "tests/catch.hpp"
#include "tests/model/scenario_fixture.hpp"

using namespace model;
using namespace model::test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string variant = "[variants.queued]\n\"locks.timers.type\" = \"mcs\"\n\"machine.retention\" = \"9ns\"\n";

/// A lesson with this explanation from line 25 on.
std::string with_lesson(const std::string& explanation, const std::string& answers = "[\"{{a}\", \"b\"]") {
    return replaced(small_scenario, "[locks.timers]", "[machine.cpus.0]\nfrequency = \"300MHz\"\n[locks.timers]") +
           variant + "[lesson]\ngoal = \"See it.\"\npredict = \"{machine.cpus.0.frequency}?\"\nanswers = " + answers +
           "\nexplain = \"\"\"\n" + explanation + "\n\"\"\"\n";
}

std::string explanation_of(const std::string& explanation) {
    return load_text(with_lesson(explanation), options()).front().lesson->explain;
}

std::string refused(const std::string& explanation, const std::string& answers = "[\"a\", \"b\"]") {
    return error_of(with_lesson(explanation, answers), options());
}

}  // namespace

TEST_CASE("a lesson's values of the configuration are filled in when it loads, its figures are not", "[unit]") {
    const auto scenarios = load_text(with_lesson("{locks.timers.type} {longest_wait(little)}"), options());
    REQUIRE(scenarios.size() == 2);
    for (const auto& scenario : scenarios) {
        REQUIRE(scenario.lesson);
        CHECK(scenario.lesson->goal == "See it.");
        CHECK(scenario.lesson->predict == "300 MHz?");
        CHECK(scenario.lesson->answers == std::vector<std::string>{"{{a}}", "b"});
        CHECK(scenario.lesson->explain == "tas {longest_wait(little)}\n");
    }
    CHECK_FALSE(load_text(small_scenario).front().lesson);
}

TEST_CASE("a value behind a variant's name is that variant's", "[unit]") {
    CHECK(explanation_of("{locks.timers.type}, {queued.locks.timers.type}") == "tas, mcs\n");
    CHECK(explanation_of("{queued.machine.retention}") == "9 ns\n");
    CHECK(explanation_of("{groups.little.program.1.work}") == "10 cycles\n");
}

TEST_CASE("a piece of a lesson is text, a figure, a path or the command", "[unit]") {
    const auto pieces = lesson_pieces({"a {{b}} {2 * p50(wait(l))} {x.y}{run}", {}});
    REQUIRE(pieces.size() == 5);
    CHECK(pieces[0].text == "a {b} ");
    CHECK(pieces[1].kind == LessonPiece::Kind::figure);
    CHECK(pieces[1].figure.dimension == 1);
    CHECK(pieces[2].text == " ");
    CHECK(pieces[3].kind == LessonPiece::Kind::path);
    CHECK(pieces[4].kind == LessonPiece::Kind::command);
    CHECK(lesson_text(pieces[0]) == "a {{b}} ");
}

TEST_CASE("what a lesson names and is not there is an error on its line", "[unit]") {
    CHECK_THAT(refused("one\n{longst_wait(little)}"),
               ContainsSubstring("scenario.toml:26: ") && ContainsSubstring("did you mean \"longest_wait\"?"));
    CHECK_THAT(refused("{longest_wait(litle)}"),
               ContainsSubstring("scenario.toml:25: ") && ContainsSubstring("no such thread or group"));
    CHECK_THAT(refused("\n\n{other.longest_wait(little)}"),
               ContainsSubstring("scenario.toml:27: ") && ContainsSubstring("no variant other"));
    CHECK_THAT(refused("{machine.retentoin}"),
               ContainsSubstring("scenario.toml:25: ") && ContainsSubstring("did you mean \"retention\"?"));
    CHECK_THAT(refused("{machine.cpus}"), ContainsSubstring("expected a key with one value"));
    CHECK_THAT(refused("{longest_wait(little)"),
               ContainsSubstring("scenario.toml:25: ") && ContainsSubstring("expected }"));
    CHECK_THAT(refused("{longest_wait(little) + share(little)}"), ContainsSubstring("scenario.toml:25: "));
    CHECK_THAT(refused("{longest_wait(little) * longest_wait(little)}"),
               ContainsSubstring("expected a time, a number or a rate"));
}

TEST_CASE("where options take away what a lesson names, its text says so", "[unit]") {
    const auto scenarios =
        load_text(with_lesson("{machine.clusters.little.frequency}"), options({"machine.preset=solo"}));
    CHECK(scenarios.front().lesson->explain == "[no machine.clusters.little.frequency]\n");
}

TEST_CASE("what is shown before the run names no figure of it", "[unit]") {
    CHECK_THAT(refused("x", "[\"{longest_wait(little)}\", \"b\"]"),
               ContainsSubstring("scenario.toml:23: ") && ContainsSubstring("lesson.explain only"));
    CHECK_THAT(refused("x", "[\"{run}\", \"b\"]"), ContainsSubstring("lesson.explain only"));
    CHECK_THAT(refused("x", "[\"b\"]"), ContainsSubstring("2 to 26 answers"));
}

TEST_CASE("a lesson needs its goal, question and explanation, and has no other keys", "[unit]") {
    CHECK_THAT(error_of(small_scenario + "[lesson]\ngoal = \"g\"\npredict = \"p\"\n"),
               ContainsSubstring("scenario.toml:15: lesson.explain is missing"));
    CHECK_THAT(error_of(small_scenario + "[lesson]\ngoals = \"g\"\n"),
               ContainsSubstring("scenario.toml:16: lesson.goals: unknown key; did you mean \"goal\"?"));
    CHECK_THAT(error_of(with_lesson("x"), options({"lesson.goal=x"})),
               ContainsSubstring("[lesson] cannot be overridden"));
}

TEST_CASE("a printed lesson loads again, and asks for no figure of a variant that is not in the file", "[unit]") {
    const auto scenarios =
        load_text(with_lesson("{{}} {longest_wait(little)} {queued.longest_wait(little)}"), options());
    const auto base = load_text(print_config(scenarios[0], catalogue()));
    REQUIRE(base.front().lesson);
    CHECK(base.front().lesson->explain == "{{}} {longest_wait(little)} (queued.longest_wait(little))\n");
    CHECK(base.front().lesson->predict == "300 MHz?");
    CHECK(base.front().config_digest == scenarios[0].config_digest);
    const auto queued = load_text(print_config(scenarios[1], catalogue()));
    CHECK(queued.front().lesson->explain == "{{}} (longest_wait(little)) (queued.longest_wait(little))\n");
}
