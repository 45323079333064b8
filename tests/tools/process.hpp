#pragma once
// The built command as a process of its own, in a folder of its own: no shell between the test and it.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "tests/tools/temporary_folder.hpp"

namespace locksim_test {

struct ProcessEnd {
    int status = -1;  ///< 128 + n: ended by signal n, as shells say it
    std::string out, err;
};

inline int shell_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

inline const std::string& test_configs() {
    static const std::string folder = std::string(LOCKSIM_SOURCE_DIR) + "/tests/tools/data/configs";
    return folder;
}

/// In a child before exec: what every call of the command finds.
inline void prepare_child(const std::string& folder) {
    if (::chdir(folder.c_str()) != 0) { ::_exit(126); }
    ::setenv("LOCKSIM_CONFIGS", test_configs().c_str(), 1);
    for (const char* name : {"NO_COLOR", "COLUMNS", "LOCKSIM_COMMAND"}) { ::unsetenv(name); }
    ::alarm(60);  // survives exec: what hangs ends with 142
}

[[noreturn]] inline void exec_locksim(const std::vector<std::string>& arguments) {
    std::vector<std::string> words{LOCKSIM_BINARY};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) { argv.push_back(word.data()); }
    argv.push_back(nullptr);
    ::execv(argv.front(), argv.data());
    ::_exit(127);
}

/// Calls the command in `folder`; its own outputs are caught outside of it. `in_child` runs last before exec.
inline ProcessEnd call_in(const std::string& folder, const std::vector<std::string>& arguments,
                          const std::function<void()>& in_child = {}) {
    const TemporaryFolder caught;
    const int out = ::open((caught / "out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const int err = ::open((caught / "err").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
        ::dup2(out, STDOUT_FILENO);
        ::dup2(err, STDERR_FILENO);
        prepare_child(folder);
        if (in_child) { in_child(); }
        exec_locksim(arguments);
    }
    ::close(out);
    ::close(err);
    int status = 0;
    ::waitpid(child, &status, 0);
    return {shell_status(status), content(caught / "out"), content(caught / "err")};
}

}  // namespace locksim_test
