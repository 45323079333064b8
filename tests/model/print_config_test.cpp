// print-config: complete, replayable, and the digest of what it prints.
#include "tests/catch.hpp"
#include "tests/model/scenario_fixture.hpp"

using namespace model;
using namespace model::test;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<Scenario> everything() { return load_scenario(data_folder() + "/everything.toml", catalogue(), options()); }

std::string printed(const Scenario& scenario) { return print_config(scenario, catalogue()); }

}  // namespace

TEST_CASE("a printed scenario loads as an equal one with the same digest", "[unit]") {
    const Scenario scenario = everything().front();
    const auto again = load_text(printed(scenario));
    REQUIRE(again.size() == 1);
    CHECK(printed(again[0]) == printed(scenario));
    CHECK(again[0].config_digest == scenario.config_digest);
    CHECK(again[0].has_expect);
    CHECK(again[0].fitted.size() == 3);
}

TEST_CASE("a printed variant runs the same without its file's other variants", "[unit]") {
    for (const auto& scenario : everything()) {
        INFO(scenario.variant);
        const auto again = load_text(printed(scenario));
        REQUIRE(again.size() == 1);
        CHECK(again[0].variant == "base");
        CHECK(again[0].config_digest == scenario.config_digest);
    }
    const std::string queued = printed(everything()[1]);
    CHECK_THAT(queued,
               ContainsSubstring(
                   "# compares with another variant: \"acquisitions(little) >= 2 * base.acquisitions(little)\""));
    CHECK_THAT(queued, ContainsSubstring("    \"acquisitions(rest.1) == 0\","));
}

TEST_CASE("a text over several lines is printed over several lines", "[unit]") {
    const std::string text = "description = \"\"\"\nTwo \\\"quoted\\\"\n\nlines, \\\\ and \\t.\n\"\"\"\n";
    const auto scenario = load_text(text + small_scenario).front();
    CHECK(scenario.description == "Two \"quoted\"\n\nlines, \\ and \t.\n");
    CHECK_THAT(printed(scenario), ContainsSubstring(text));
}

TEST_CASE("every default is written out", "[unit]") {
    const std::string text = printed(load_text(small_scenario).front());
    for (const auto* line :
         {"duration = \"10ms\"\n", "seed = 1\n", "phases = 1\n", "spin_elision = true\n", "tie_break = \"actor\"\n",
          "preset = \"duo\"\n", "overtake_bound = 16\n", "relax = \"1cycle\"\n", "far_occupancy = \"0ns\"\n",
          "start_phase = \"uniform(0ns, 1us)\"\n", "[lines.shared]\nbytes = \"64B\"\nhome = -1\n", "cpus = [0]\n"}) {
        CHECK_THAT(text, ContainsSubstring(line));
    }
    CHECK(text.find("[expect]") == std::string::npos);
    const auto queued = load_text(replaced(small_scenario, "\"tas\"", "\"mcs\""));
    CHECK_THAT(
        printed(queued.front()),
        ContainsSubstring(
            "[locks.timers.mcs]\nfair = false\ngap = \"3cycles\"\nmode = \"plain\"\npause = \"1cycle\"\nspins = 4\n"));
}

TEST_CASE("CPUs that counting has placed are printed where they are", "[unit]") {
    const std::string rest = "[groups.rest]\ncount = 2\nprogram = [{think = \"1us\"}]\n";
    CHECK_THAT(printed(load_text(small_scenario + rest).front()), ContainsSubstring("[groups.rest]\ncpus = [1, 2]\n"));
}

TEST_CASE("the digest changes with what runs, and with nothing else", "[unit]") {
    const std::string digest = load_text(small_scenario).front().config_digest;
    CHECK(digest.size() == 16);
    CHECK(digest.find_first_not_of("0123456789abcdef") == std::string::npos);
    const auto digest_of = [](const std::string& text, const LoadOptions& how = options()) {
        return load_text(text, how).front().config_digest;
    };

    CHECK(digest_of("# a comment that moves every line\n" + small_scenario) == digest);
    CHECK(digest_of(small_scenario + "[expect]\nverdict = \"any\"\n") == digest);
    CHECK(digest_of(replaced(small_scenario, "{work = \"10cycles\"}", "{work = \"10cycles\", jitter = \"0%\"}")) ==
          digest);
    CHECK(digest_of(small_scenario, options({"duration=10000us"})) == digest);  // the same time in another unit

    CHECK(digest_of(small_scenario, options({"duration=10.000000001ms"})) != digest);  // one picosecond
    CHECK(digest_of(small_scenario, options({"seed=2"})) != digest);
    CHECK(digest_of(small_scenario, options({"machine.retention=5ns"})) != digest);
    CHECK(digest_of(replaced(small_scenario, "10cycles", "11cycles")) != digest);
}
