// Do the public bug reports come out? Every file of configs/cases with all variants and all start phases, judged by its
// own [expect] as `locksim run FILE --phases 16` does.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "model/scenario/judging/expect.hpp"
#include "model/scenario/reading/loader.hpp"
#include "tests/locks/scenarios.hpp"

using namespace model;
using namespace model::test;

namespace {

const std::string configs = LOCKSIM_SOURCE_DIR "/configs";

std::vector<std::string> case_files() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(configs + "/cases")) {
        if (entry.path().extension() == ".toml") { files.push_back(entry.path().string()); }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string text_of(const JudgedExpectation& line) {
    return fmt::format("{}: {}: in {}, required {}, value {}", line.variant, line.text, line.in, line.required,
                       line.value.value_or(-1));
}

}  // namespace

TEST_CASE("every case is judged in full, and comes out as its file says", "[cases]") {
    const std::vector<std::string> files = case_files();
    CHECK(files.size() >= 5);
    for (const std::string& file : files) {
        INFO(file);
        LoadOptions options;
        options.configs_dir = configs;
        const std::vector<Scenario> scenarios = load_scenario(file, locks::catalogue(), options);
        CHECK(scenarios.size() >= 2);  // a control at least
        std::vector<RunResult> runs;
        for (const Scenario& s : scenarios) {
            CHECK(s.phases == 16);
            for (std::int32_t phase = 1; phase <= s.phases; ++phase) {
                runs.push_back(*run(s, locks::catalogue(), {.phase = phase}));
            }
        }
        const std::vector<JudgedExpectation> judged = judge(scenarios, runs);
        CHECK(judged.size() >= scenarios.size());
        for (const JudgedExpectation& line : judged) {
            INFO(text_of(line));
            CHECK(line.holds.has_value());
            if (line.hoped) {
                CHECK_FALSE(line.why.empty());
                CHECK(line.holds == false);  // what holds is no longer hoped: move it to `that`
                continue;
            }
            CHECK(line.holds == true);
        }
    }
}
