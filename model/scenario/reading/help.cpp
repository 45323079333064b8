// help_topic: the documentation of configuration files, from the field lists and tables that the loader reads by.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/metrics/run_result.hpp"
#include "model/scenario/judging/measures.hpp"
#include "model/scenario/reading/loader.hpp"
#include "model/scenario/reading/units.hpp"
#include "model/scenario/reading/value_printer.hpp"
#include "model/scenario/running/program.hpp"

namespace model {
namespace {

constexpr std::size_t columns = 80;

/// Breaks at spaces. The first line begins with `first`, the others with as many spaces.
std::string wrapped(const std::string& first, const std::string& text) {
    const std::string indent(first.size(), ' ');
    std::string result = first;
    std::size_t width = first.size();
    bool line_begins = true;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        at = end + 1;
        if (!line_begins && width + 1 + word.size() > columns) {
            result += "\n" + indent;
            width = indent.size();
            line_begins = true;
        }
        result += line_begins ? word : " " + word;
        width += word.size() + (line_begins ? 0 : 1);
        line_begins = false;
    }
    return result + "\n";
}

// Each block brings the empty line before it.
std::string paragraph(const std::string& text) { return "\n" + wrapped("", text); }
std::string heading(std::string_view text) { return fmt::format("\n## {}\n", text); }
std::string list(const std::string& items) { return "\n" + items; }

std::string item(const std::string& head, std::string_view doc) {
    return wrapped("- ", fmt::format("{}: {}", head, doc));
}

// --- what a key takes ------------------------------------------------------------------------------------

std::string kind_of(const FieldSpec&, bool) { return "true or false"; }
std::string kind_of(const FieldSpec&, std::uint64_t) { return "integer"; }
std::string kind_of(const FieldSpec&, const std::string&) { return "string"; }
std::string kind_of(const FieldSpec&, sim::Time) { return "time"; }
std::string kind_of(const FieldSpec&, Frequency) { return "frequency"; }
std::string kind_of(const FieldSpec&, Share) { return "share"; }
std::string kind_of(const FieldSpec&, Span) { return "cycles or time"; }
std::string kind_of(const FieldSpec&, const Distribution&) { return "distribution"; }
std::string kind_of(const FieldSpec&, const std::vector<std::string>&) { return "list of strings"; }
std::string kind_of(const FieldSpec&, const std::vector<std::int32_t>&) { return "CPU numbers, [0, 1] or \"0-7,12\""; }
std::string kind_of(const FieldSpec&, const std::vector<Step>&) { return "list of steps"; }
std::string kind_of(const FieldSpec&, const std::vector<ExpectationText>&) { return "list of comparisons"; }
std::string kind_of(const FieldSpec&, const std::vector<HopedExpectation>&) {
    return "list of {that = COMPARISON, why = REASON}";
}
std::string kind_of(const FieldSpec&, PhaseCount<const ExpectConfig>) { return "\"N/M\" or \"none/M\""; }
std::string kind_of(const FieldSpec& spec, std::int64_t) {
    switch (spec.unit) {
        case Unit::bytes: return "bytes";
        case Unit::cycles: return "cycles";
        case Unit::none: break;
    }
    return "integer";
}
std::string kind_of(const FieldSpec& spec, std::int32_t value) { return kind_of(spec, std::int64_t{value}); }
template <class Value>
std::string kind_of(const FieldSpec& spec, const std::optional<Value>&) {
    return kind_of(spec, Value{});
}
template <class Enum>
requires std::is_enum_v<Enum> std::string kind_of(const FieldSpec&, Enum) { return "one of the names below"; }

/// The meanings of a closed choice, one line each.
template <class Member>
std::string choices_of(const Member& member) {
    std::string text;
    if constexpr (std::is_enum_v<Member>) {
        for (const auto& row : names_of(member)) {
            text += wrapped("  - ", fmt::format("\"{}\": {}", row.name, row.doc));
        }
    }
    return text;
}

/// A visitor of field lists that writes one item for each key.
class FieldHelp {
public:
    template <class Member>
    void operator()(const FieldSpec& spec, const Member& member) {
        std::string kind = kind_of(spec, member);
        const std::string value = value_text(spec, member);
        if (spec.required) {
            kind += ", required";
        } else if (!value.empty() && value != "\"\"" && value != "[]") {
            kind += ", default " + value;
        }
        text += item(fmt::format("`{}` ({})", spec.name, kind), spec.doc) + choices_of(member);
    }

    std::string text;
};

template <class Struct>
std::string fields_help() {
    FieldHelp help;
    const Struct defaults{};
    visit_fields(defaults, help);
    return list(help.text);
}

// --- the topics ------------------------------------------------------------------------------------------

std::string scenario_help() {
    return "# Scenario files\n" +
           paragraph(
               "A scenario is one TOML file. Values are laid over each other, the last wins: the machine file, [machine], a variant, "
               "--set PATH=VALUE in order, --seed and --duration. Overrides never create a lock, line, flag, group, cluster or distance.") +
           fields_help<Scenario>() + heading("[machine]") +
           list(item("`preset` (string, required)", "the name of a machine file, configs/machines/NAME.toml")) +
           paragraph("Besides, any key of a machine file (`help machine`) overrides it.") + heading("[noise]") +
           fields_help<NoiseConfig>() + heading("[locks.NAME]") + fields_help<LockConfig>() +
           paragraph(
               "[locks.NAME.TYPE] holds the parameters of that type (`locksim describe TYPE`). Tables of types that are not chosen are "
               "checked and kept for variants.") +
           heading("[lines.NAME]") + fields_help<LineConfig>() + heading("[flags]") +
           paragraph("`NAME = 0`: a shared integer and its initial value.") + heading("[groups.NAME]") +
           paragraph(
               "Threads that do the same, over and over. They are called NAME where there is one, else NAME.0, NAME.1 ...") +
           fields_help<GroupConfig>() +
           paragraph("[groups.NAME.WORKLOAD] holds the parameters of that workload. For programs see `help steps`.") +
           heading("[[events]]") + fields_help<EventConfig>() + heading("[variants.NAME]") +
           paragraph(
               "The same scenario with overrides: `\"locks.timers.type\" = \"mcs\"`, or nested tables. Elements of "
               "arrays are named by number: `\"groups.big.program.1.work\"`. The scenario as it stands is the variant \"base\".") +
           heading("[expect], [expect.VARIANT]") + paragraph("See `help expect`.") + heading("[fitted.\"PATH\"]") +
           paragraph("A parameter that was chosen so that the scenario matches what was measured.") +
           fields_help<FittedConfig>() + heading("[lesson]") +
           paragraph(
               "What a class does with the scenario: `locksim run FILE --lesson` asks before it runs, and explains after.") +
           fields_help<LessonConfig>() +
           paragraph(
               "In the texts, `{p50(wait(lock))}` is a figure of the run (in `explain` only; one side of a comparison, see `help expect`, "
               "of the first seed and start phase that ran; of variant base where none is named), `{machine.tick.period}` a value of the "
               "configuration as print-config writes it (`{slow.machine.tick.period}` that of variant slow), `{run}` the command that runs the scenario; `{{` and `}}` are braces. Paragraphs "
               "are wrapped; lines that begin with four spaces stay as they are, lines that begin with \"- \" are items.");
}

std::string_view operand_name(StepOperand operand) {
    switch (operand) {
        case StepOperand::lock: return "\"LOCK\"";
        case StepOperand::line: return "\"LINE\"";
        case StepOperand::flag: return "\"FLAG\"";
        case StepOperand::span: return "DISTRIBUTION";
        case StepOperand::time: return "DISTRIBUTION OF TIMES";
        case StepOperand::policy: return "\"POLICY\"";
        case StepOperand::irq: return "\"off\" or \"on\"";
        case StepOperand::group: return "\"GROUP\"";
        case StepOperand::body: return "[STEPS]";
    }
    return {};
}

std::string steps_help() {
    std::string text =
        "# Steps of a program\n" +
        paragraph(
            "A step is an inline table with one verb and further keys: `{work = \"10cycles\", jitter = \"15%\", label = \"gap\"}`.") +
        "\n";
    for (const auto& verb : step_verbs()) {
        std::string keys;
        for (const auto& key : verb.keys) { keys += fmt::format(", {}", key); }
        text += item(fmt::format("`{{{} = {}{}}}`", verb.name, operand_name(verb.operand), keys), verb.doc);
    }
    text += heading("Further keys") + "\n";
    for (const auto& key : step_keys()) { text += item(fmt::format("`{}`", key.name), key.doc); }
    return text;
}

std::string machine_help() {
    return "# Machine files\n" +
           paragraph(
               "One TOML file for each machine, configs/machines/NAME.toml. Each number has its source in a comment or its key in `estimated`.") +
           fields_help<MachineConfig>() + heading("[clusters.NAME]") +
           paragraph("CPUs that share a cache: a cache domain.") + fields_help<ClusterConfig>() +
           heading("[distances.NAME]") +
           paragraph("What it costs to move a line between two CPUs of this distance class; nearest first.") +
           fields_help<DistanceConfig>() + heading("[tick]") + fields_help<TickConfig>() + heading("[ipi]") +
           fields_help<IpiConfig>() + heading("[cpus.N]") +
           paragraph("Overrides for one CPU; what is not set comes from its cluster.") + fields_help<CpuOverride>();
}

std::string expect_help() {
    return "# Expectations\n" +
           paragraph(
               "[expect] stands for the variant \"base\", [expect.VARIANT] for another one. A variant without a block is expected to be ok; "
               "a file without [expect] states nothing.") +
           fields_help<ExpectConfig>() + heading("Comparisons") +
           "\n    comparison = sum (\"<\" | \"<=\" | \">\" | \">=\" | \"==\") sum\n"
           "    sum        = product ((\"+\" | \"-\") product)*\n"
           "    product    = factor ((\"*\" | \"/\") factor)*\n"
           "    factor     = number unit? | \"(\" sum \")\" | measure | VARIANT \".\" measure\n"
           "    measure    = NAME \"(\" argument? \")\" |\n                 STATISTIC \"(\" NAME \"(\" argument \")\" \")\"\n" +
           paragraph(
               "Units: ps, ns, us, ms, s; % for shares; Hz, kHz, MHz, GHz for rates. A time compares with a time only. `lse.NAME(...)` is the "
               "measure in the run of variant lse that has the same seed and start phase. Where a measure has no samples, the comparison does not hold.") +
           paragraph(
               "Example: `acquisitions(little) >= 2 * base.acquisitions(little)`. For measures see `help measures`.");
}

std::string arguments_of(const MeasureRow& row) {
    if (row.takes_threads()) { return row.takes_locks() ? "THREAD | GROUP | LOCK" : "THREAD | GROUP"; }
    return row.takes_locks() ? "LOCK" : "";
}

std::string measures_help() {
    std::string text =
        "# Measures\n" +
        paragraph("Of a group: the largest of its threads' waits, the sum of their counts. `big.3` is one thread.") +
        "\n";
    for (const auto& row : measure_rows()) {
        if (!row.is_distribution()) { text += item(fmt::format("`{}({})`", row.name, arguments_of(row)), row.doc); }
    }
    text += heading("Sets of times");
    text += paragraph(fmt::format("They are asked for a statistic, `p50(wait(timers))`: {}.",
                                  fmt::join(statistic_names(), ", "))) +
            "\n";
    for (const auto& row : measure_rows()) {
        if (row.is_distribution()) { text += item(fmt::format("`{}({})`", row.name, arguments_of(row)), row.doc); }
    }
    return text;
}

std::string_view verdict_doc(VerdictKind kind) {
    switch (kind) {
        case VerdictKind::ok: return "none of the others";
        case VerdictKind::starvation: return "one wait is longer than its bound while others make progress";
        case VerdictKind::livelock: return "for a whole window CPUs execute, and no unfinished thread makes progress";
        case VerdictKind::lost_wakeup: return "a sleeper's condition holds, and nobody is left to wake it";
        case VerdictKind::deadlock:
            return "a closed set of threads, each waiting for something that only the set can give";
        case VerdictKind::invariant_broken:
            return "a workload's check found something wrong, or a thread released a lock that it did not hold";
        case VerdictKind::exclusion_violated: return "two threads held a lock at once";
    }
    return {};
}

std::string verdicts_help() {
    std::string text =
        "# Verdicts\n" +
        paragraph(
            "The strongest that applies, weakest first. Progress is a thread completing its body with no section skipped "
            "because a try failed; where a program has steps marked `progress`, only passing one of these. An "
            "acquisition alone is none.") +
        "\n";
    for (const auto kind : {VerdictKind::ok, VerdictKind::starvation, VerdictKind::livelock, VerdictKind::lost_wakeup,
                            VerdictKind::deadlock, VerdictKind::invariant_broken, VerdictKind::exclusion_violated}) {
        text += item(fmt::format("`{}`", to_string(kind)), verdict_doc(kind));
    }
    text += heading("Does it survive?");
    text += paragraph(
        "`run --stability` repeats each run with small disturbances and counts how often the verdict is of the same kind, about "
        "threads of the same groups:");
    text +=
        "\n" + item("`noise_1pct`", "16 runs with noise of at least 1 % of work and of latency, drawn anew in each") +
        item("`tie_orders`", "16 runs in which events of equal times come in other seeded orders") +
        item(
            "`one_cycle`",
            "16 runs in each of which one length of a program, a parameter or the machine is a cycle longer or shorter; "
            "changes that leave the trace as it was do not count") +
        paragraph("Start phases and all other random streams stay as they are.");
    return text;
}

std::string units_help() {
    return "# Units\n" +
           paragraph(
               "Quantities are strings: a decimal number and its unit, no space between. Conversions are exact: what is no whole number of "
               "the smallest unit is refused.") +
           "\n" + item("time", time_spelling) + item("frequency", frequency_spelling) +
           item("cycles", cycles_spelling) + item("cycles or time", span_spelling) + item("share", share_spelling) +
           item("bytes", bytes_spelling) + item("distribution", distribution_spelling) +
           item("CPUs", cpu_list_spelling) +
           paragraph(
               "Work in cycles scales with the CPU's clock; work in time does not. `exp(5us)` is exponential with that mean, `uniform(1us, 2us)` "
               "uniform between the two; both are drawn anew each time, from the seed.");
}

struct Topic {
    std::string_view name;
    std::string (*text)();
};
constexpr std::array<Topic, 7> topics{{{"scenario", scenario_help},
                                       {"steps", steps_help},
                                       {"machine", machine_help},
                                       {"expect", expect_help},
                                       {"measures", measures_help},
                                       {"verdicts", verdicts_help},
                                       {"units", units_help}}};

}  // namespace

std::string help_topic(const std::string& topic) {
    for (const auto& each : topics) {
        if (each.name == topic) { return each.text(); }
    }
    return {};
}

const std::vector<std::string>& help_topics() {
    static const std::vector<std::string> names = names_in(topics, &Topic::name);
    return names;
}

}  // namespace model
