#include "tools/locksim/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <new>

#include "build_info.hpp"
#include "model/scenario/reading/config_error.hpp"
#include "sim/failure.hpp"
#include "tools/locksim/configs.hpp"
#include "tools/locksim/interrupt.hpp"
#include "tools/locksim/log.hpp"
#include "tools/locksim/output.hpp"
#include "tools/locksim/text.hpp"
#include "tools/locksim/verbs.hpp"

namespace locksim {

namespace {

constexpr std::string_view description = "locksim runs lock algorithms on simulated CPUs and tells what the lock does.";
constexpr std::string_view exit_statuses =
    "Exit status: 0 as expected, 1 not as expected, 2 wrong input, 3 internal error,\n"
    "4 result not written, 130 interrupted.\n";

// Options that several verbs share
// ------------------------------------------------------------------------------

/// One value per use: without this CLI11 lets a repeatable option swallow the file names after it.
void add_repeatable(CLI::App& app, const std::string& name, std::vector<std::string>& into, const char* doc,
                    const char* value) {
    app.add_option(name, into, doc)
        ->type_name(value)
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_set(CLI::App& app, Options& options) {
    add_repeatable(app, "--set", options.sets, "override a key of the scenario; repeatable", "PATH=VALUE");
}
void add_locks(CLI::App& app, Options& options) {
    app.add_option("--locks", options.locks, "compile and load the lock files of this folder")->type_name("DIR");
}
void add_output(CLI::App& app, Options& options) {
    app.add_option("--output", options.output, "write the result to FILE (-: stdout)")->type_name("FILE");
}
void add_variant(CLI::App& app, Options& options, const char* doc) {
    app.add_option("--variant", options.variant, doc)->type_name("NAME");
}
void add_format(CLI::App& app, Options& options, const std::map<std::string, Format>& formats) {
    std::vector<std::string> names;
    names.reserve(formats.size());
    for (const auto& [name, format] : formats) { names.push_back(name); }
    app.add_option_function<std::string>(
           "--format",
           [&options, formats, names](const std::string& name) {
               const auto found = formats.find(name);
               if (found == formats.end()) {
                   throw InputError(fmt::format("--format {}: expected one of {}", name, join(names, ", ")));
               }
               options.format = found->second;
           },
           "how to print the result")
        ->type_name(join(names, "|"));
}
const std::map<std::string, Format>& every_format() {
    static const std::map<std::string, Format> formats{
        {"table", Format::table}, {"json", Format::json}, {"csv", Format::csv}};
    return formats;
}
const std::map<std::string, Format>& table_or_json() {
    static const std::map<std::string, Format> formats{{"table", Format::table}, {"json", Format::json}};
    return formats;
}

const std::map<std::string, log::Level>& log_levels() {
    static const std::map<std::string, log::Level> levels{{"debug", log::Level::debug},
                                                          {"info", log::Level::info},
                                                          {"warning", log::Level::warning},
                                                          {"error", log::Level::error},
                                                          {"off", log::Level::off}};
    return levels;
}

void add_diagnostics(CLI::App& app, Options& options) {
    app.add_flag("-v,--verbose", options.verbose, "more details, on stdout and on stderr");
    app.add_flag("-q,--quiet", options.quiet, "errors only, no progress");
    app.add_option_function<std::string>(
           "--log-level",
           [&options](const std::string& name) {
               const auto found = log_levels().find(name);
               if (found == log_levels().end()) {
                   throw InputError(
                       fmt::format("--log-level {}: expected one of debug, info, warning, error, off", name));
               }
               options.log_level = found->second;
           },
           "which diagnostics to print on stderr")
        ->type_name("LEVEL");
}

/// What to see of a run: of the one that `why` tells about.
void add_looking(CLI::App& app, Options& options) {
    // A flag with a value, so that it never swallows the file name after it.
    app.add_flag("--timeline", options.timeline, "chart 2 us around the verdict (=FROM..TO: those)");
    app.add_option("--events", options.events, "every step as JSON Lines, of one run (-: stdout)")->type_name("FILE");
    app.add_option("--trace", options.trace, "a Chrome trace for Perfetto, of one run (-: stdout)")->type_name("FILE");
    app.add_option("--window", options.window, "of these two; else around the verdict")->type_name("FROM..TO");
}

/// Which runs of a scenario.
void add_runs(CLI::App& app, Options& options) {
    add_set(app, options);
    app.add_option("--seed", options.seed, "seed of all random streams")->type_name("N");
    app.add_option("--seeds", options.seeds, "every seed from A to B")->type_name("A..B");
    app.add_option("--phases", options.phases, "start phases 1 to N (default: only the first)")->type_name("N");
    app.add_option("--phase", options.phase, "this start phase alone")->type_name("N");
    add_variant(app, options, "this variant alone");
    app.add_option("--duration", options.duration, "simulated time, such as 20ms")->type_name("T");
}

// The verbs
// -----------------------------------------------------------------------------------------------------

void add_run(CLI::App& app, Options& options) {
    app.add_option("FILE", options.files, "scenario files")->required()->type_name("");
    add_runs(app, options);
    add_format(app, options, every_format());
    add_output(app, options);
    add_locks(app, options);
    app.add_flag("--judge-all", options.judge_all, "exit 1 also if an expectation was not judged");
    app.add_flag("--lesson", options.lesson, "ask a question before the run, explain after it");
    app.add_flag("--reveal", options.reveal, "a lesson without waiting for an answer");
    app.add_flag("--stability", options.stability, "test whether verdicts survive small changes");
    add_looking(app, options);
}

/// The one scenario file of a verb that takes no more.
void add_file(CLI::App& app, Options& options) {
    app.add_option_function<std::string>(
           "FILE", [&options](const std::string& file) { options.files = {file}; }, "scenario file")
        ->required()
        ->type_name("");
}

void add_verify(CLI::App& app, Options& options) {
    add_file(app, options);
    add_runs(app, options);
    add_format(app, options, table_or_json());
    add_output(app, options);
    add_locks(app, options);
    app.add_option("--worker", options.worker)->group("");  // this command's own: not shown
    app.footer(
        "Runs all in three fresh processes: one plain, one with another environment,\n"
        "folder, locale and layout of memory, one with spin elision off. Names the first\n"
        "event that differs.\n"
        "Exit status: 0 every digest the same, 3 one differs or a run fails, 2 wrong\n"
        "input, 130 interrupted.");
}

void add_compare(CLI::App& app, Options& options) {
    add_file(app, options);
    app.add_option("--lock", options.lock, "these locks in place of the scenario's only one")->type_name("A,B,...");
    add_repeatable(app, "--vary", options.vary, "these values of a key; repeatable: every combination", "PATH=V,W,...");
    app.add_option("--variant", options.variant, "variants of the file (base with --lock, --vary)")
        ->type_name("A,B,...");
    add_set(app, options);
    app.add_option("--seeds", options.seeds, "every seed from A to B (5 if not given)")->type_name("A..B");
    app.add_option("--seed", options.seed, "one seed: no intervals")->type_name("N");
    app.add_option("--phase", options.phase, "this start phase (1 if not given)")->type_name("N");
    app.add_option("--duration", options.duration, "simulated time, such as 20ms")->type_name("T");
    add_format(app, options, every_format());
    add_output(app, options);
    add_locks(app, options);
    app.footer(
        "Sets variants side by side, each with the same seeds, with ratios to the first\n"
        "and 95 % intervals of what differs seed by seed. One value alone is compared\n"
        "with the scenario as it stands; without --lock and --vary the variants are.\n"
        "Figures are means over the seeds; verdicts are shown, expectations not judged.\n"
        "Exit status: 0 ran, 2 wrong input, 3 internal error, 4 result not written,\n"
        "130 interrupted.");
}

void add_validate(CLI::App& app, Options& options) {
    app.add_option("SET", options.files, "sets of configs/published (all if none), or files")->type_name("");
    app.add_flag("--quick", options.quick, "few thread counts of each curve");
    app.add_flag("--write", options.write, "store the errors in the machine files");
    add_set(app, options);
    app.add_option("-j,--jobs", options.jobs, "simulations at once (as many as CPUs if not given)")->type_name("N");
    add_format(app, options, every_format());
    add_output(app, options);
    app.footer(
        "Repeats published experiments by their protocol and prints published, simulated\n"
        "and ratio side by side. What a machine was calibrated on is labelled fit and\n"
        "never counted. Limits: configs/published/tolerances.csv.\n"
        "Exit status: 0 every set holds, 1 one falls short, 2 wrong input, 3 internal\n"
        "error, 4 result not written, 130 interrupted.");
}

void add_diff(CLI::App& app, Options& options) {
    const auto add_log = [&app, &options](const char* name, const char* doc) {
        app.add_option_function<std::string>(
               name, [&options](const std::string& file) { options.files.push_back(file); }, doc)
            ->required()
            ->type_name("");
    };
    add_log("A", "an event log that `run` has written");
    add_log("B", "another one");
    add_format(app, options, table_or_json());
    add_output(app, options);
    app.footer(
        "Compares the events of the time that both files have; tells the first that\n"
        "differs and what it changed, and where a log was cut (200,000 events at most).\n"
        "Exit status: 0 the same, 1 they differ, 2 a file cannot be read.");
}

void add_list(CLI::App& app, Options& options) {
    app.add_option("WHAT", options.name, "locks, workloads, machines, scenarios or lessons")->required()->type_name("");
    add_format(app, options, table_or_json());
    add_output(app, options);
    add_locks(app, options);
}

void add_describe(CLI::App& app, Options& options) {
    app.add_option("NAME", options.name, "a lock, a workload, a machine, or a scenario file")
        ->required()
        ->type_name("");
    add_format(app, options, table_or_json());
    add_output(app, options);
    add_locks(app, options);
}

void add_help(CLI::App& app, Options& options) {
    app.add_option("TOPIC", options.name, "a verb, or a topic")->type_name("");
    add_output(app, options);
}

void add_print_config(CLI::App& app, Options& options) {
    add_file(app, options);
    add_set(app, options);
    app.add_option("--seed", options.seed, "seed of all random streams")->type_name("N");
    add_variant(app, options, "this variant instead of base");
    app.add_option("--duration", options.duration, "simulated time, such as 20ms")->type_name("T");
    add_output(app, options);
    add_locks(app, options);
}

struct Verb {
    const char* name;
    const char* summary;
    void (*add_options)(CLI::App&, Options&);
    ExitStatus (*execute)(const Options&);
};

constexpr std::array verbs{
    Verb{"run", "run scenarios, report, judge their expectations", add_run, verb_run},
    Verb{"compare", "locks, values or variants side by side, over seeds", add_compare, verb_compare},
    Verb{"validate", "published figures against simulated ones", add_validate, verb_validate},
    Verb{"verify", "the same runs in unlike processes: same digests?", add_verify, verb_verify},
    Verb{"diff", "two event logs: where they part, what it changed", add_diff, verb_diff},
    Verb{"list", "list locks, workloads, machines, scenarios or lessons", add_list, verb_list},
    Verb{"describe", "all about a lock, workload, machine or scenario", add_describe, verb_describe},
    Verb{"help", "explain a verb or a topic", add_help, verb_help},
    Verb{"print-config", "the resolved scenario, every default filled in", add_print_config, verb_print_config},
};

const Verb& verb_named(const std::string& name) {
    return *std::find_if(verbs.begin(), verbs.end(), [&name](const Verb& verb) { return verb.name == name; });
}

// Parsing
// -------------------------------------------------------------------------------------------------------

/// The parser and what it fills in; the two live together because CLI11 keeps references.
struct Parser {
    Options options;
    CLI::App app{std::string(description), "locksim"};

    Parser() {
        app.require_subcommand(0, 1);
        app.get_formatter()->column_width(26);
        app.get_formatter()->label("SUBCOMMAND", "VERB ...");
        app.set_version_flag("--version", fmt::format("locksim {}", build_info::version));
        app.footer(std::string(exit_statuses) +
                   "`locksim VERB --help` lists a verb's options, `locksim help` the topics.");
        add_diagnostics(app, options);  // also before the verb
        for (const Verb& verb : verbs) {
            CLI::App& sub = *app.add_subcommand(verb.name, verb.summary);
            sub.group("Verbs");
            verb.add_options(sub, options);
            add_diagnostics(sub, options);
        }
    }
};

std::string did_you_mean(const std::string& nearest) {
    return nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest);
}

/// The long options of a verb, as its help shows them.
std::vector<std::string> long_options(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) { continue; }  // hidden
        for (const std::string& name : option->get_lnames()) { names.push_back("--" + name); }
    }
    return names;
}

/// The first word that is no option. An option before the verb that takes a value is skipped with it.
std::string first_plain_word(const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--log-level") {
            ++i;
            continue;
        }
        if (arguments[i].empty() || arguments[i].front() != '-') { return arguments[i]; }
    }
    return "";
}

void check_verb(const std::vector<std::string>& arguments) {
    const std::string word = first_plain_word(arguments);
    const std::vector<std::string> known = verb_names();
    if (word.empty() || std::find(known.begin(), known.end(), word) != known.end()) { return; }
    std::error_code error;
    const std::string hint = std::filesystem::is_regular_file(word, error)
                                 ? fmt::format(" (did you mean `locksim run {}`?)", shell_quote(word))
                                 : did_you_mean(model::nearest_name(word, known));
    throw InputError(fmt::format("unknown verb \"{}\": expected one of {}{}", word, join(known, ", "), hint));
}

/// "--timeline" before a verb or with the wrong one: which verbs have it.
std::string whose_option(const CLI::App& root, const std::string& name) {
    std::vector<std::string> owners;
    for (const Verb& verb : verbs) {
        const std::vector<std::string> known = long_options(*root.get_subcommand(verb.name));
        if (std::find(known.begin(), known.end(), name) != known.end()) { owners.emplace_back(verb.name); }
    }
    if (owners.empty()) { return ""; }
    return fmt::format(" (an option of {}: `locksim {} ... {}`)", join(owners, ", "), owners.front(), name);
}

/// An empty value is an unset variable of somebody's script: not the same as no option.
void refuse_empty_values(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        const auto& values = option->results();
        if (std::find(values.begin(), values.end(), "") == values.end()) { continue; }
        const std::string name =
            option->get_lnames().empty() ? option->get_name() : "--" + option->get_lnames().front();
        throw InputError(fmt::format("{} \"\": expected {}, not an empty text", name,
                                     option->get_type_name().empty() ? "a name" : option->get_type_name()));
    }
}

/// CLI11's own message where it is good, a better one for options that nobody knows.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const CLI::App& verb = chosen.empty() ? app : *chosen.front();
    const std::string help = fmt::format("see `locksim{} --help`", chosen.empty() ? "" : " " + verb.get_name());
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        for (const std::string& extra : app.remaining(true)) {
            const std::string name = extra.substr(0, extra.find('='));
            const std::string nearest = model::nearest_name(name, long_options(verb));
            const std::string whose = nearest == name ? "" : whose_option(app, name);
            const char* what = extra.front() == '-' ? "unknown option" : "unexpected argument";
            return fmt::format("{} {}{}; {}", what, extra, whose.empty() ? did_you_mean(nearest) : whose, help);
        }
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
        const std::string text = error.what();  // "--seed: 1 required N missing"
        const std::string name = text.substr(0, text.find(':'));
        for (const CLI::Option* option : verb.get_options()) {
            if (!option->check_name(name)) { continue; }
            return fmt::format("{}: expected a value, {}; {}", name, option->get_type_name(), help);
        }
    }
    return fmt::format("{}; {}", error.what(), help);
}

// Failures
// ------------------------------------------------------------------------------------------------------

std::string pasteable(const std::vector<std::string>& arguments, const std::string& program) {
    std::string line = shell_quote(program);
    for (const std::string& argument : arguments) { line += " " + shell_quote(argument); }
    return line;
}

ExitStatus internal_error(const std::string& message, const std::string& repeat) {
    log::error(fmt::format("internal error: {}\n  repeat: {}", message, repeat));
    return ExitStatus::internal;
}

ExitStatus guarded(const std::function<ExitStatus()>& work, const std::string& repeat) {
    try {
        return work();
    } catch (const InputError& error) {
        log::error(error.what());
        return ExitStatus::bad_input;
    } catch (const model::ConfigError& error) {
        log::error(error.what());
        return ExitStatus::bad_input;
    } catch (const Interrupted&) {
        log::warning("interrupted: nothing has run");
        return ExitStatus::interrupted;
    } catch (const ClosedPipe&) { return ExitStatus::ok; } catch (const OutputError& error) {
        log::error(fmt::format("{}\n  repeat: {}", error.what(), repeat));
        return ExitStatus::not_written;
    } catch (const std::bad_alloc&) {
        return internal_error("out of memory", repeat);
    } catch (const std::exception& error) { return internal_error(error.what(), repeat); }
}

log::Level wanted_level(const Options& options) {
    if (options.log_level) { return *options.log_level; }
    if (options.quiet) { return log::Level::error; }
    return options.verbose ? log::Level::info : log::Level::warning;
}

/// tools/run says how it was called; a line to paste must begin with what the user has.
std::string program_name(const char* argv0) {
    const char* given = std::getenv("LOCKSIM_COMMAND");
    return given != nullptr && *given != '\0' ? given : short_path(argv0);
}

ExitStatus execute(const Request& request) {
    log::set_level(wanted_level(request.options));
    if (!request.verb.empty()) { return verb_named(request.verb).execute(request.options); }
    const auto output = open_output("");
    output->write(rewrapped(request.text, output->terminal().width));
    output->finish();
    return ExitStatus::ok;
}

}  // namespace

std::vector<std::string> verb_names() {
    std::vector<std::string> names;
    names.reserve(std::size(verbs));
    for (const Verb& verb : verbs) { names.emplace_back(verb.name); }
    return names;
}

std::string usage(const std::string& verb) {
    const auto parser = std::make_unique<Parser>();
    return verb.empty() ? parser->app.help() : parser->app.get_subcommand(verb)->help("locksim");
}

Request parse_command_line(const std::vector<std::string>& arguments, const std::string& program) {
    check_verb(arguments);
    const auto parser = std::make_unique<Parser>();
    parser->options.program = program;
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
    Request request;
    try {
        parser->app.parse(reversed);
    } catch (const CLI::CallForVersion& version) {
        request.text = std::string(version.what()) + "\n";
        return request;
    } catch (const CLI::CallForHelp&) {
        const auto chosen = parser->app.get_subcommands();
        request.text = usage(chosen.empty() ? "" : chosen.front()->get_name());
        return request;
    } catch (const CLI::ParseError& error) { throw InputError(usage_error(parser->app, error)); }
    const auto chosen = parser->app.get_subcommands();
    refuse_empty_values(chosen.empty() ? parser->app : *chosen.front());
    if (chosen.empty()) {
        throw InputError(
            fmt::format("no verb given: expected one of {}; see `locksim --help`", join(verb_names(), ", ")));
    }
    request.verb = chosen.front()->get_name();
    request.options = std::move(parser->options);
    return request;
}

int run_command(int argc, const char* const* argv) {
    // A reader that has gone shows as EPIPE, which ends the command quietly instead of killing it.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is a full disk
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const std::string program = program_name(argc > 0 ? argv[0] : "locksim");
    const ExitStatus status =
        guarded([&] { return execute(parse_command_line(arguments, program)); }, pasteable(arguments, program));
    return static_cast<int>(status);
}

}  // namespace locksim
