// Options and verbs from argv.
#include "tools/locksim/command_line.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "tests/catch.hpp"
#include "tests/tools/report_fixture.hpp"

using namespace locksim;
using Catch::Matchers::ContainsSubstring;

namespace {

Request parsed(const std::vector<std::string>& arguments) { return parse_command_line(arguments, "locksim"); }

std::string content(const std::string& file) {
    std::ifstream stream(std::string(LOCKSIM_SOURCE_DIR) + "/tools/completions/" + file);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::set<std::string> long_options_in(const std::string& text) {
    static const std::regex option("--[a-z][a-z-]*");
    std::set<std::string> found;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), option); at != std::sregex_iterator(); ++at) {
        found.insert(at->str());
    }
    return found;
}

/// The options that a verb's help lists, not those that its last line speaks of.
std::set<std::string> options_of(const std::string& verb) {
    const std::string help = usage(verb);
    return long_options_in(help.substr(0, help.find("Exit status")));
}

/// From "VERB) " to the end of that case.
std::string case_of(const std::string& script, const std::string& verb) {
    const std::size_t begin = script.find(" " + verb + ") ");
    REQUIRE(begin != std::string::npos);
    return script.substr(begin, script.find(";;", begin) - begin);
}

}  // namespace

TEST_CASE("A repeatable option takes one value and leaves the files alone", "[unit]") {
    const Request request = parsed({"run", "--set", "seed=1", "--set", "a.b=[1, 2]", "one.toml", "two.toml"});
    CHECK(request.verb == "run");
    CHECK(request.options.sets == std::vector<std::string>{"seed=1", "a.b=[1, 2]"});
    CHECK(request.options.files == std::vector<std::string>{"one.toml", "two.toml"});
}

TEST_CASE("Options may stand before and after the verb and the files", "[unit]") {
    const Request request = parsed({"-v", "run", "one.toml", "--format", "csv", "--judge-all", "--seed=4"});
    CHECK(request.options.verbose);
    CHECK(request.options.format == Format::csv);
    CHECK(request.options.judge_all);
    CHECK(request.options.seed == "4");
    CHECK(parsed({"--log-level", "debug", "list", "locks"}).options.log_level == log::Level::debug);
}

TEST_CASE("A timeline may have a window, and never swallows a file name", "[unit]") {
    const Request plain = parsed({"run", "--timeline", "one.toml"});
    CHECK(plain.options.timeline == timeline_by_default);
    CHECK(plain.options.files == std::vector<std::string>{"one.toml"});
    CHECK(parsed({"run", "--timeline=1us..3us", "one.toml"}).options.timeline == "1us..3us");
    CHECK(parsed({"run", "one.toml"}).options.timeline.empty());
}

TEST_CASE("Wrong usage is refused with what was expected", "[unit]") {
    CHECK_THROWS_WITH(parsed({}), ContainsSubstring("no verb given"));
    CHECK_THROWS_WITH(parsed({"descrbe", "mcs"}), ContainsSubstring("did you mean describe?"));
    CHECK_THROWS_WITH(parsed({"run"}), ContainsSubstring("FILE is required"));
    CHECK_THROWS_WITH(parsed({"run", "a.toml", "--outptu", "x"}), ContainsSubstring("did you mean --output?"));
    CHECK_THROWS_WITH(parsed({"run", "a.toml", "--format", "xml"}),
                      ContainsSubstring("expected one of csv, json, table"));
    CHECK_THROWS_WITH(parsed({"list", "locks", "more"}), ContainsSubstring("unexpected argument more"));
    CHECK_THROWS_WITH(parsed({"list", "locks", "--format", "csv"}), ContainsSubstring("expected one of json, table"));
    CHECK_THROWS_WITH(parsed({"run", "a.toml", "--log-level", "loud"}), ContainsSubstring("expected one of debug"));
}

TEST_CASE("A scenario file instead of a verb gets a hint", "[unit]") {
    const std::string file = std::string(LOCKSIM_SOURCE_DIR) + "/CMakeLists.txt";
    CHECK_THROWS_WITH(parsed({file}), ContainsSubstring("did you mean `locksim run "));
}

TEST_CASE("Every help text fits into 80 columns", "[unit]") {
    CHECK(locksim_test::widest(usage("")) <= 80);
    for (const std::string& verb : verb_names()) {
        INFO(verb);
        CHECK(locksim_test::widest(usage(verb)) <= 80);
    }
}

TEST_CASE("The bash completion knows the verbs and options that the help shows", "[unit]") {
    const std::string script = content("locksim.bash");
    std::string verbs;
    for (const std::string& verb : verb_names()) {
        INFO(verb);
        verbs += (verbs.empty() ? "" : " ") + verb;
        CHECK(long_options_in(case_of(script, verb)) == options_of(verb));
    }
    CHECK_THAT(script, ContainsSubstring("_locksim_verbs=\"" + verbs + "\""));
    CHECK(long_options_in(case_of(script, "*")) == options_of(""));
}

TEST_CASE("The zsh completion knows the verbs and options that the help shows", "[unit]") {
    const std::string script = content("_locksim");
    const std::size_t begin = script.find("common=(");
    const std::set<std::string> common = long_options_in(script.substr(begin, script.find("\n    )", begin) - begin));
    for (const std::string& verb : verb_names()) {
        INFO(verb);
        std::set<std::string> options = long_options_in(case_of(script, verb));
        options.insert(common.begin(), common.end());
        CHECK(options == options_of(verb));
        CHECK_THAT(script, ContainsSubstring("'" + verb + ":"));
    }
}
