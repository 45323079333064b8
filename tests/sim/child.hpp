#pragma once
// Runs code that must end its process, in a child process, and tells how it ended and what it wrote to stderr.

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace sim::test {

struct ChildEnd {
    int exit_status = -1;  ///< -1: killed by a signal, or still running after `seconds` and ended by the test
    std::string said;
};

template <class Code>
ChildEnd in_child(const Code& code, int seconds = 60) {
    int ends[2];
    if (pipe(ends) != 0) { std::abort(); }
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        code();
        _exit(0);
    }
    close(ends[1]);

    ChildEnd result;
    pollfd watched{ends[0], POLLIN, 0};
    char buffer[1024];
    for (int left = seconds * 10; left > 0;) {
        const int ready = poll(&watched, 1, 100);
        if (ready <= 0) {
            --left;
            continue;
        }
        const ssize_t n = read(ends[0], buffer, sizeof buffer);
        if (n <= 0) { break; }
        result.said.append(buffer, static_cast<std::size_t>(n));
    }
    close(ends[0]);
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == 0) {
        usleep(200'000);  // it has closed its stderr: it is about to end
        if (waitpid(child, &status, WNOHANG) == 0) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
        }
    }
    if (WIFEXITED(status)) { result.exit_status = WEXITSTATUS(status); }
    return result;
}

}  // namespace sim::test
