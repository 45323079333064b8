// `locksim validate`: published experiments, repeated by their protocol on simulated machines.

#include <fmt/format.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "build_info.hpp"
#include "locks/catalogue.hpp"
#include "model/scenario/reading/config_error.hpp"
#include "tools/locksim/configs.hpp"
#include "tools/locksim/interrupt.hpp"
#include "tools/locksim/log.hpp"
#include "tools/locksim/output.hpp"
#include "tools/locksim/progress.hpp"
#include "tools/locksim/text.hpp"
#include "tools/locksim/validating/sets.hpp"
#include "tools/locksim/validating/trust.hpp"
#include "tools/locksim/validating/validation.hpp"
#include "tools/locksim/verbs.hpp"

namespace locksim {

namespace {

unsigned asked_jobs(const Options& options) {
    if (options.jobs.empty()) { return std::max(1U, std::thread::hardware_concurrency()); }
    unsigned jobs = 0;
    const char* const end = options.jobs.data() + options.jobs.size();
    const auto [parsed, error] = std::from_chars(options.jobs.data(), end, jobs);
    constexpr unsigned most = 1024;
    if (error != std::errc{} || parsed != end || jobs < 1 || jobs > most) {
        throw InputError(fmt::format("-j {}: expected a whole number from 1 to {}", options.jobs, most));
    }
    return jobs;
}

/// Shows how far the work is, in expected host time; false after Ctrl-C.
class PoolProgress {
public:
    PoolProgress(double total_weight, std::size_t total, const Options& options)
        : total_(total),
          progress_(total_weight, look_at(STDERR_FILENO).is_terminal && !options.quiet, look_at(STDERR_FILENO).width) {}

    bool operator()(const PoolState& state) {
        progress_.begin_run(fmt::format("{} of {}: {}", state.finished + 1, total_, state.label));
        return progress_.keep_going({static_cast<std::int64_t>(state.finished_weight * ps_per_weight)});
    }

private:
    static constexpr double ps_per_weight = 1000;  // Progress counts nanoseconds
    std::size_t total_;
    Progress progress_;
};

/// All jobs of all sets in one pool, so that no worker waits at the end of a set.
std::vector<Validation> run_sets(std::vector<PreparedSet>& sets, const Options& options) {
    std::vector<PoolJob> jobs;
    double weight = 0;
    for (const PreparedSet& set : sets) {
        jobs.insert(jobs.end(), set.jobs.begin(), set.jobs.end());
        for (const PoolJob& job : set.jobs) { weight += job.weight; }
    }
    std::vector<PoolResult> results;
    {
        PoolProgress progress(weight, jobs.size(), options);
        results = run_pool(jobs, asked_jobs(options), [&progress](const PoolState& state) { return progress(state); });
    }
    std::vector<Validation> found;
    std::size_t first = 0;
    for (PreparedSet& set : sets) {
        const auto begin = results.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = begin + static_cast<std::ptrdiff_t>(set.jobs.size());
        set.finish(set.validation, {begin, end});
        first += set.jobs.size();
        found.push_back(std::move(set.validation));
    }
    return found;
}

/// What a machine file keeps must come from all of a set, on the machine as it stands there.
void check_write(const Options& options) {
    if (!options.write) { return; }
    if (options.quick || !options.sets.empty()) {
        throw InputError(
            "--write: not with --quick or --set: it stores the error of the whole set on the machine as it is");
    }
}

std::string content(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Of those sets that count points and have run to the end.
void write_records(const std::vector<Validation>& sets) {
    const std::time_t now = std::time(nullptr);
    const std::string date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
    for (const Validation& found : sets) {
        if (found.curves.empty() || found.fitted || !found.complete || found.counted() == 0) { continue; }
        const std::string path = configs_dir() + "/machines/" + found.machine + ".toml";
        const auto file = open_output(path);
        file->write(with_record(content(path), record_of(found, std::string(build_info::version), date)));
        file->finish();
        log::info(fmt::format("{}: [validated] written", path));
    }
}

ExitStatus status_of(const std::vector<Validation>& sets) {
    bool short_of = false;
    for (const Validation& found : sets) {
        for (const std::string& problem : found.problems) {
            log::error(fmt::format("{}: {}", found.name, problem));
            return ExitStatus::internal;
        }
        for (const Point& point : found.points) {
            if (point.problem.empty()) { continue; }
            log::error(fmt::format("{}: {} {}, {} threads: {}", found.name, point.lock, point.workload, point.threads,
                                   point.problem));
            return ExitStatus::internal;
        }
        short_of = short_of || found.holds() == std::optional(false);
    }
    return short_of ? ExitStatus::unexpected : ExitStatus::ok;
}

}  // namespace

ExitStatus verb_validate(const Options& options) {
    asked_jobs(options);
    check_write(options);
    const auto output = open_output(options.output);
    std::vector<PreparedSet> sets = prepare_sets(
        options.files, locks::catalogue(), {.configs = configs_dir(), .sets = options.sets, .quick = options.quick});
    const InterruptGuard guard;
    const std::vector<Validation> found = run_sets(sets, options);
    switch (options.format) {
        case Format::table: {
            const Terminal terminal = output->terminal();
            output->write(validation_screen(
                found, {.width = terminal.width, .colour = terminal.colour, .details = options.verbose}));
            break;
        }
        case Format::json: output->write(validation_json(found, build_info::version)); break;
        case Format::csv: output->write(validation_csv(found)); break;
    }
    output->finish();
    if (interrupted()) {
        log::warning("interrupted: what had finished is kept");
        return ExitStatus::interrupted;
    }
    if (options.write) { write_records(found); }
    return status_of(found);
}

}  // namespace locksim
