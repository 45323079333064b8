#include "tools/locksim/comparing/worker.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <optional>
#include <sstream>

#include "model/scenario/running/runner.hpp"
#include "tools/locksim/comparing/checkpoints.hpp"
#include "tools/locksim/comparing/disturbance.hpp"
#include "tools/locksim/plan.hpp"
#include "tools/locksim/report.hpp"
#include "tools/locksim/text.hpp"
#include "tools/locksim/user_locks.hpp"

namespace locksim {

namespace {

/// A whole line at once: two processes may write at a time.
void say(std::string_view line) {
    while (!line.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, line.data(), line.size());
        if (written < 0 && errno == EINTR) { continue; }
        if (written < 0) { ::_exit(static_cast<int>(ExitStatus::not_written)); }  // nobody listens any more
        line.remove_prefix(static_cast<std::size_t>(written));
    }
}

class Monitor final : public model::RunMonitor {
public:
    explicit Monitor(const StepRange* range = nullptr) : range_(range) {}
    bool keep_going(sim::Time now) override {
        say(fmt::format("now {}\n", now.ps));
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

    void serve(const std::string& line) {
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
        say(fmt::format("end {}\n", copy < 0 ? static_cast<int>(ExitStatus::internal) : ended));
    }

private:
    void answer(const std::string& line) {
        std::istringstream words(line);
        words.imbue(std::locale::classic());
        std::string request;
        std::size_t run = 0;
        std::uint64_t from = 0, to = 0;
        words >> request >> run >> from >> to;
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
        Checkpoints checkpoints(
            stride, [](std::uint64_t steps, std::uint64_t hash) { say(fmt::format("at {} {:016x}\n", steps, hash)); });
        Monitor monitor;
        try {
            run(number, &checkpoints, monitor);
        } catch (const std::exception& error) { say(fmt::format("error {}\n", printable(error.what()))); }
        say(fmt::format("steps {} {:016x}\n", checkpoints.steps(), checkpoints.hash()));
    }

    void tell_steps(std::size_t number, std::uint64_t first, std::uint64_t end) {
        StepRange range(first, end, say);
        Monitor monitor(&range);
        run(number, &range, monitor);
    }

    Role role_;
    model::Catalogue catalogue_;
    FilePlan plan_;
    PhaseRange phases_;
};

/// The next line of stdin, without its end; none where it is closed. Not buffered: a copy must not have what was read.
std::optional<std::string> next_line() {
    std::string line;
    for (;;) {
        char c = 0;
        const ssize_t got = ::read(STDIN_FILENO, &c, 1);
        if (got < 0 && errno == EINTR) { continue; }
        if (got <= 0) { return std::nullopt; }
        if (c == '\n') { return line; }
        line += c;
    }
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

ExitStatus serve_as_worker(const Options& options) {
    const auto role = std::find_if(roles.begin(), roles.end(), [&](Role r) { return to_string(r) == options.worker; });
    if (role == roles.end()) { throw InputError("--worker: is not for people"); }
    const std::string locale = *role == Role::moved ? disturb_process() : "C";
    Worker worker(*role, options);
    say(fmt::format("ready {} {}\n", layout_is_fixed() ? "fixed" : "random", locale));
    while (const auto line = next_line()) { worker.serve(*line); }
    return ExitStatus::ok;
}

}  // namespace locksim
