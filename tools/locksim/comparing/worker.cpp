#include "tools/locksim/comparing/worker.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "model/scenario/running/runner.hpp"
#include "tools/locksim/comparing/checkpoints.hpp"
#include "tools/locksim/comparing/disturbance.hpp"
#include "tools/locksim/plan.hpp"
#include "tools/locksim/report.hpp"
#include "tools/locksim/text.hpp"
#include "tools/locksim/user_locks.hpp"

namespace locksim {

namespace {

using Line = std::array<char, 128>;

/// A whole line at once: two processes may write at a time.
void say(std::string_view line) {
    while (!line.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, line.data(), line.size());
        if (written < 0 && errno == EINTR) { continue; }
        if (written < 0) { ::_exit(static_cast<int>(ExitStatus::not_written)); }  // nobody listens any more
        line.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// The same without the heap: it must be left alone while a run goes on, or code that depends on where its allocations
/// lie would do something else at each repetition.
template <class... Args>
void say_short(fmt::format_string<Args...> format, Args&&... args) {
    std::array<char, 80> line;
    const auto result = fmt::format_to_n(line.data(), line.size(), format, std::forward<Args>(args)...);
    say({line.data(), std::min(result.size, line.size())});
}

void say_checkpoint(std::uint64_t steps, std::uint64_t hash) { say_short("at {} {:016x}\n", steps, hash); }

class Monitor final : public model::RunMonitor {
public:
    explicit Monitor(const StepRange* range = nullptr) : range_(range) {}
    bool keep_going(sim::Time now) override {
        say_short("now {}\n", now.ps);
        return range_ == nullptr || !range_->over();
    }

private:
    const StepRange* range_;
};

class Worker {
public:
    Worker(Role role, const Options& options)
        : role_(role),
          catalogue_(load_catalogue(options.locks)),
          plan_(plan_file(options.files.front(), catalogue_, options)),
          phases_(asked_phases(options)) {}

    void serve(const Line& line) {
        const pid_t copy = ::fork();
        if (copy == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            ::dup2(STDOUT_FILENO, STDERR_FILENO);  // what a crash says is part of the answer
            answer(line);
            ::_exit(0);
        }
        int status = 0;
        while (copy > 0 && ::waitpid(copy, &status, 0) < 0 && errno == EINTR) {}
        const int ended = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        say_short("end {}\n", copy < 0 ? static_cast<int>(ExitStatus::internal) : ended);
    }

private:
    void answer(const Line& line) {
        std::array<char, 16> word{};
        std::size_t run = 0;
        unsigned long long from = 0, to = 0;
        std::sscanf(line.data(), "%15s %zu %llu %llu", word.data(), &run, &from, &to);
        const std::string_view request = word.data();
        try {
            if (request == "digest") { tell_digest(run); }
            if (request == "checkpoints") { tell_checkpoints(run, from); }
            if (request == "steps") { tell_steps(run, from, to); }
        } catch (const std::exception& error) { say(fmt::format("error {}\n", printable(error.what()))); }
    }

    std::optional<model::RunResult> run(std::size_t number, sim::Observer* observer, Monitor& monitor) {
        const PlannedRun planned = planned_run(plan_, phases_, number);
        model::Scenario scenario = with_seed(*planned.variant, planned.seed);
        if (role_ == Role::polling) { scenario.spin_elision = !scenario.spin_elision; }
        model::RunOptions options;
        options.phase = planned.phase;
        options.monitor = &monitor;
        options.observer = observer;
        options.moving_stacks = role_ == Role::moved;
        return model::run(scenario, catalogue_, options);
    }

    void tell_digest(std::size_t number) {
        Monitor monitor;
        if (const auto result = run(number, nullptr, monitor)) {
            say(fmt::format("digest {}\n", hex_digest(result->digest)));
        }
    }

    void tell_checkpoints(std::size_t number, std::uint64_t stride) {
        Checkpoints checkpoints(stride, say_checkpoint);
        Monitor monitor;
        try {
            run(number, &checkpoints, monitor);
        } catch (const std::exception& error) { say(fmt::format("error {}\n", printable(error.what()))); }
        say(fmt::format("steps {} {:016x}\n", checkpoints.steps(), checkpoints.hash()));
    }

    void tell_steps(std::size_t number, std::uint64_t first, std::uint64_t end) {
        StepRange range(first, end);
        Monitor monitor(&range);
        try {
            run(number, &range, monitor);
        } catch (const std::exception& error) { say(fmt::format("error {}\n", printable(error.what()))); }
        say(range.lines());
    }

    Role role_;
    model::Catalogue catalogue_;
    FilePlan plan_;
    PhaseRange phases_;
};

/// The next line of stdin, without its end; false where it is closed. Not buffered: a copy must not have what was read.
bool next_line(Line& line) {
    for (std::size_t used = 0; used < line.size(); ++used) {
        ssize_t got = 0;
        while ((got = ::read(STDIN_FILENO, &line[used], 1)) < 0 && errno == EINTR) {}
        if (got <= 0) { return false; }
        if (line[used] == '\n') {
            line[used] = '\0';
            return true;
        }
    }
    return false;
}

}  // namespace

std::string_view to_string(Role role) {
    switch (role) {
        case Role::plain: return "plain";
        case Role::moved: return "moved";
        case Role::polling: return "polling";
    }
    return "";
}

std::string letter_of(Role role) { return std::string(1, static_cast<char>('A' + static_cast<int>(role))); }

ExitStatus serve_as_worker(const Options& options) {
    const auto role = std::find_if(roles.begin(), roles.end(), [&](Role r) { return letter_of(r) == options.worker; });
    if (role == roles.end()) { throw InputError("--worker: is not for people"); }
    const std::string locale = *role == Role::moved ? disturb_process() : "C";
    Worker worker(*role, options);
    say(fmt::format("ready {} {}\n", layout_is_fixed() ? "fixed" : "random", locale));
    for (Line line{}; next_line(line);) { worker.serve(line); }
    return ExitStatus::ok;
}

}  // namespace locksim
