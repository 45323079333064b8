// Ranges of seeds and the like.
#include "tools/locksim/options.hpp"

#include "tests/catch.hpp"
#include "tools/locksim/exit_status.hpp"
#include "tools/locksim/text.hpp"

using namespace locksim;
using Catch::Matchers::ContainsSubstring;

namespace {

Options with_seeds(const std::string& seeds) {
    Options options;
    options.seeds = seeds;
    return options;
}
Options with_phases(const std::string& phases) {
    Options options;
    options.phases = phases;
    return options;
}

}  // namespace

TEST_CASE("A seed range has both its ends", "[unit]") {
    const auto range = asked_seeds(with_seeds("3..16"));
    REQUIRE(range);
    CHECK(range->first == 3);
    CHECK(range->last == 16);
    CHECK(asked_seeds(with_seeds("7..7"))->last == 7);
    CHECK_FALSE(asked_seeds(Options{}));
}

TEST_CASE("A seed range that is none is refused with what was expected", "[unit]") {
    for (const char* text : {"", "1", "1..", "..2", "5..2", "1...2", "-1..2", "1..x", "1 .. 2", "0x1..0x2", "1..2..3",
                             "0..9007199254740992", "0..99999999999999999999"}) {
        if (*text == '\0') { continue; }
        INFO(text);
        CHECK_THROWS_WITH(asked_seeds(with_seeds(text)), ContainsSubstring("expected A..B"));
    }
}

TEST_CASE("Seeds are below 2^53", "[unit]") {
    Options options;
    options.seed = "9007199254740991";
    CHECK(asked_seeds(options)->first == seed_limit - 1);
    options.seed = "9007199254740992";
    CHECK_THROWS_AS(asked_seeds(options), InputError);
}

TEST_CASE("A seed and a seed range exclude each other, and so do phase and phases", "[unit]") {
    Options options = with_seeds("1..2");
    options.seed = "1";
    CHECK_THROWS_AS(asked_seeds(options), InputError);
    options = with_phases("4");
    options.phase = "1";
    CHECK_THROWS_AS(asked_phases(options), InputError);
}

TEST_CASE("Phases are the first ones, a phase is itself, the default is the first", "[unit]") {
    CHECK(asked_phases(Options{}).last == 1);
    CHECK(asked_phases(with_phases("16")).first == 1);
    CHECK(asked_phases(with_phases("16")).last == 16);
    Options options;
    options.phase = "7";
    CHECK(asked_phases(options).first == 7);
    CHECK(asked_phases(options).last == 7);
    for (const char* text : {"0", "-1", "x", "1.5", "1000001"}) {
        INFO(text);
        CHECK_THROWS_WITH(asked_phases(with_phases(text)), ContainsSubstring("expected a whole number from 1"));
    }
}

TEST_CASE("The line that repeats a run has everything that decides about it", "[unit]") {
    Options options;
    options.program = "./tools/run";
    options.sets = {"noise.work=1%", "title=a b"};
    options.duration = "5ms";
    options.locks = "my locks";
    options.seeds = "1..9";
    options.phases = "16";
    const RunName one{.file = "a.toml", .variant = "lse", .seed = 4, .phase = 3};
    CHECK(join(repeat_command(options, one), " ") ==
          "./tools/run run a.toml --set noise.work=1% --set 'title=a b' --duration 5ms --locks 'my locks' "
          "--variant lse --seed 4 --phase 3");
    const RunName all{.file = "a.toml", .variant = "", .seed = {}, .phase = {}};
    CHECK_THAT(join(repeat_command(options, all), " "), ContainsSubstring("--seeds 1..9 --phases 16"));
}
