#include "tools/locksim/comparing/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "tools/locksim/comparing/disturbance.hpp"

extern char** environ;

namespace locksim {

namespace {

constexpr int poll_ms = 200;  // how often somebody looks whether Ctrl-C came

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) { pointers.push_back(word.data()); }
    pointers.push_back(nullptr);
    return pointers;
}

std::array<int, 2> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) { throw std::runtime_error(std::strerror(errno)); }
    return ends;
}

/// In the child: never returns. Only what may be called between fork and exec.
[[noreturn]] void become(Role role, pid_t parent, int in, int out, char** argv, char** variables) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) { ::_exit(1); }  // it has ended meanwhile
    std::signal(SIGINT, SIG_IGN);               // the parent's to answer: it ends this process
    ::dup2(in, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    if (role == Role::moved) {
        randomise_layout();
        if (::chdir("/") != 0) { ::_exit(1); }
    } else {
        fix_layout();
    }
    ::execve("/proc/self/exe", argv, variables);
    ::_exit(1);
}

bool begins_with(std::string_view line, std::string_view word) { return line.starts_with(word); }

std::int64_t number_after(std::string_view line, std::string_view word) {
    std::int64_t value = 0;
    line.remove_prefix(word.size());
    std::from_chars(line.data(), line.data() + line.size(), value);
    return value;
}

}  // namespace

WorkerProcess::WorkerProcess(Role role, const std::vector<std::string>& arguments) : role_(role) {
    std::vector<std::string> words{"locksim"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.push_back("--worker=" + letter_of(role));
    std::vector<std::string> variables = disturbed_environment();
    const std::vector<char*> argv = pointers_to(words);
    std::vector<char*> disturbed = pointers_to(variables);
    const std::array<int, 2> requests = make_pipe();
    const std::array<int, 2> replies = make_pipe();
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) {
        char** const environment = role == Role::moved ? disturbed.data() : environ;
        become(role, parent, requests[0], replies[1], const_cast<char**>(argv.data()), environment);
    }
    const int error = errno;
    ::close(requests[0]);
    ::close(replies[1]);
    to_ = requests[1];
    from_ = replies[0];
    if (pid_ < 0) { throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(error)); }
}

WorkerProcess::~WorkerProcess() {
    ::close(to_);
    ::close(from_);
    if (pid_ <= 0) { return; }
    ::kill(pid_, SIGKILL);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
}

void Conversation::ask(WorkerProcess& worker, const std::string& request) {
    const std::string line = request + "\n";
    Asked asked{.worker = worker, .answer = {}};
    if (::write(worker.to_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
        asked.answer.gone = asked.over = true;
    }
    asked_.push_back(std::move(asked));
}

void Conversation::greet(WorkerProcess& worker) {
    asked_.push_back({.worker = worker, .answer = {}, .greeting = true});
}

void Conversation::take_lines(Asked& asked) {
    std::string& unread = asked.worker.unread_;
    std::size_t begin = 0;
    for (std::size_t end = 0; !asked.over && (end = unread.find('\n', begin)) != std::string::npos; begin = end + 1) {
        const std::string_view line = std::string_view(unread).substr(begin, end - begin);
        if (begins_with(line, "now ")) {
            asked.now_ps = number_after(line, "now ");
        } else if (begins_with(line, "end ")) {
            asked.answer.status = static_cast<int>(number_after(line, "end "));
            asked.over = true;
        } else {
            asked.answer.lines.emplace_back(line);
            asked.over = asked.greeting && begins_with(line, "ready ");
        }
    }
    unread.erase(0, begin);
}

void Conversation::read_from(Asked& asked) {
    std::array<char, 65536> bytes;
    const ssize_t got = ::read(asked.worker.from_, bytes.data(), bytes.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) { return; }
    if (got <= 0) {
        asked.answer.gone = asked.over = true;
        return;
    }
    asked.worker.unread_.append(bytes.data(), static_cast<std::size_t>(got));
    take_lines(asked);
}

std::vector<Answer> Conversation::answers(const Progress& progress) {
    const auto is_over = [](const Asked& asked) { return asked.over; };
    while (!std::all_of(asked_.begin(), asked_.end(), is_over)) {
        std::vector<pollfd> ends;
        std::vector<Asked*> waiting;
        std::int64_t now = INT64_MAX;
        for (Asked& asked : asked_) {
            if (asked.over) { continue; }
            ends.push_back({.fd = asked.worker.from_, .events = POLLIN, .revents = 0});
            waiting.push_back(&asked);
            now = std::min(now, asked.now_ps);
        }
        if (!progress(now)) { return {}; }
        if (::poll(ends.data(), ends.size(), poll_ms) <= 0) { continue; }
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (ends[i].revents != 0) { read_from(*waiting[i]); }
        }
    }
    std::vector<Answer> answers;
    for (Asked& asked : asked_) { answers.push_back(std::move(asked.answer)); }
    return answers;
}

}  // namespace locksim
