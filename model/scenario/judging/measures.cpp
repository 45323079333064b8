#include "model/scenario/judging/measures.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "model/scenario/reading/config_error.hpp"

namespace model {
namespace {

using Value = std::optional<double>;
using OverThreads = MeasureRow::OverThreads;

double count(std::uint64_t n) { return static_cast<double>(n); }

/// A wait that has not ended is no sample yet, but it has a length.
Value longest_wait(const ThreadResult& thread) {
    if (thread.wait_ns.samples == 0 && thread.longest_wait_ns <= 0) { return std::nullopt; }
    return thread.longest_wait_ns;
}

Value transfers(const LockResult& lock) {
    if (lock.acquisitions == 0) { return std::nullopt; }
    double sum = 0;
    for (const auto& [distance, transfers] : lock.transfers_per_acquisition) { sum += transfers; }
    return sum;
}

Value ns_per_acquisition(const RunResult& run) {
    if (run.ns_per_acquisition <= 0) { return std::nullopt; }
    return run.ns_per_acquisition;
}

constexpr double ns_per_second = 1e9;

const std::array<MeasureRow, 25> rows{{
    {.name = "longest_wait",
     .doc = "longest wait for any lock; one that has not ended counts up to the end of the run",
     .dimension = 1,
     .over_threads = OverThreads::maximum,
     .of_thread = longest_wait},
    {.name = "acquisitions",
     .doc = "how often locks were acquired",
     .over_threads = OverThreads::sum,
     .of_thread = [](const ThreadResult& thread) -> Value { return count(thread.acquisitions); },
     .of_lock = [](const LockResult& lock) -> Value { return count(lock.acquisitions); }},
    {.name = "operations",
     .doc = "bodies completed",
     .over_threads = OverThreads::sum,
     .of_thread = [](const ThreadResult& thread) -> Value { return count(thread.operations); }},
    {.name = "operations_imbalance",
     .doc = "most bodies of one thread of the group by fewest of another; inf: one has none",
     .over_threads = OverThreads::ratio,
     .of_thread = [](const ThreadResult& thread) -> Value { return count(thread.operations); }},
    {.name = "share",
     .doc = "share of all acquisitions, over all locks",
     .over_threads = OverThreads::share,
     .of_thread = [](const ThreadResult& thread) -> Value { return count(thread.acquisitions); }},
    {.name = "imbalance",
     .doc = "most acquisitions of one thread of the group by fewest of another; inf: one has none",
     .over_threads = OverThreads::ratio,
     .of_thread = [](const ThreadResult& thread) -> Value { return count(thread.acquisitions); }},
    {.name = "finished",
     .doc = "threads that have done all their iterations",
     .over_threads = OverThreads::sum,
     .of_thread = [](const ThreadResult& thread) -> Value { return thread.finished ? 1 : 0; }},
    {.name = "cas_failures",
     .doc = "failed compare-and-swaps",
     .over_threads = OverThreads::sum,
     .of_thread = [](const ThreadResult& thread) -> Value { return count(thread.cas_fail); }},
    {.name = "sc_failures",
     .doc = "failed store-exclusives",
     .over_threads = OverThreads::sum,
     .of_thread = [](const ThreadResult& thread) -> Value { return count(thread.sc_fail); }},
    {.name = "sc_successes",
     .doc = "store-exclusives that succeeded",
     .over_threads = OverThreads::sum,
     .of_thread = [](const ThreadResult& thread) -> Value { return count(thread.sc_success); }},
    {.name = "threads",
     .doc = "how many threads there are",
     .over_threads = OverThreads::sum,
     .of_thread = [](const ThreadResult&) -> Value { return 1; }},
    {.name = "contended",
     .doc = "acquisitions that had to wait",
     .of_lock = [](const LockResult& lock) -> Value { return count(lock.contended); }},
    {.name = "throughput",
     .doc = "acquisitions per simulated second",
     .dimension = -1,
     .of_lock = [](const LockResult& lock) -> Value { return lock.throughput_per_s / ns_per_second; }},
    {.name = "jain",
     .doc = "Jain's fairness index over the threads; 1: all alike",
     .of_lock = [](const LockResult& lock) -> Value { return lock.jain; }},
    {.name = "streak",
     .doc = "most acquisitions in a row by one thread",
     .of_lock = [](const LockResult& lock) -> Value { return count(lock.longest_streak); }},
    {.name = "bypass",
     .doc = "most acquisitions by others during one wait",
     .of_lock = [](const LockResult& lock) -> Value { return count(lock.longest_bypass); }},
    {.name = "steals",
     .doc = "acquisitions by a thread that came after one that still waited",
     .of_lock = [](const LockResult& lock) -> Value { return count(lock.steals); }},
    {.name = "failed_tries",
     .doc = "tries that did not get the lock",
     .of_lock = [](const LockResult& lock) -> Value { return count(lock.failed_tries); }},
    {.name = "transfers", .doc = "line transfers per acquisition, over all distances", .of_lock = transfers},
    {.name = "ns_per_acquisition",
     .doc = "measured time by acquisitions over all locks",
     .dimension = 1,
     .of_run = ns_per_acquisition},
    {.name = "simulated",
     .doc = "simulated time at the end of the run",
     .dimension = 1,
     .of_run = [](const RunResult& run) -> Value { return run.simulated_ns; }},
    {.name = "wait",
     .doc = "times from asking for a lock to having it, all acquisitions",
     .dimension = 1,
     .over_threads = OverThreads::maximum,
     .times_of_thread = [](const ThreadResult& thread) -> const Summary& { return thread.wait_ns; },
     .times_of_lock = [](const LockResult& lock) -> const Summary& { return lock.wait_ns; }},
    {.name = "contended_wait",
     .doc = "the same, contended acquisitions only",
     .dimension = 1,
     .times_of_lock = [](const LockResult& lock) -> const Summary& { return lock.contended_wait_ns; }},
    {.name = "hold",
     .doc = "times from having the lock to releasing it",
     .dimension = 1,
     .times_of_lock = [](const LockResult& lock) -> const Summary& { return lock.hold_ns; }},
    {.name = "handover",
     .doc = "times from a release to the next owner's return from its acquire, where that owner was waiting",
     .dimension = 1,
     .times_of_lock = [](const LockResult& lock) -> const Summary& { return lock.handover_ns; }},
}};

struct Statistic {
    std::string_view name;
    double Summary::*member;
};
constexpr std::array<Statistic, 7> statistics{{{"min", &Summary::min},
                                               {"mean", &Summary::mean},
                                               {"p50", &Summary::p50},
                                               {"p90", &Summary::p90},
                                               {"p99", &Summary::p99},
                                               {"p999", &Summary::p999},
                                               {"max", &Summary::max}}};

Value statistic_of(const Summary& times, std::string_view name) {
    if (times.samples == 0) { return std::nullopt; }
    const auto* found =
        std::find_if(statistics.begin(), statistics.end(), [&](const Statistic& row) { return row.name == name; });
    return times.*(found->member);
}

Value thread_value(const MeasureRow& row, const MeasureCall& call, const ThreadResult& thread) {
    return row.is_distribution() ? statistic_of(row.times_of_thread(thread), call.statistic) : row.of_thread(thread);
}

Value lock_value(const MeasureRow& row, const MeasureCall& call, const LockResult& lock) {
    return row.is_distribution() ? statistic_of(row.times_of_lock(lock), call.statistic) : row.of_lock(lock);
}

double total_acquisitions(const RunResult& run) {
    double total = 0;
    for (const auto& thread : run.threads) { total += count(thread.acquisitions); }
    return total;
}

/// 0 of 0 is no ratio.
Value ratio(double most, double least) {
    if (most <= 0) { return std::nullopt; }
    return least > 0 ? most / least : std::numeric_limits<double>::infinity();
}

/// Threads without a sample do not count; if none has one, there is no value.
Value value_over_threads(const MeasureRow& row, const MeasureCall& call, const RunResult& run,
                         const std::vector<const ThreadResult*>& threads) {
    Value result;
    Value least;
    for (const auto* thread : threads) {
        const Value value = thread_value(row, call, *thread);
        if (!value) { continue; }
        least = least ? std::min(*least, *value) : value;
        if (!result) {
            result = value;
        } else if (row.over_threads == OverThreads::maximum || row.over_threads == OverThreads::ratio) {
            result = std::max(*result, *value);
        } else {
            *result += *value;
        }
    }
    if (row.over_threads == OverThreads::ratio && result) { return ratio(*result, *least); }
    if (row.over_threads != OverThreads::share || !result) { return result; }
    const double total = total_acquisitions(run);
    if (total <= 0) { return std::nullopt; }
    return *result / total;
}

/// One thread, or those of one group. A group of one has its thread's name, and then both are the same.
std::vector<const ThreadResult*> threads_named(const std::string& name, const RunResult& run) {
    std::vector<const ThreadResult*> threads;
    for (const auto& thread : run.threads) {
        if (thread.name == name || thread.group == name) { threads.push_back(&thread); }
    }
    return threads;
}

/// What an argument may name in a scenario.
struct Names {
    std::vector<std::string> threads;  ///< and groups
    std::vector<std::string> locks;

    explicit Names(const Scenario& scenario) {
        for (const auto& group : scenario.groups) {
            threads.push_back(group.name);
            for (auto& thread : thread_names(group)) {
                if (thread != group.name) { threads.push_back(std::move(thread)); }
            }
        }
        locks = names_in(scenario.locks, &LockConfig::name);
    }
};

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string problem_of_statistic(const MeasureRow& row, const MeasureCall& call) {
    if (!row.is_distribution()) {
        return call.statistic.empty() ? "" : fmt::format("{} is one value and has no {}", row.name, call.statistic);
    }
    const auto known = statistic_names();
    if (call.statistic.empty()) {
        return fmt::format("{} is a set of times: write for example p50({}({}))", row.name, row.name, call.argument);
    }
    if (!contains(known, call.statistic)) {
        return fmt::format("no statistic {}{}", call.statistic, suggestion(call.statistic, known));
    }
    return "";
}

std::string problem_of_argument(const MeasureRow& row, const MeasureCall& call, const Scenario& scenario) {
    if (!row.takes_threads() && !row.takes_locks()) {
        return call.argument.empty() ? "" : fmt::format("{}() takes no argument", row.name);
    }
    const Names names(scenario);
    const bool is_thread = row.takes_threads() && contains(names.threads, call.argument);
    const bool is_lock = row.takes_locks() && contains(names.locks, call.argument);
    if (is_thread && is_lock) {
        return fmt::format("{}({}): both a group and a lock have this name", row.name, call.argument);
    }
    if (is_thread || is_lock) { return ""; }
    std::vector<std::string> known;
    if (row.takes_threads()) { known.insert(known.end(), names.threads.begin(), names.threads.end()); }
    if (row.takes_locks()) { known.insert(known.end(), names.locks.begin(), names.locks.end()); }
    const std::string_view what = !row.takes_threads() ? "lock"
                                  : !row.takes_locks() ? "thread or group"
                                                       : "thread, group or lock";
    return fmt::format("{}({}): no such {}{}", row.name, call.argument, what, suggestion(call.argument, known));
}

}  // namespace

std::span<const MeasureRow> measure_rows() { return rows; }

std::vector<std::string> statistic_names() { return names_in(statistics, &Statistic::name); }

const MeasureRow* find_measure(std::string_view name) {
    for (const auto& row : rows) {
        if (row.name == name) { return &row; }
    }
    return nullptr;
}

std::vector<std::string> thread_names(const GroupConfig& group) {
    if (group.cpus.size() == 1) { return {group.name}; }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < group.cpus.size(); ++i) { names.push_back(fmt::format("{}.{}", group.name, i)); }
    return names;
}

std::string problem_of(const MeasureCall& call, const Scenario& scenario) {
    const MeasureRow* row = find_measure(call.name);
    if (row == nullptr) {
        if (contains(statistic_names(), call.name)) {
            return fmt::format("{} is a statistic of a set of times: write for example {}(wait({}))", call.name,
                               call.name, call.argument);
        }
        return fmt::format("no measure {}{}", call.name, suggestion(call.name, names_in(rows, &MeasureRow::name)));
    }
    const std::string problem = problem_of_statistic(*row, call);
    return problem.empty() ? problem_of_argument(*row, call, scenario) : problem;
}

std::optional<double> value_of(const MeasureCall& call, const RunResult& run) {
    const MeasureRow& row = *find_measure(call.name);
    if (row.of_run != nullptr) { return row.of_run(run); }
    if (row.takes_threads()) {
        const auto threads = threads_named(call.argument, run);
        if (!threads.empty()) { return value_over_threads(row, call, run, threads); }
    }
    if (row.takes_locks()) {
        for (const auto& lock : run.locks) {
            if (lock.name == call.argument) { return lock_value(row, call, lock); }
        }
    }
    return std::nullopt;
}

}  // namespace model
