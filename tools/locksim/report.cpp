#include "tools/locksim/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/digest.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

template <typename T, typename Match>
T& find_or_add(std::vector<T>& items, Match match, T fresh) {
    const auto found = std::find_if(items.begin(), items.end(), match);
    return found != items.end() ? *found : items.emplace_back(std::move(fresh));
}

VariantSummary& variant_of(std::vector<VariantSummary>& summaries, const std::string& name) {
    return find_or_add(
        summaries, [&name](const auto& summary) { return summary.variant == name; },
        VariantSummary{.variant = name, .runs = 0, .verdicts = {}, .groups = {}});
}

bool anyone_acquires(const std::vector<model::RunResult>& runs) {
    return std::any_of(runs.begin(), runs.end(), [](const model::RunResult& run) {
        return std::any_of(run.threads.begin(), run.threads.end(),
                           [](const model::ThreadResult& thread) { return thread.acquisitions > 0; });
    });
}

void add_threads(VariantSummary& summary, const model::RunResult& run, bool acquisitions) {
    for (const model::ThreadResult& thread : run.threads) {
        GroupSummary& group = find_or_add(
            summary.groups, [&thread](const auto& known) { return known.name == thread.group; },
            GroupSummary{.name = thread.group});
        group.count += static_cast<double>(acquisitions ? thread.acquisitions : thread.operations);
        group.sc_success += static_cast<double>(thread.sc_success);
        group.sc_fail += static_cast<double>(thread.sc_fail);
        group.longest_wait_ns = std::max(group.longest_wait_ns, thread.longest_wait_ns);
    }
}

void finish(VariantSummary& summary) {
    std::sort(summary.verdicts.begin(), summary.verdicts.end(),
              [](const auto& a, const auto& b) { return a.first > b.first; });
    for (GroupSummary& group : summary.groups) {
        for (double* sum : {&group.count, &group.sc_success, &group.sc_fail}) {
            *sum /= static_cast<double>(summary.runs);
        }
    }
}

}  // namespace

bool as_expected(const FileReport& file, bool judge_all) {
    const bool states_expectations = std::any_of(file.scenarios.begin(), file.scenarios.end(),
                                                 [](const auto& scenario) { return scenario.has_expect; });
    if (!states_expectations) {
        return std::all_of(file.runs.begin(), file.runs.end(),
                           [](const model::RunResult& run) { return run.verdict().kind == model::VerdictKind::ok; });
    }
    const ExpectCounts counts = count(file.expectations);
    return counts.failed == 0 && (!judge_all || counts.not_judged == 0);
}

ExitStatus judged_status(const Report& report, bool judge_all) {
    const bool all_as_expected =
        std::all_of(report.files.begin(), report.files.end(),
                    [judge_all](const FileReport& file) { return as_expected(file, judge_all); });
    return all_as_expected ? ExitStatus::ok : ExitStatus::unexpected;
}

std::vector<VariantSummary> summarise(const std::vector<model::RunResult>& runs) {
    const bool acquisitions = anyone_acquires(runs);
    std::vector<VariantSummary> summaries;
    for (const model::RunResult& run : runs) {
        VariantSummary& summary = variant_of(summaries, run.variant);
        ++summary.runs;
        const model::VerdictKind kind = run.verdict().kind;
        ++find_or_add(summary.verdicts, [kind](const auto& known) { return known.first == kind; },
                      {kind, std::size_t{0}})
              .second;
        add_threads(summary, run, acquisitions);
    }
    for (VariantSummary& summary : summaries) { finish(summary); }
    return summaries;
}

const model::RunResult& worst_run(const std::vector<model::RunResult>& runs) {
    return *std::max_element(runs.begin(), runs.end(), [](const model::RunResult& a, const model::RunResult& b) {
        return a.verdict().kind < b.verdict().kind;
    });
}

RunName run_to_repeat(const FileReport& file) {
    const model::RunResult& run = worst_run(file.runs);
    if (count(file.expectations).total() > 0) { return {.file = run.file, .variant = "", .seed = {}, .phase = {}}; }
    return {.file = run.file, .variant = run.variant, .seed = run.seed, .phase = run.phase};
}

ExpectCounts count(const std::vector<model::JudgedExpectation>& expectations) {
    ExpectCounts counts;
    for (const model::JudgedExpectation& expectation : expectations) {
        if (expectation.hoped) {
            ++counts.hoped;
            continue;
        }
        if (!expectation.holds) {
            ++counts.not_judged;
        } else if (*expectation.holds) {
            ++counts.held;
        } else {
            ++counts.failed;
        }
    }
    return counts;
}

std::string describe(const model::JudgedExpectation& expectation) {
    std::string text = expectation.variant == "base" ? "" : expectation.variant + ": ";
    text += expectation.text;
    if (expectation.value) {
        const double value = *expectation.value;
        text += ": " + (expectation.value_is_time ? friendly_time(value) : plain_number(value));
    }
    if (!expectation.in.empty()) { text += "; in " + expectation.in; }
    if (!expectation.required.empty() && expectation.required != expectation.in) {
        text += fmt::format(", required {}", expectation.required);
    }
    return printable(text);
}

std::string machine_text(const model::RunResult& run, std::string_view validated, std::string_view which) {
    return fmt::format("machine {}{}: {} of {} numbers estimated; {}", run.machine_preset, which,
                       run.machine_estimated_numbers, run.machine_numbers, validated);
}

const model::Scenario* scenario_of(const FileReport& file, const model::RunResult& run) {
    const auto found = std::find_if(file.scenarios.begin(), file.scenarios.end(),
                                    [&run](const model::Scenario& each) { return each.variant == run.variant; });
    return found == file.scenarios.end() ? nullptr : &*found;
}

std::uint64_t combined_digest(const std::vector<model::RunResult>& runs) {
    if (runs.size() == 1) { return runs.front().digest; }
    sim::Digest digest;
    for (const model::RunResult& run : runs) { digest.add(0, 0, 0, run.digest, 0); }
    return digest.value();
}

std::string hex_digest(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

std::string paint(const std::string& text, bool good, const Screen& screen) {
    if (!screen.colour) { return text; }
    return fmt::format("\x1b[{}m{}\x1b[0m", good ? "32" : "1;31", text);
}

}  // namespace locksim
