// `locksim compare`: one scenario under several locks, values or variants, over the same seeds.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "build_info.hpp"
#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/running/runner.hpp"
#include "tools/locksim/configs.hpp"
#include "tools/locksim/interrupt.hpp"
#include "tools/locksim/log.hpp"
#include "tools/locksim/output.hpp"
#include "tools/locksim/plan.hpp"
#include "tools/locksim/progress.hpp"
#include "tools/locksim/report.hpp"
#include "tools/locksim/side_by_side/side_by_side.hpp"
#include "tools/locksim/text.hpp"
#include "tools/locksim/user_locks.hpp"
#include "tools/locksim/validating/trust.hpp"
#include "tools/locksim/verbs.hpp"

namespace locksim {

namespace {

constexpr std::uint64_t default_seeds = 5;

/// The scenario's own seed and the four after it.
SeedRange seeds_of(const Options& options, const model::Scenario& scenario) {
    if (const auto asked = asked_seeds(options)) { return *asked; }
    const std::uint64_t first = std::min(scenario.seed, seed_limit - default_seeds);
    return {first, first + default_seeds - 1};
}

double planned_ns(const std::vector<Candidate>& candidates, const SeedRange& seeds) {
    double total = 0;
    for (const Candidate& candidate : candidates) { total += sim::to_nanoseconds(candidate.scenario.duration); }
    return total * static_cast<double>(seeds.last - seeds.first + 1);
}

SideBySide prepared(const Candidates& compared, const SeedRange& seeds, std::int32_t phase) {
    const std::vector<Candidate>& candidates = compared.all;
    SideBySide found;
    found.varied = compared.varied;
    found.title = candidates.front().scenario.title;
    found.file = candidates.front().scenario.file;
    found.seeds = seeds;
    found.phase = phase;
    found.planned = candidates.size() * static_cast<std::size_t>(seeds.last - seeds.first + 1);
    for (const Candidate& candidate : candidates) {
        found.rows.push_back({candidate.name, candidate.label, candidate.scenario.variant, candidate.sets, {}});
    }
    return found;
}

class Comparison {
public:
    Comparison(const std::vector<Candidate>& candidates, const model::Catalogue& catalogue, const Options& options,
               SideBySide& found)
        : candidates_(candidates),
          catalogue_(catalogue),
          options_(options),
          found_(found),
          progress_(planned_ns(candidates, found.seeds), look_at(STDERR_FILENO).is_terminal && !options.quiet,
                    look_at(STDERR_FILENO).width) {}

    /// Seed by seed, so that what an interrupt leaves can be paired.
    ExitStatus run() {
        const InterruptGuard guard;
        for (std::uint64_t seed = found_.seeds.first; seed <= found_.seeds.last; ++seed) {
            for (std::size_t i = 0; i < candidates_.size(); ++i) {
                const ExitStatus status = run_one(i, seed);
                if (status == ExitStatus::ok) { continue; }
                progress_.clear();
                return status;
            }
        }
        progress_.clear();
        return ExitStatus::ok;
    }

private:
    ExitStatus run_one(std::size_t i, std::uint64_t seed) {
        const Candidate& candidate = candidates_[i];
        progress_.begin_run(fmt::format("run {} of {} of {}: {}, seed {}", found_.runs() + 1, found_.planned,
                                        found_.file, candidate.name, seed));
        std::optional<model::RunResult> result;
        try {
            model::RunOptions options;
            options.phase = found_.phase;
            options.monitor = &progress_;
            // Short runs may never ask the monitor.
            if (!interrupted()) { result = model::run(with_seed(candidate.scenario, seed), catalogue_, options); }
        } catch (const model::ConfigError&) {
            throw;  // exit 2, unlike everything else
        } catch (const std::exception& error) {
            report_internal_error(candidate, seed, error.what());
            return ExitStatus::internal;
        }
        if (!result) { return ExitStatus::interrupted; }
        progress_.end_run(candidate.scenario.duration);
        found_.simulated_ns = std::max(found_.simulated_ns, result->simulated_ns);
        found_.host_seconds += result->host_seconds;
        if (found_.machine.empty()) {
            found_.machine = machine_text(*result, trust_text(trust_of(candidate.scenario)));
            found_.model_error = shared_error();
        }
        found_.rows[i].samples.push_back(sample_of(*result));
        return ExitStatus::ok;
    }

    /// Of the machine that all candidates have, with its validated numbers.
    std::optional<double> shared_error() const {
        std::optional<double> error;
        for (const Candidate& candidate : candidates_) {
            const Trust trust = trust_of(candidate.scenario);
            if (!trust.applies() || candidate.scenario.machine.preset != candidates_.front().scenario.machine.preset) {
                return std::nullopt;
            }
            error = trust.record->median_error;
        }
        return error;
    }

    /// Repeated by `run`: the candidate is that file with some --set.
    void report_internal_error(const Candidate& candidate, std::uint64_t seed, const std::string& message) {
        progress_.clear();
        Options single = options_;
        single.lock.clear();
        single.vary.clear();
        single.sets.insert(single.sets.end(), candidate.sets.begin(), candidate.sets.end());
        const RunName name{
            .file = found_.file, .variant = candidate.scenario.variant, .seed = seed, .phase = found_.phase};
        log::error(fmt::format("internal error in {}, {}, seed {}: {}\n  repeat: {}", found_.file, candidate.name, seed,
                               message, join(repeat_command(single, name), " ")));
    }

    const std::vector<Candidate>& candidates_;
    const model::Catalogue& catalogue_;
    const Options& options_;
    SideBySide& found_;
    Progress progress_;
};

void print_screen(const SideBySide& found, const Options& options, Output& output) {
    const Terminal terminal = output.terminal();
    const ComparisonScreen screen{
        .width = terminal.width, .colour = terminal.colour, .bars = terminal.is_terminal, .utf8 = terminal.utf8};
    output.write(side_by_side_screen(found, options, screen));
    if (options.verbose && found.runs() > 0) { output.write(side_by_side_details(found, screen.width)); }
}

void refuse_to_overwrite_input(const Options& options) {
    std::error_code error;
    if (!options.output.empty() && std::filesystem::equivalent(options.files.front(), options.output, error)) {
        throw InputError(fmt::format("--output {}: is the scenario file of this command", options.output));
    }
}

}  // namespace

ExitStatus verb_compare(const Options& given) {
    Options options = given;
    options.files.front() = short_path(options.files.front());
    refuse_to_overwrite_input(options);
    const PhaseRange phases = asked_phases(options);
    const auto output = open_output(options.output);
    const model::Catalogue catalogue = load_catalogue(options.locks);
    const Candidates candidates = load_candidates(options.files.front(), catalogue, options);

    SideBySide found = prepared(candidates, seeds_of(options, candidates.all.front().scenario), phases.first);
    const ExitStatus status = Comparison(candidates.all, catalogue, options, found).run();
    switch (options.format) {
        case Format::table: print_screen(found, options, *output); break;
        case Format::json: output->write(side_by_side_json(found, build_info::version)); break;
        case Format::csv: output->write(side_by_side_csv(found)); break;
    }
    output->finish();
    if (status == ExitStatus::interrupted) {
        log::warning(fmt::format("interrupted: {} finished and kept", counted(found.runs(), "run")));
    }
    return status;
}

}  // namespace locksim
