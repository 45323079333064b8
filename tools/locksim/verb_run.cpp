// `locksim run`: loads everything, runs every variant, seed and phase, judges, reports.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#include "build_info.hpp"
#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/running/runner.hpp"
#include "sim/failure.hpp"
#include "tools/locksim/configs.hpp"
#include "tools/locksim/interrupt.hpp"
#include "tools/locksim/lesson.hpp"
#include "tools/locksim/log.hpp"
#include "tools/locksim/output.hpp"
#include "tools/locksim/plan.hpp"
#include "tools/locksim/progress.hpp"
#include "tools/locksim/report.hpp"
#include "tools/locksim/seeing/second_look.hpp"
#include "tools/locksim/stability.hpp"
#include "tools/locksim/text.hpp"
#include "tools/locksim/user_locks.hpp"
#include "tools/locksim/verbs.hpp"

namespace locksim {

namespace {

// What is to run ----------------------------------------------------------------------------------------------------

/// Simulated time, for the progress display only: a double does not overflow.
double planned_ns(const FilePlan& plan, const PhaseRange& phases, const Options& options) {
    double total = 0;
    for (const model::Scenario& scenario : plan.variants) {
        total += sim::to_nanoseconds(scenario.duration) * static_cast<double>(runs_per_variant(plan, phases));
    }
    return options.stability ? total * (1 + all_disturbed_runs) : total;
}

void refuse_to_overwrite_inputs(const Options& options) {
    for (const std::string& file : options.files) {
        std::error_code error;
        for (const auto& [option, path] : {std::pair("--output", options.output), std::pair("--events", options.events),
                                           std::pair("--trace", options.trace)}) {
            if (!path.empty() && std::filesystem::equivalent(file, path, error)) {
                throw InputError(fmt::format("{} {}: is a scenario file of this command", option, path));
            }
        }
    }
}

// Running -----------------------------------------------------------------------------------------------------------

/// An [[events]] entry that nothing comes of is a mistake more often than a wish.
void warn_of_events(const std::vector<model::RunResult>& runs) {
    struct Silent {
        std::string text;
        std::size_t runs = 0;
    };
    std::map<std::pair<std::string, std::string>, Silent> silent;  // by variant and place
    std::map<std::string, std::size_t> runs_of;
    for (const model::RunResult& run : runs) {
        ++runs_of[run.variant];
        for (const model::NeverHappened& event : run.never_happened) {
            Silent& entry = silent[{run.variant, event.where}];
            if (entry.runs++ == 0) {
                entry.text = fmt::format("{}: events: never happened in {}: {}", event.where, run.variant, event.why);
            }
        }
    }
    for (const auto& [key, entry] : silent) {
        const std::size_t all = runs_of[key.first];
        log::warning(all == 1 ? entry.text : fmt::format("{} (so in {} of {} runs)", entry.text, entry.runs, all));
    }
}

enum class Ending { complete, interrupted, internal_error };

class Session {
public:
    Session(const model::Catalogue& catalogue, const Options& options, const LookOptions& look, std::size_t chart_width,
            double total_ns)
        : catalogue_(catalogue),
          options_(options),
          look_(look),
          chart_width_(chart_width),
          phases_(asked_phases(options)),
          progress_(total_ns, shows_progress(), look_at(STDERR_FILENO).width) {}

    FileReport run_file(const FilePlan& plan);
    void interrupt() { ending_ = Ending::interrupted; }
    Ending ending() const { return ending_; }
    void clear_progress() { progress_.clear(); }
    void restart_clock() { progress_.restart_clock(); }
    /// Of the second look: the texts of --events and --trace.
    const SecondLook& seen() const { return seen_; }

private:
    bool shows_progress() const { return look_at(STDERR_FILENO).is_terminal && !options_.quiet; }
    void run_variant(const model::Scenario& variant, const SeedRange& seeds, FileReport& report);
    /// False: the command ends here.
    bool run_one(const model::Scenario& scenario, std::int32_t phase, FileReport& report);
    void test_stability(const model::Scenario& scenario, const std::string& what, model::RunResult& result);
    model::RunOptions run_options(std::int32_t phase) {
        model::RunOptions options;
        options.phase = phase;
        options.monitor = &progress_;
        return options;
    }
    void look_again_at(const model::RunResult& run, FileReport& report);
    void report_internal_error(const model::Scenario& scenario, std::int32_t phase, const std::string& message);

    const model::Catalogue& catalogue_;
    const Options& options_;
    const LookOptions& look_;
    std::size_t chart_width_;
    SecondLook seen_;
    PhaseRange phases_;
    Progress progress_;
    Ending ending_ = Ending::complete;
};

FileReport Session::run_file(const FilePlan& plan) {
    FileReport report;
    report.scenarios = plan.variants;
    report.planned_runs = plan.variants.size() * static_cast<std::size_t>(runs_per_variant(plan, phases_));
    for (const model::Scenario& variant : plan.variants) { run_variant(variant, plan.seeds, report); }
    progress_.clear();
    warn_of_events(report.runs);
    report.expectations = model::judge(report.scenarios, report.runs);
    if (ending_ == Ending::complete && !report.runs.empty()) { look_again_at(worst_run(report.runs), report); }
    return report;
}

void Session::look_again_at(const model::RunResult& run, FileReport& report) {
    if (!deserves_second_look(run, look_)) { return; }
    const auto variant = std::find_if(report.scenarios.begin(), report.scenarios.end(),
                                      [&run](const auto& scenario) { return scenario.variant == run.variant; });
    const model::Scenario scenario = with_seed(*variant, run.seed);
    progress_.begin_run(fmt::format("a second look at {}: {}, seed {}, phase {}", scenario.file, scenario.variant,
                                    scenario.seed, run.phase));
    try {
        auto seen = look_again(scenario, catalogue_, run, look_, chart_width_, &progress_);
        if (!seen) {
            ending_ = Ending::interrupted;
            return;
        }
        seen_ = std::move(*seen);
    } catch (const sim::InternalError& error) {
        report_internal_error(scenario, run.phase, error.what());
        return;
    }
    report.why = seen_.why;
    if (!seen_.timeline.empty()) { report.seen = "\n" + seen_.timeline; }
    for (const std::string& note : seen_.notes) {
        log::info(note);
        for (const std::string& line : wrap(note, chart_width_)) { report.seen += line + "\n"; }
    }
    for (const std::string& cut : seen_.cuts) { log::warning(cut); }
}

void Session::run_variant(const model::Scenario& variant, const SeedRange& seeds, FileReport& report) {
    for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
        const model::Scenario scenario = with_seed(variant, seed);
        for (std::int32_t phase = phases_.first; phase <= phases_.last; ++phase) {
            if (!run_one(scenario, phase, report)) { return; }
        }
    }
}

bool Session::run_one(const model::Scenario& scenario, std::int32_t phase, FileReport& report) {
    if (ending_ != Ending::complete) { return false; }
    const std::string what = fmt::format("run {} of {} of {}: {}, seed {}, phase {}", report.runs.size() + 1,
                                         report.planned_runs, scenario.file, scenario.variant, scenario.seed, phase);
    progress_.begin_run(what);
    std::optional<model::RunResult> result;
    try {
        // Short runs may never ask the monitor.
        if (!interrupted()) { result = model::run(scenario, catalogue_, run_options(phase)); }
        if (result && options_.stability) { test_stability(scenario, what, *result); }
    } catch (const model::ConfigError&) {
        throw;  // exit 2, unlike everything else
    } catch (const std::exception& error) {
        report_internal_error(scenario, phase, error.what());
        return false;
    }
    if (!result) {
        ending_ = Ending::interrupted;
        return false;
    }
    progress_.end_run(scenario.duration);
    report.runs.push_back(std::move(*result));
    return true;
}

/// An interrupt leaves the run as it is: not tested.
void Session::test_stability(const model::Scenario& scenario, const std::string& what, model::RunResult& result) {
    const auto next = [&](std::int32_t n) {
        progress_.end_run(scenario.duration);  // the one before
        progress_.begin_run(fmt::format("{}, disturbed run {}", what, n));
    };
    result.verdicts.front().survives = survival(scenario, result, catalogue_, run_options(result.phase), next);
    if (!result.verdict().survives) { ending_ = Ending::interrupted; }
}

void Session::report_internal_error(const model::Scenario& scenario, std::int32_t phase, const std::string& message) {
    ending_ = Ending::internal_error;
    progress_.clear();
    const RunName name{.file = scenario.file, .variant = scenario.variant, .seed = scenario.seed, .phase = phase};
    log::error(fmt::format("internal error in {}, variant {}, seed {}, phase {}: {}\n  repeat: {}{}", scenario.file,
                           scenario.variant, scenario.seed, phase, message, join(repeat_command(options_, name), " "),
                           options_.stability ? " --stability" : ""));
}

// Reporting ---------------------------------------------------------------------------------------------------------

void print_table(const FileReport& file, bool first, const Options& options, Output& output) {
    const Terminal terminal = output.terminal();
    const Screen screen{.width = terminal.width, .colour = terminal.colour, .lines = 24};
    std::string text = first ? "" : "\n";
    text += first_screen(file, options, screen);
    if (options.verbose) { text += details(file, screen); }
    text += file.seen;
    output.write(text);
}

/// Where stdout is for a program, stderr says what went wrong.
void log_failures(const Report& report, const Options& options) {
    for (const FileReport& file : report.files) {
        if (file.runs.empty() || as_expected(file, options.judge_all)) { continue; }
        std::string text = fmt::format("{}: not as expected", file.runs.front().file);
        for (const model::JudgedExpectation& expectation : file.expectations) {
            if (!expectation.hoped && expectation.holds == false) { text += "\n  failed: " + describe(expectation); }
        }
        log::warning(fmt::format("{}\n  repeat: {}", text, join(repeat_command(options, run_to_repeat(file)), " ")));
    }
}

ExitStatus status_of(Ending ending, const Report& report, const Options& options) {
    switch (ending) {
        case Ending::internal_error: return ExitStatus::internal;
        case Ending::interrupted: return ExitStatus::interrupted;
        case Ending::complete: break;
    }
    return judged_status(report, options.judge_all);
}

/// For whoever reads a file or a program's output: why it is shorter than asked for.
void log_interrupt(const Report& report) {
    std::size_t finished = 0;
    for (const FileReport& file : report.files) { finished += file.runs.size(); }
    log::warning(fmt::format("interrupted: {} finished and kept", counted(finished, "run")));
}

/// The question and the learner's answer. Where nobody can have seen the question, nobody is waited for.
Answer ask(const FilePlan& plan, const Options& options, Output& output) {
    const std::size_t width = output.terminal().width;
    output.write(lesson_question(plan.variants.front(), width));
    if (options.reveal || !options.output.empty() || isatty(STDIN_FILENO) != 1) { return {}; }
    output.write("Your answer, then Enter (or only Enter): ");
    const Answer answer = read_answer();
    output.write("\n");
    return answer;
}

/// Runs file by file; a table is printed as soon as its file is done, for whoever is watching.
Report run_all(const std::vector<FilePlan>& plans, Session& session, const Options& options, Output& output) {
    const InterruptGuard guard;
    Report report;
    for (const FilePlan& plan : plans) {
        if (session.ending() != Ending::complete) { break; }
        Answer answer;
        if (options.lesson) {
            if (!report.files.empty()) { output.write("\n"); }
            answer = ask(plan, options, output);
            session.restart_clock();
        }
        if (answer.interrupted) {
            session.interrupt();
            break;
        }
        report.files.push_back(session.run_file(plan));
        session.clear_progress();
        if (options.format != Format::table) { continue; }
        const FileReport& file = report.files.back();
        print_table(file, report.files.size() == 1 || options.lesson, options, output);
        if (options.lesson && session.ending() == Ending::complete) {
            const std::string said = chosen_answer(*file.scenarios.front().lesson, answer.text);
            output.write(lesson_explanation(file, said, options, output.terminal().width));
        }
    }
    return report;
}

/// A file that the second look fills. It is opened before anything runs, and written after the report.
class LookFile {
public:
    explicit LookFile(const std::string& path) : file_(path.empty() ? nullptr : open_output(path)) {}
    void write(const std::string& text) {
        if (file_ == nullptr || text.empty()) { return; }
        file_->write(text);
        file_->finish();
    }

private:
    std::unique_ptr<Output> file_;
};

}  // namespace

ExitStatus verb_run(const Options& given) {
    Options options = given;
    options.lesson = options.lesson || options.reveal;
    for (std::string& file : options.files) { file = short_path(file); }
    refuse_to_overwrite_inputs(options);
    const PhaseRange phases = asked_phases(options);
    const LookOptions look = look_options(options);
    const auto output = open_output(options.output);
    LookFile events(options.events);
    LookFile trace(options.trace);
    const model::Catalogue catalogue = load_catalogue(options.locks);

    std::vector<FilePlan> plans;
    double total_ns = 0;
    for (const std::string& file : options.files) {
        plans.push_back(plan_file(file, catalogue, options));
        total_ns += planned_ns(plans.back(), phases, options);
        check_lesson(plans.back().variants.front(), options);
    }

    Session session(catalogue, options, look, output->terminal().width, total_ns);
    const Report report = run_all(plans, session, options, *output);
    if (options.format == Format::json) { output->write(json_report(report, build_info::version)); }
    if (options.format == Format::csv) { output->write(csv_report(report)); }
    output->finish();
    events.write(session.seen().events);
    trace.write(session.seen().trace);
    if (options.format != Format::table || !options.output.empty()) { log_failures(report, options); }
    if (session.ending() == Ending::interrupted) { log_interrupt(report); }
    return status_of(session.ending(), report, options);
}

}  // namespace locksim
