// The command on a terminal, as a user sits before it: colour, width, progress, Ctrl-C. A pseudo terminal of our own
// stands in; what cannot be a terminal is checked beside it.

#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>

#include <chrono>
#include <fstream>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/tools/process.hpp"
#include "tools/locksim/text.hpp"

using namespace locksim_test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string scenario = test_configs() + "/two_cpus.toml";

/// The command with a terminal as stdin, stdout and stderr.
class OnTerminal {
public:
    OnTerminal(const std::string& folder, int columns, const std::vector<std::string>& arguments,
               const std::function<void()>& in_child = {}) {
        winsize window{};
        window.ws_col = static_cast<unsigned short>(columns);
        window.ws_row = 24;
        child_ = ::forkpty(&terminal_, nullptr, nullptr, &window);
        if (child_ == 0) {
            prepare_child(folder);
            ::setenv("TERM", "xterm", 1);
            if (in_child) { in_child(); }
            exec_locksim(arguments);
        }
    }
    OnTerminal(const OnTerminal&) = delete;
    OnTerminal& operator=(const OnTerminal&) = delete;
    ~OnTerminal() {
        if (child_ > 0) {
            ::kill(child_, SIGKILL);
            ::waitpid(child_, nullptr, 0);
        }
        ::close(terminal_);
    }

    void type(const std::string& keys) { CHECK(::write(terminal_, keys.data(), keys.size()) > 0); }

    /// Until `what` has been seen, which it must (empty: the end).
    void read_until(const std::string& what) {
        const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        char buffer[4096];
        while (std::chrono::steady_clock::now() < late && (what.empty() || seen.find(what) == std::string::npos)) {
            pollfd watched{terminal_, POLLIN, 0};
            if (::poll(&watched, 1, 100) <= 0) { continue; }
            const ssize_t n = ::read(terminal_, buffer, sizeof buffer);
            if (n <= 0) { return; }  // EIO: the other side has closed
            seen.append(buffer, static_cast<std::size_t>(n));
        }
        CHECK_THAT(seen, ContainsSubstring(what));
    }
    int end() {
        read_until("");
        int status = 0;
        ::waitpid(child_, &status, 0);
        child_ = -1;
        return shell_status(status);
    }

    std::string seen;

private:
    int terminal_ = -1;
    pid_t child_ = -1;
};

std::string without_escapes(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b') {
            while (i < text.size() && text[i] != 'm' && text[i] != 'K') { ++i; }
        } else if (text[i] != '\r') {
            plain += text[i];
        }
    }
    return plain;
}

/// Of the lines that hold no path: those are to be copied and never cut.
std::size_t widest_line(const std::string& text) {
    std::size_t widest = 0;
    std::istringstream lines(without_escapes(text));
    for (std::string line; std::getline(lines, line);) {
        if (line.find('/') == std::string::npos) { widest = std::max(widest, locksim::display_width(line)); }
    }
    return widest;
}

constexpr const char* ctrl_c = "\x03";

}  // namespace

TEST_CASE("Reports and help fit the terminal's width, down to 40 columns", "[unit]") {
    const TemporaryFolder folder;
    for (const int columns : {60, 40, 1}) {
        for (const std::vector<std::string>& words : {std::vector<std::string>{"run", scenario},
                                                      {"run", "-v", scenario},
                                                      {"run", "--timeline", scenario},
                                                      {"compare", "--lock", "ticket,mcs", scenario},
                                                      {"compare", "-v", scenario},
                                                      {"compare", "--help"},
                                                      {"--help"},
                                                      {"run", "--help"},
                                                      {"help", "run"},
                                                      {"help", "steps"},
                                                      {"help", "expect"},
                                                      {"help", "machine"},
                                                      {"describe", "mcs"},
                                                      {"describe", "two_cpus"},
                                                      {"describe", "test"},
                                                      {"list", "locks"},
                                                      {"list", "machines"}}) {
            OnTerminal terminal(folder / "", columns, words);
            INFO(columns << " columns, " << words.front() << " " << words.back());
            CHECK(terminal.end() == 0);
            CHECK(widest_line(terminal.seen) <= static_cast<std::size_t>(std::max(columns, 40)));
        }
    }
}

TEST_CASE("Colour is for terminals that want it", "[unit]") {
    const TemporaryFolder folder;
    // An expectation that fails stands in red.
    std::ofstream(folder / "fails.toml") << content(scenario)
                                         << "\n[expect.mcs]\nthat = [\"acquisitions(both) < 1\"]\n";
    const std::vector<std::string> words{"run", "fails.toml"};
    const auto colours = [&](const std::function<void()>& in_child) {
        OnTerminal terminal(folder / "", 80, words, in_child);
        CHECK(terminal.end() == 1);
        return terminal.seen.find("\x1b[") != std::string::npos;
    };
    CHECK(colours({}));
    CHECK_FALSE(colours([] { ::setenv("NO_COLOR", "1", 1); }));
    CHECK_FALSE(colours([] { ::setenv("TERM", "dumb", 1); }));
    const ProcessEnd no_terminal = call_in(folder / "", words);
    CHECK(no_terminal.out.find('\x1b') == std::string::npos);
}

TEST_CASE("Ctrl-C ends a run, and what was finished is reported", "[unit]") {
    const TemporaryFolder folder;
    OnTerminal terminal(folder / "", 80, {"run", "--duration", "200ms", "--seeds", "1..500", scenario});
    terminal.read_until(" left");  // two seconds: the progress line
    CHECK_THAT(terminal.seen, ContainsSubstring("%  run "));
    terminal.type(ctrl_c);
    CHECK(terminal.end() == 130);
    CHECK_THAT(terminal.seen, ContainsSubstring("stopped early") || ContainsSubstring("stopped before"));
    CHECK_THAT(terminal.seen, ContainsSubstring("interrupted: "));
}

TEST_CASE("A run of several files that is interrupted writes the runs that had finished", "[unit]") {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        const TemporaryFolder folder;
        std::ofstream(folder / "long.toml") << content(scenario);
        const TemporaryFolder caught;
        const pid_t child = ::fork();
        if (child == 0) {
            ::dup2(::open((caught / "err").c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
            prepare_child(folder / "");
            ::signal(number, SIG_DFL);  // a shell without job control hands SIGINT down as ignored
            exec_locksim({"run", "long.toml", scenario, "--set", "duration=50us", "--seeds", "1..1000000", "--format",
                          "json", "--output", "report"});
        }
        ::usleep(700'000);
        ::kill(child, number);
        int status = 0;
        ::waitpid(child, &status, 0);
        INFO(number << " " << content(caught / "err"));
        CHECK(shell_status(status) == 130);
        CHECK_THAT(content(folder / "report"), ContainsSubstring("\"seed\": 1,") && ContainsSubstring("\"digest\""));
        CHECK(content(folder / "report").ends_with("}\n"));
        CHECK_THAT(content(caught / "err"),
                   ContainsSubstring("interrupted: ") && ContainsSubstring("finished and kept"));
        CHECK(folder.files() == 2);
    }
}

TEST_CASE("Ctrl-C ends a comparison, and what was finished is compared", "[unit]") {
    const TemporaryFolder folder;
    OnTerminal terminal(folder / "", 80, {"compare", "--duration", "20ms", "--seeds", "1..5000", scenario});
    terminal.read_until(" left");
    CHECK_THAT(terminal.seen, ContainsSubstring("%  run "));
    terminal.type(ctrl_c);
    CHECK(terminal.end() == 130);
    CHECK_THAT(terminal.seen, ContainsSubstring("stopped early: ") && ContainsSubstring("interrupted: ") &&
                                  (ContainsSubstring("from base") || ContainsSubstring("as long as base")));
}

TEST_CASE("Bars of a comparison are for terminals, blocks for those that show UTF-8", "[unit]") {
    const TemporaryFolder folder;
    const auto on_terminal = [&](const char* locale, int columns) {
        OnTerminal terminal(folder / "", columns, {"compare", scenario, "--lock", "ticket,mcs"},
                            [locale] { ::setenv("LC_ALL", locale, 1); });
        CHECK(terminal.end() == 0);
        return without_escapes(terminal.seen);
    };
    CHECK_THAT(on_terminal("C.UTF-8", 80), ContainsSubstring("\u2588\u2588") && !ContainsSubstring("##"));
    CHECK_THAT(on_terminal("C", 80), ContainsSubstring("##") && !ContainsSubstring("\u2588"));
    CHECK_THAT(on_terminal("C", 40), !ContainsSubstring("##"));
}

TEST_CASE("Ctrl-C ends --stability and leaves the verdict untested", "[unit]") {
    const TemporaryFolder folder;
    std::ofstream(folder / "s.toml") << content(scenario);
    OnTerminal terminal(folder / "", 80, {"run", "--stability", "--duration", "60ms", "s.toml"});
    terminal.read_until("disturbed run");
    terminal.type(ctrl_c);
    CHECK(terminal.end() == 130);
    CHECK_THAT(terminal.seen, ContainsSubstring("interrupted: "));
}

TEST_CASE("Ctrl-C ends the compilation of user locks and leaves nothing of it", "[unit]") {
    const TemporaryFolder folder;
    OnTerminal terminal(folder / "", 80,
                        {"-v", "list", "locks", "--locks", std::string(LOCKSIM_SOURCE_DIR) + "/tests/tools/data/locks"},
                        [&folder] { ::setenv("XDG_CACHE_HOME", (folder / "").c_str(), 1); });
    terminal.read_until("compiling");
    ::usleep(200'000);
    terminal.type(ctrl_c);
    CHECK(terminal.end() == 130);
    CHECK_THAT(terminal.seen, ContainsSubstring("interrupted: nothing has run"));
    CHECK(std::filesystem::is_empty(folder / "locksim"));
}

TEST_CASE("A second Ctrl-C ends the command at once", "[unit]") {
    // The reader of stdout is slow: after the first signal the report cannot be written.
    const TemporaryFolder folder;
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        prepare_child(folder / "");
        ::signal(SIGINT, SIG_DFL);
        exec_locksim({"run", "-q", "--format", "json", "--set", "duration=50us", "--seeds", "1..1000000", scenario});
    }
    ::usleep(700'000);
    ::kill(child, SIGINT);
    ::usleep(700'000);
    int status = 0;
    CHECK(::waitpid(child, &status, WNOHANG) == 0);  // a report of hundreds of runs fills the pipe
    ::kill(child, SIGINT);
    ::waitpid(child, &status, 0);
    CHECK(shell_status(status) == 130);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST_CASE("A reader that has gone is no error, whatever the parent says of SIGPIPE", "[unit]") {
    const TemporaryFolder folder;
    for (const auto action : {SIG_DFL, SIG_IGN}) {
        for (const char* format : {"table", "json", "csv"}) {
            const ProcessEnd end = call_in(folder / "", {"run", scenario, "--format", format}, [action] {
                int ends[2];
                if (::pipe(ends) != 0) { ::_exit(125); }
                ::dup2(ends[1], STDOUT_FILENO);
                ::close(ends[0]);
                ::close(ends[1]);
                std::signal(SIGPIPE, action);
            });
            INFO(format);
            CHECK(end.status == 0);
            CHECK(end.err.empty());
        }
    }
}
