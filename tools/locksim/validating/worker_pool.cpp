#include "tools/locksim/validating/worker_pool.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <list>
#include <stdexcept>

namespace locksim {

namespace {

constexpr int look_every_ms = 100;
constexpr char is_result = 'r', is_problem = 'p';

void write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0 && errno == EINTR) { continue; }
        if (written < 0) { return; }  // the parent has gone
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

[[noreturn]] void work_as_child(const PoolJob& job, pid_t parent, int out) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) { ::_exit(1); }  // it has ended meanwhile
    std::signal(SIGINT, SIG_IGN);               // the parent's to answer: it ends this process
    std::string answer;
    try {
        answer = is_result + job.work();
    } catch (const std::exception& error) { answer = is_problem + std::string(error.what()); }
    write_all(out, answer);
    ::_exit(0);
}

struct Child {
    std::size_t job = 0;
    pid_t pid = -1;
    int from = -1;
    std::string unread;
};

Child start(const std::vector<PoolJob>& jobs, std::size_t number) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) { throw std::runtime_error(std::strerror(errno)); }
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::close(ends[0]);
        work_as_child(jobs[number], parent, ends[1]);
    }
    ::close(ends[1]);
    if (pid < 0) {
        ::close(ends[0]);
        throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    }
    return {.job = number, .pid = pid, .from = ends[0], .unread = {}};
}

int end_of(const Child& child) {
    int status = 0;
    ::close(child.from);
    while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

PoolResult result_of(const Child& child, int status) {
    PoolResult result;
    if (WIFSIGNALED(status)) {
        result.problem = fmt::format("ended by signal {}", WTERMSIG(status));
    } else if (child.unread.empty()) {
        result.problem = fmt::format("ended with status {} and no result", WEXITSTATUS(status));
    } else {
        result.finished = child.unread.front() == is_result;
        (result.finished ? result.text : result.problem) = child.unread.substr(1);
    }
    return result;
}

/// False at the end of what the child has to say.
bool read_from(Child& child) {
    std::array<char, 65536> bytes;
    const ssize_t got = ::read(child.from, bytes.data(), bytes.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) { return true; }
    if (got <= 0) { return false; }
    child.unread.append(bytes.data(), static_cast<std::size_t>(got));
    return true;
}

/// The children that run; those that still do are ended with it.
class Children {
public:
    ~Children() {
        for (const Child& child : running) {
            ::kill(child.pid, SIGKILL);
            end_of(child);
        }
    }
    std::list<Child> running;
};

}  // namespace

std::vector<PoolResult> run_pool(const std::vector<PoolJob>& jobs, unsigned at_once,
                                 const std::function<bool(const PoolState&)>& keep_going) {
    std::vector<PoolResult> results(jobs.size());
    PoolState state;
    Children children;
    std::size_t next = 0;
    while (next < jobs.size() || !children.running.empty()) {
        while (next < jobs.size() && children.running.size() < std::max(at_once, 1U)) {
            children.running.push_back(start(jobs, next++));
        }
        state.label = jobs[children.running.front().job].label;
        if (!keep_going(state)) { return results; }

        std::vector<pollfd> ends;
        for (const Child& child : children.running) {
            ends.push_back({.fd = child.from, .events = POLLIN, .revents = 0});
        }
        if (::poll(ends.data(), ends.size(), look_every_ms) <= 0) { continue; }
        auto child = children.running.begin();
        for (const pollfd& end : ends) {
            if (end.revents == 0 || read_from(*child)) {
                ++child;
                continue;
            }
            results[child->job] = result_of(*child, end_of(*child));
            ++state.finished;
            state.finished_weight += jobs[child->job].weight;
            child = children.running.erase(child);
        }
    }
    return results;
}

}  // namespace locksim
