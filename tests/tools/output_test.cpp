// Where a report goes, and what is left when it cannot.
#include "tools/locksim/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/tools/temporary_folder.hpp"
#include "tools/locksim/exit_status.hpp"
#include "tools/locksim/interrupt.hpp"

using namespace locksim;
using namespace locksim_test;
namespace fs = std::filesystem;

TEST_CASE("A result file appears only when it is complete", "[unit]") {
    const TemporaryFolder folder;
    const std::string path = folder / "result";
    std::ofstream(path) << "old";
    {
        const auto output = open_output(path);
        output->write("new ");
        output->write("text");
        CHECK(content(path) == "old");
        output->finish();
    }
    CHECK(content(path) == "new text");
    CHECK(folder.files() == 1);
}

TEST_CASE("A result that is given up leaves the old file and no other", "[unit]") {
    const TemporaryFolder folder;
    std::ofstream(folder / "result") << "old";
    open_output(folder / "result")->write("half");
    CHECK(content(folder / "result") == "old");
    CHECK(folder.files() == 1);
}

TEST_CASE("A file that is replaced keeps its mode, and a symbolic link stays one", "[unit]") {
    const TemporaryFolder folder;
    std::ofstream(folder / "result") << "old";
    ::chmod((folder / "result").c_str(), 0604);
    fs::create_symlink("result", folder / "link");
    const auto output = open_output(folder / "link");
    output->write("new");
    output->finish();
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(content(folder / "result") == "new");
    CHECK((static_cast<unsigned>(fs::status(folder / "result").permissions()) & 0777U) == 0604U);
}

TEST_CASE("A folder that is not there or may not be written is refused at once", "[unit]") {
    CHECK_THROWS_AS(open_output("/nonexistent/folder/result"), OutputError);
    CHECK_THROWS_AS(open_output("/proc/self/result")->finish(), OutputError);
    if (::geteuid() != 0) { CHECK_THROWS_AS(open_output("/result"), OutputError); }
}

TEST_CASE("A full device is an error, /dev/null is none", "[unit]") {
    const auto full = open_output("/dev/full");
    CHECK_THROWS_AS(full->write("text"), OutputError);
    const auto null = open_output("/dev/null");
    null->write("text");
    CHECK_NOTHROW(null->finish());
}

TEST_CASE("A pipe is written directly, and a closed one is no error of its own", "[unit]") {
    std::signal(SIGPIPE, SIG_IGN);
    const TemporaryFolder folder;
    const std::string path = folder / "pipe";
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
    const auto output = open_output(path);
    output->write("text");
    char text[5] = {};
    CHECK(::read(reader, text, 4) == 4);
    CHECK(std::string(text) == "text");
    ::close(reader);
    CHECK_THROWS_AS(output->write("more"), ClosedPipe);
}

TEST_CASE("An interrupt waits while a result is put in place", "[unit]") {
    const InterruptGuard guard;
    {
        const InterruptsHeld held;
        std::raise(SIGTERM);
        CHECK_FALSE(interrupted());
    }
    CHECK(interrupted());
}
