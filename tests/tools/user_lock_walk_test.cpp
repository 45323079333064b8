// Trying one's own lock, as locks/README.md tells it: the code that stands there, in a folder outside the tree.

#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/tools/report_fixture.hpp"
#include "tests/tools/temporary_folder.hpp"

using namespace locksim_test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string root = LOCKSIM_SOURCE_DIR;

/// The first C++ block of a Markdown text.
std::string first_code(const std::string& markdown) {
    const std::string fence = "```cpp\n";
    const std::size_t begin = markdown.find(fence);
    REQUIRE(begin != std::string::npos);
    return markdown.substr(begin + fence.size(), markdown.find("```", begin + fence.size()) - begin - fence.size());
}

}  // namespace

TEST_CASE("The lock of locks/README.md runs from outside the tree within 20 seconds of its edit", "[unit]") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "my-locks");
    std::ofstream(folder / "my-locks/patient.cpp") << first_code(content(root + "/locks/README.md"));

    const auto edited = std::chrono::steady_clock::now();
    const std::string command = "XDG_CACHE_HOME='" + (folder / "cache") + "' " + LOCKSIM_BINARY + " run " + root +
                                "/configs/seeds/001-biglittle.toml --locks '" + (folder / "my-locks") +
                                "' --set locks.lock.type=patient --variant base --format json >'" + (folder / "out") +
                                "' 2>'" + (folder / "err") + "'";
    const int status = std::system(command.c_str());
    const auto took = std::chrono::steady_clock::now() - edited;

    INFO(content(folder / "err"));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK_THAT(content(folder / "out"), ContainsSubstring("\"type\": \"patient\""));
    CHECK(took < std::chrono::seconds(20));
}
