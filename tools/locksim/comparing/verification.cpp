#include "tools/locksim/comparing/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <sstream>
#include <stdexcept>

#include "tools/locksim/comparing/worker_process.hpp"

namespace locksim {

namespace {

constexpr std::uint64_t stride = 4096;     // steps between checkpoints: the search reads so many of them
constexpr std::uint64_t following = 4096;  // steps after that, to tell what became of it
constexpr std::size_t kept_events = 8;     // of these, for the report
constexpr std::size_t shown_owners = 5;

std::string after(const std::string& line, std::string_view word) {
    return line.starts_with(word) ? line.substr(word.size()) : "";
}

/// Of an answer to "digest".
Outcome outcome_of(const Answer& answer) {
    Outcome outcome;
    for (const std::string& line : answer.lines) {
        const std::string digest = after(line, "digest ");
        if (!digest.empty()) { outcome.digest = digest; }
        // What a crash says begins with the command's name.
        for (const char* word : {"error ", "locksim: "}) {
            if (const std::string text = after(line, word); !text.empty()) { outcome.error = text; }
        }
    }
    if (outcome.digest.empty() && outcome.error.empty()) {
        outcome.error = answer.status > 128 ? fmt::format("ended by signal {}", answer.status - 128)
                                            : fmt::format("ended with status {}", answer.status);
    }
    return outcome;
}

/// Of an answer to "checkpoints": how many steps, and the hash over them.
struct Checkpoint {
    std::uint64_t steps = 0;
    std::string hash;
    bool operator==(const Checkpoint&) const = default;
};
std::vector<Checkpoint> checkpoints_of(const Answer& answer) {
    std::vector<Checkpoint> checkpoints;
    for (const std::string& line : answer.lines) {
        std::istringstream words(line);
        std::string word;
        Checkpoint checkpoint;
        words >> word >> checkpoint.steps >> checkpoint.hash;
        if (word == "at" || word == "steps") { checkpoints.push_back(std::move(checkpoint)); }
    }
    return checkpoints;
}

std::vector<Event> events_of(const Answer& answer) {
    std::vector<Event> events;
    for (const std::string& line : answer.lines) {
        if (line.starts_with("{")) { events.push_back(parse_event(line)); }
    }
    return events;
}

class Verifier {
public:
    Verifier(const FilePlan& plan, const PhaseRange& phases, const std::vector<std::string>& arguments,
             const std::function<bool(std::size_t, std::int64_t)>& progress)
        : plan_(plan), phases_(phases), progress_(progress) {
        for (const Role role : roles) { workers_.emplace_back(role, arguments); }
    }

    Verification verify() {
        const auto begin = std::chrono::steady_clock::now();
        result_.title = plan_.variants.front().title;
        result_.file = plan_.variants.front().file;
        result_.planned = count_runs(plan_, phases_);
        greet();
        for (run_ = 0; run_ < result_.planned && !result_.interrupted; ++run_) { verify_run(); }
        std::size_t located = 0;
        for (run_ = 0; run_ < result_.runs.size() && !result_.interrupted; ++run_) {
            VerifiedRun& run = result_.runs[run_];
            if (!run.same()) { locate_all(run, ++located <= most_located); }
        }
        result_.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return std::move(result_);
    }

private:
    using Requests = std::vector<std::pair<WorkerProcess*, std::string>>;

    WorkerProcess& worker(Role role) { return workers_[static_cast<std::size_t>(role)]; }

    std::vector<Answer> wait_for(Conversation& conversation) {
        std::vector<Answer> answers =
            conversation.answers([this](std::int64_t now_ps) { return progress_(run_, now_ps); });
        if (answers.empty()) { result_.interrupted = true; }
        for (const Answer& answer : answers) {
            if (!answer.gone) { continue; }
            if (!progress_(run_, 0)) {  // a signal to all of the group
                result_.interrupted = true;
                return {};
            }
            const std::string said = answer.lines.empty() ? "" : ": " + answer.lines.back();
            throw std::runtime_error("one of the processes to compare has ended" + said);
        }
        return answers;
    }

    std::vector<Answer> ask(const Requests& requests) {
        Conversation conversation;
        for (const auto& [asked, request] : requests) { conversation.ask(*asked, request); }
        return wait_for(conversation);
    }

    void greet() {
        Conversation conversation;
        for (WorkerProcess& worker : workers_) { conversation.greet(worker); }
        const std::vector<Answer> answers = wait_for(conversation);
        for (std::size_t i = 0; i < answers.size(); ++i) {
            std::istringstream words(answers[i].lines.back());
            std::string ready, layout;
            words >> ready >> layout >> result_.locale[i];
            result_.fixed_layout[i] = layout == "fixed";
        }
    }

    void verify_run() {
        Requests requests;
        for (WorkerProcess& worker : workers_) { requests.emplace_back(&worker, fmt::format("digest {}", run_)); }
        const std::vector<Answer> answers = ask(requests);
        if (answers.empty()) { return; }
        const PlannedRun planned = planned_run(plan_, phases_, run_);
        VerifiedRun run{.variant = planned.variant->variant,
                        .config_digest = with_seed(*planned.variant, planned.seed).config_digest,
                        .seed = planned.seed,
                        .phase = planned.phase,
                        .outcomes = {},
                        .differences = {}};
        std::transform(answers.begin(), answers.end(), run.outcomes.begin(), outcome_of);
        result_.runs.push_back(std::move(run));
    }

    void locate_all(VerifiedRun& run, bool search) {
        for (const Role other : {Role::moved, Role::polling}) {
            if (run.outcomes[static_cast<std::size_t>(other)] == run.outcomes[0]) { continue; }
            FirstDifference difference;
            difference.b = other;
            if (search) {
                locate(difference);
            } else {
                difference.note = fmt::format("not looked for: {} runs before this one differ", most_located);
            }
            run.differences.push_back(std::move(difference));
        }
    }

    Requests to_both(const FirstDifference& difference, const std::string& request) {
        return {{&worker(difference.a), request}, {&worker(difference.b), request}};
    }

    /// Two more runs of each process: one for the hashes, one for the steps around the first hash that differs.
    void locate(FirstDifference& difference) {
        const auto hashed = ask(to_both(difference, fmt::format("checkpoints {} {}", run_, stride)));
        if (hashed.empty()) { return; }
        const std::vector<Checkpoint> a = checkpoints_of(hashed[0]);
        const std::vector<Checkpoint> b = checkpoints_of(hashed[1]);
        const auto [at_a, at_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
        if (at_a == a.end() && at_b == b.end()) {
            difference.note =
                "every step that can be observed is the same: the digests differ by something else that they count";
            return;
        }
        const std::uint64_t alike = at_a == a.begin() ? 0 : std::prev(at_a)->steps;
        const std::uint64_t first = alike == 0 ? 0 : alike - 1;  // with the one before
        const auto seen =
            ask(to_both(difference, fmt::format("steps {} {} {}", run_, first, alike + stride + following)));
        if (!seen.empty()) { tell(difference, first, events_of(seen[0]), events_of(seen[1])); }
    }

    static void tell(FirstDifference& difference, std::uint64_t first, const std::vector<Event>& a,
                     const std::vector<Event>& b) {
        const auto parting = find_parting(a, b, Causes::ignored);
        if (!parting) {
            difference.note =
                "it differs from one repetition to the next in the same process: the first step that "
                "differs cannot be told";
            return;
        }
        difference.step = first + parting->at + 1;
        difference.keys = parting->keys;
        if (parting->at > 0) { difference.before = a[parting->at - 1]; }
        const auto some = [&parting](const std::vector<Event>& events) {
            const auto begin = events.begin() + static_cast<std::ptrdiff_t>(std::min(parting->at, events.size()));
            return std::vector<Event>(begin, begin + std::min<std::ptrdiff_t>(events.end() - begin, kept_events));
        };
        difference.events_a = some(a);
        difference.events_b = some(b);
        difference.after = aftermath(a, b, *parting, shown_owners);
    }

    const FilePlan& plan_;
    PhaseRange phases_;
    const std::function<bool(std::size_t, std::int64_t)>& progress_;
    std::deque<WorkerProcess> workers_;  // in the order of `roles`
    std::size_t run_ = 0;
    Verification result_;
};

}  // namespace

std::size_t Verification::differing(Role role) const {
    return static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), [role](const VerifiedRun& run) {
        return run.outcomes[static_cast<std::size_t>(role)] != run.outcomes[0];
    }));
}

const VerifiedRun* Verification::first_differing() const {
    const auto found = std::find_if(runs.begin(), runs.end(), [](const VerifiedRun& run) { return !run.same(); });
    return found == runs.end() ? nullptr : &*found;
}

const VerifiedRun* Verification::first_failed() const {
    const auto found = std::find_if(
        runs.begin(), runs.end(), [](const VerifiedRun& run) { return run.same() && !run.outcomes[0].error.empty(); });
    return found == runs.end() ? nullptr : &*found;
}

Verification verify(const FilePlan& plan, const PhaseRange& phases, const std::vector<std::string>& arguments,
                    const std::function<bool(std::size_t, std::int64_t)>& progress) {
    return Verifier(plan, phases, arguments, progress).verify();
}

}  // namespace locksim
