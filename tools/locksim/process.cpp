#include "tools/locksim/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <map>

#include "tools/locksim/interrupt.hpp"

extern char** environ;

namespace locksim {

namespace {

constexpr int look_every_ms = 10;  // for ended jobs, and for Ctrl-C
constexpr int not_started = 127;   // as shells say it

int exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

/// 0 if it could not be started.
pid_t start(const Job& job) {
    std::vector<std::string> words = job.arguments;
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) { argv.push_back(word.data()); }
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, job.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    // The command ignores these; what it starts expects the default.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    // A group of its own: Ctrl-C is the command's, which then ends it with all that it has started.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

    pid_t pid = 0;
    const int error = posix_spawn(&pid, argv.front(), &actions, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error == 0 ? pid : 0;
}

}  // namespace

std::vector<int> run_jobs(const std::vector<Job>& jobs, unsigned at_once) {
    std::vector<int> statuses(jobs.size(), not_started);
    std::map<pid_t, std::size_t> running;
    std::size_t next = 0;
    while (next < jobs.size() || !running.empty()) {
        if (next < jobs.size() && running.size() < std::max(at_once, 1U)) {
            if (const pid_t pid = start(jobs[next]); pid != 0) { running[pid] = next; }
            ++next;
            continue;
        }
        if (interrupted()) {
            next = jobs.size();
            for (const auto& [job, number] : running) { ::kill(-job, SIGTERM); }
        }
        int status = 0;
        const pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid == 0) {
            ::poll(nullptr, 0, look_every_ms);
            continue;
        }
        if (pid < 0 && errno == EINTR) { continue; }
        if (pid < 0) { break; }  // no children left: somebody else has waited for them
        if (const auto job = running.find(pid); job != running.end()) {
            statuses[job->second] = exit_status(status);
            running.erase(job);
        }
    }
    return statuses;
}

}  // namespace locksim
