// Results that cannot be written: status 4, a message that names the file and the reason, the earlier file of that name
// as it was, no temporary one beside it.

#include <sys/resource.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/catch.hpp"
#include "tests/tools/process.hpp"

using namespace locksim_test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string scenario = test_configs() + "/two_cpus.toml";

void as_nobody() {
    if (::geteuid() == 0 && ::setuid(65534) != 0) { ::_exit(125); }
}

/// The same as a full disk, for files of this process.
void with_small_files() {
    const rlimit limit{8192, 8192};
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

struct Unwritable {
    std::string kind;
    std::string path;
    std::string reason;
    void (*in_child)() = [] {};
};

}  // namespace

TEST_CASE("A result that cannot be written leaves what was there", "[unit]") {
    const std::vector<Unwritable> rows{
        {"no such folder", "none/result", "No such file or directory"},
        {"a folder that is closed to us", "closed/result", "Permission denied", as_nobody},
        {"a file as a folder", "old/result", "Not a directory"},
        {"a folder itself", "closed", "Is a directory"},
        {"a full device", "/dev/full", "No space left on device"},
        {"a full disk", "old", "File too large", with_small_files},
    };
    for (const Unwritable& row : rows) {
        for (const char* option : {"--output", "--events", "--trace"}) {
            INFO(row.kind << " for " << option);
            const TemporaryFolder folder;
            std::ofstream(folder / "old") << "old";
            ::mkdir((folder / "closed").c_str(), 0555);
            ::chmod((folder / "").c_str(), 0755);
            // The JSON report of so many runs is longer than the limit, the first screen is not.
            std::vector<std::string> words{"run", scenario, option, row.path};
            if (std::string(option) == "--output") {
                words.insert(words.end(), {"--format", "json", "--seeds", "1..4"});
            }
            const ProcessEnd end = call_in(folder / "", words, row.in_child);
            INFO(end.err);
            CHECK(end.status == 4);
            CHECK_THAT(end.err, ContainsSubstring("cannot write " + row.path + ": " + row.reason) &&
                                    ContainsSubstring("repeat: "));
            CHECK(content(folder / "old") == "old");
            CHECK(folder.files() == 2);
        }
    }
}

TEST_CASE("Verbs that print tell when they cannot", "[unit]") {
    const TemporaryFolder folder;
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--help"},
                                                  {"help", "expect"},
                                                  {"list", "locks"},
                                                  {"describe", "mcs"},
                                                  {"print-config", scenario},
                                                  {"run", scenario},
                                                  {"run", scenario, "--format", "json"}}) {
        INFO(words.front());
        const ProcessEnd full =
            call_in(folder / "", words, [] { ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO); });
        CHECK(full.status == 4);
        CHECK_THAT(full.err, ContainsSubstring("cannot write stdout: No space left on device"));
        const ProcessEnd closed = call_in(folder / "", words, [] { ::close(STDOUT_FILENO); });
        CHECK(closed.status == 4);
        CHECK_THAT(closed.err, ContainsSubstring("cannot write stdout: Bad file descriptor"));
        const ProcessEnd all = call_in(folder / "", words, [] {
            for (int fd = 0; fd < 3; ++fd) { ::close(fd); }
        });
        CHECK(all.status == 4);
    }
    CHECK(folder.files() == 0);
}

TEST_CASE("Files that are opened while standard streams are closed do not take their place", "[unit]") {
    const TemporaryFolder folder;
    const ProcessEnd end = call_in(folder / "", {"run", scenario, "--output", "report", "--events", "log"}, [] {
        for (int fd = 0; fd < 3; ++fd) { ::close(fd); }
    });
    CHECK(end.status == 0);
    CHECK_THAT(content(folder / "report"), ContainsSubstring("Two CPUs, one lock") && !ContainsSubstring("schema"));
    CHECK(content(folder / "log").starts_with("{\"schema\""));
}
