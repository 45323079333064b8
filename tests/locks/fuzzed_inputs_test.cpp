// What the fuzz target has found, each text as a test: tests/fuzz/README.md.

#include <filesystem>
#include <fstream>
#include <iterator>

#include "locks/catalogue.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/oracle.hpp"

namespace {

std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

const std::string root = LOCKSIM_SOURCE_DIR;

}  // namespace

TEST_CASE("Texts that the fuzzer has found to break something break nothing now", "[unit]") {
    int texts = 0;
    for (const auto& file : std::filesystem::directory_iterator(root + "/tests/fuzz/found")) {
        INFO(file.path().string());
        CHECK(fuzz::fault_of(content(file.path()), root + "/configs", locks::catalogue()).empty());
        ++texts;
    }
    CHECK(texts > 0);
}

TEST_CASE("Every shipped scenario keeps what the fuzzer looks for", "[unit]") {
    int scenarios = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(root + "/configs")) {
        const auto folder = file.path().parent_path().filename();
        const bool is_scenario = file.path().extension() == ".toml" && folder != "machines" && folder != "published";
        if (!is_scenario) { continue; }
        INFO(file.path().string());
        CHECK(fuzz::fault_of(content(file.path()), root + "/configs", locks::catalogue()) == "");
        ++scenarios;
    }
    CHECK(scenarios >= 10);
}

TEST_CASE("The fuzzer's oracle sees a scenario that does not print as it was loaded", "[unit]") {
    const model::LoadOptions options{
        .configs_dir = root + "/configs", .sets = {}, .seed = {}, .duration = {}, .variant = {}};
    auto scenario =
        model::load_scenario(root + "/configs/scenarios/four-locks.toml", locks::catalogue(), options).front();
    CHECK(fuzz::fault_of_printing(scenario, locks::catalogue(), options).empty());
    scenario.config_digest = "another";
    CHECK_FALSE(fuzz::fault_of_printing(scenario, locks::catalogue(), options).empty());
    scenario.title = "\xff";
    CHECK_FALSE(fuzz::fault_of_printing(scenario, locks::catalogue(), options).empty());
}
