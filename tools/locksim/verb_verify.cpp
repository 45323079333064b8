// `locksim verify`: the same runs in three processes that differ in all that must not matter.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "build_info.hpp"
#include "tools/locksim/comparing/verification.hpp"
#include "tools/locksim/comparing/worker.hpp"
#include "tools/locksim/configs.hpp"
#include "tools/locksim/interrupt.hpp"
#include "tools/locksim/log.hpp"
#include "tools/locksim/output.hpp"
#include "tools/locksim/plan.hpp"
#include "tools/locksim/progress.hpp"
#include "tools/locksim/terminal.hpp"
#include "tools/locksim/text.hpp"
#include "tools/locksim/user_locks.hpp"
#include "tools/locksim/verbs.hpp"

namespace locksim {

namespace {

std::string absolute(const std::string& path) { return std::filesystem::absolute(path).string(); }

/// The command line of the processes to compare; some of them work in another folder.
std::vector<std::string> worker_arguments(const Options& options) {
    std::vector<std::string> arguments{"verify", absolute(options.files.front())};
    const auto add = [&arguments](const char* option, const std::string& value) {
        if (!value.empty()) { arguments.push_back(fmt::format("{}={}", option, value)); }
    };
    for (const std::string& set : options.sets) { add("--set", set); }
    add("--seed", options.seed);
    add("--seeds", options.seeds);
    add("--phase", options.phase);
    add("--phases", options.phases);
    add("--variant", options.variant);
    add("--duration", options.duration);
    if (!options.locks.empty()) { add("--locks", absolute(options.locks)); }
    return arguments;
}

double planned_ns(const FilePlan& plan, const PhaseRange& phases) {
    double total = 0;
    for (const model::Scenario& scenario : plan.variants) { total += sim::to_nanoseconds(scenario.duration); }
    return total * static_cast<double>(runs_per_variant(plan, phases));
}

/// Tells the display which run is under way.
class VerifyProgress {
public:
    VerifyProgress(const FilePlan& plan, const PhaseRange& phases, const Options& options)
        : plan_(plan),
          phases_(phases),
          total_(count_runs(plan, phases)),
          progress_(planned_ns(plan, phases), look_at(STDERR_FILENO).is_terminal && !options.quiet,
                    look_at(STDERR_FILENO).width) {}

    bool operator()(std::size_t run, std::int64_t now_ps) {
        if (run >= total_) { return progress_.keep_going({}); }
        const PlannedRun planned = planned_run(plan_, phases_, run);
        if (run + 1 != begun_) {
            if (begun_ != 0 && run == begun_) {
                progress_.end_run(planned_run(plan_, phases_, run - 1).variant->duration);
            }
            begun_ = run + 1;
            progress_.begin_run(fmt::format("run {} of {}: {}, seed {}, phase {}", run + 1, total_,
                                            planned.variant->variant, planned.seed, planned.phase));
        }
        return progress_.keep_going({now_ps});
    }

private:
    const FilePlan& plan_;
    PhaseRange phases_;
    std::size_t total_;
    std::size_t begun_ = 0;
    Progress progress_;
};

void log_fault(const char* what, const Verification& verification, const VerifiedRun& run, const Options& options) {
    const RunName name{.file = verification.file, .variant = run.variant, .seed = run.seed, .phase = run.phase};
    log::error(fmt::format("{} in {}, variant {}, seed {}, phase {}{}\n  repeat: {}", what, verification.file,
                           run.variant, run.seed, run.phase, run.same() ? ": " + run.outcomes[0].error : "",
                           join(repeat_command(options, name, "verify"), " ")));
}

ExitStatus status_of(const Verification& verification, const Options& options) {
    const VerifiedRun* differing = verification.first_differing();
    const VerifiedRun* failed = verification.first_failed();
    if (differing != nullptr) { log_fault("digests differ", verification, *differing, options); }
    if (failed != nullptr) { log_fault("internal error", verification, *failed, options); }
    if (differing != nullptr || failed != nullptr) { return ExitStatus::internal; }
    return verification.interrupted ? ExitStatus::interrupted : ExitStatus::ok;
}

}  // namespace

ExitStatus verb_verify(const Options& given) {
    if (!given.worker.empty()) { return serve_as_worker(given); }
    Options options = given;
    options.files.front() = short_path(options.files.front());
    const PhaseRange phases = asked_phases(options);
    const auto output = open_output(options.output);
    // Loads all first: a wrong input is told once, and locks are compiled before three processes want them.
    const model::Catalogue catalogue = load_catalogue(options.locks);
    const FilePlan plan = plan_file(options.files.front(), catalogue, options);
    ::setenv("LOCKSIM_CONFIGS", absolute(configs_dir()).c_str(), 1);

    const InterruptGuard guard;
    Verification verification;
    {
        VerifyProgress progress(plan, phases, options);
        verification = verify(plan, phases, worker_arguments(options),
                              [&progress](std::size_t run, std::int64_t now_ps) { return progress(run, now_ps); });
    }
    if (options.format == Format::json) {
        output->write(verification_json(verification, build_info::version));
    } else if (!verification.runs.empty()) {
        output->write(verification_screen(verification, options, output->terminal().width));
        if (options.verbose) { output->write(verification_details(verification)); }
    }
    output->finish();
    return status_of(verification, options);
}

}  // namespace locksim
