// What -v adds: every expectation, and per run all that was measured, lock by lock, thread by thread, CPU by
// CPU.

#include <fmt/format.h>

#include <algorithm>

#include "tools/locksim/report.hpp"
#include "tools/locksim/stability.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

using Lines = std::vector<std::string>;
using Align = TextTable::Align;

constexpr std::size_t most_runs_in_full = 8;  // beyond, the worst run of each variant stands for the others
constexpr std::size_t most_name = 12;

void append(Lines& to, const Lines& from) { to.insert(to.end(), from.begin(), from.end()); }

Lines indented(const Lines& lines) {
    Lines result;
    for (const std::string& line : lines) { result.push_back("  " + line); }
    return result;
}

std::string name_cell(const std::string& name) { return shorten(printable(name), most_name); }

std::vector<Align> name_and(std::size_t numbers) {
    std::vector<Align> columns{Align::left};
    columns.resize(1 + numbers, Align::right);
    return columns;
}

// Times
// ---------------------------------------------------------------------------------------------------------

TextTable summary_table(const std::string& first_column) {
    TextTable table(name_and(8));
    table.add({first_column, "samples", "min", "mean", "p50", "p90", "p99", "p99.9", "max"});
    return table;
}

void add_summary(TextTable& table, const std::string& name, const model::Summary& summary) {
    if (summary.samples == 0) {
        table.add({name, "0", "-", "-", "-", "-", "-", "-", "-"});
        return;
    }
    table.add({name, compact_count(static_cast<double>(summary.samples)), tight_time(summary.min),
               tight_time(summary.mean), tight_time(summary.p50), tight_time(summary.p90), tight_time(summary.p99),
               tight_time(summary.p999), tight_time(summary.max)});
}

// Locks
// ---------------------------------------------------------------------------------------------------------

std::string contended_share(const model::LockResult& lock) {
    if (lock.acquisitions == 0) { return ""; }
    return fmt::format(" ({})", percent(static_cast<double>(lock.contended) / static_cast<double>(lock.acquisitions)));
}

std::string fairness_text(const model::LockResult& lock) {
    Lines parts;
    if (lock.jain) { parts.push_back(fmt::format("Jain index {:.3f}", *lock.jain)); }
    if (lock.jain_1ms_min && lock.jain_1ms_mean) {
        parts.push_back(
            fmt::format("over 1 ms windows min {:.3f}, mean {:.3f}", *lock.jain_1ms_min, *lock.jain_1ms_mean));
    }
    parts.push_back(fmt::format("longest streak {}", group_digits(lock.longest_streak)));
    parts.push_back(fmt::format("longest bypass {}", group_digits(lock.longest_bypass)));
    parts.push_back(fmt::format("steals {}", group_digits(lock.steals)));
    if (lock.reacquire_samples > 0) {
        parts.push_back(fmt::format("reacquired after p50 {}, p99 {} acquisitions by others",
                                    plain_number(lock.reacquire_p50), plain_number(lock.reacquire_p99)));
    }
    return join(parts, ", ");
}

std::string transfers_text(const model::LockResult& lock) {
    Lines parts;
    for (const auto& [distance, transfers] : lock.transfers_per_acquisition) {
        parts.push_back(fmt::format("{} {:.3f}", printable(distance), transfers));
    }
    return parts.empty() ? "" : "line transfers per acquisition: " + join(parts, ", ");
}

std::string longest_wait_text(const model::LockResult& lock) {
    if (!lock.longest_wait) { return ""; }
    const model::LongestWait& wait = *lock.longest_wait;
    std::string text = fmt::format("longest wait: {}, from {} on", wait.thread, friendly_time(wait.at_ns));
    if (!wait.holder.empty()) { text += fmt::format("; {} had the lock last", wait.holder); }
    return printable(text);
}

Lines lock_lines(const model::LockResult& lock, const Screen& screen) {
    Lines lines;
    append(lines, wrap(printable(fmt::format("lock {} ({})", lock.name, lock.type)), screen.width));
    const std::string counts =
        fmt::format("{} acquisitions, {}/s; {} contended{}; {} failed tries", group_digits(lock.acquisitions),
                    compact_count(lock.throughput_per_s), group_digits(lock.contended), contended_share(lock),
                    group_digits(lock.failed_tries));
    TextTable table = summary_table("");
    add_summary(table, "wait", lock.wait_ns);
    add_summary(table, "contended", lock.contended_wait_ns);
    add_summary(table, "hold", lock.hold_ns);
    add_summary(table, "handover", lock.handover_ns);
    append(lines, indented(wrap(counts, screen.width - 2)));
    append(lines, indented(table.lines()));
    for (const std::string& text : {fairness_text(lock), transfers_text(lock), longest_wait_text(lock)}) {
        append(lines, indented(wrap(text, screen.width - 2)));
    }
    return lines;
}

// Threads and CPUs
// ------------------------------------------------------------------------------------------------

Lines thread_count_lines(const model::RunResult& run) {
    TextTable table(name_and(8));
    table.add({"thread", "cpu", "bodies", "acquisitions", "cas ok", "failed", "sc ok", "failed", "ended"});
    for (const model::ThreadResult& thread : run.threads) {
        table.add({name_cell(thread.name), std::to_string(thread.cpu), group_digits(thread.operations),
                   group_digits(thread.acquisitions), compact_count(static_cast<double>(thread.cas_success)),
                   compact_count(static_cast<double>(thread.cas_fail)),
                   compact_count(static_cast<double>(thread.sc_success)),
                   compact_count(static_cast<double>(thread.sc_fail)),
                   thread.finished ? tight_time(thread.finished_at_ns) : "-"});
    }
    return table.lines();
}

Lines thread_wait_lines(const model::RunResult& run) {
    TextTable table(name_and(8));
    table.add({"waits of", "min", "mean", "p50", "p90", "p99", "p99.9", "longest", "begun at"});
    for (const model::ThreadResult& thread : run.threads) {
        const model::Summary& wait = thread.wait_ns;
        const bool none = wait.samples == 0;
        const auto cell = [none](double ns) { return none ? std::string("-") : tight_time(ns); };
        const bool waited = !none || thread.longest_wait_ns > 0;
        table.add({name_cell(thread.name), cell(wait.min), cell(wait.mean), cell(wait.p50), cell(wait.p90),
                   cell(wait.p99), cell(wait.p999), waited ? tight_time(thread.longest_wait_ns) : "-",
                   waited ? tight_time(thread.longest_wait_at_ns) : "-"});
    }
    return table.lines();
}

Lines cpu_lines(const model::RunResult& run) {
    TextTable table(std::vector<Align>(10, Align::right));
    table.add({"cpu %", "work", "crit", "spin", "stall", "irq", "preempt", "halt", "switch", "idle"});
    for (const model::CpuResult& cpu : run.cpus) {
        const model::CpuTime& time = cpu.time_ns;
        Lines cells{std::to_string(cpu.cpu)};
        for (const double ns : {time.work, time.critical, time.spin, time.stall, time.interrupt, time.preempted,
                                time.halted, time.switching, time.idle}) {
            cells.push_back(run.simulated_ns > 0 ? fmt::format("{:.1f}", ns / run.simulated_ns * 100) : "-");
        }
        table.add(std::move(cells));
    }
    return table.lines();
}

// Runs and verdicts
// -----------------------------------------------------------------------------------------------

Lines verdict_lines(const model::RunResult& run, const Screen& screen) {
    Lines lines;
    for (const model::Verdict& verdict : run.verdicts) {
        std::string text = fmt::format("verdict {}", model::to_string(verdict.kind));
        if (!verdict.basis.empty()) { text += fmt::format(" ({})", verdict.basis); }
        if (!verdict.text.empty()) { text += ": " + verdict.text; }
        if (verdict.since_ns > 0) { text += fmt::format(" [since {}]", friendly_time(verdict.since_ns)); }
        append(lines, wrap(printable(text), screen.width));
        for (const model::WaitsFor& edge : verdict.waits_for) {
            const std::string line = fmt::format("{} waits for {}, which {} has", edge.thread, edge.lock, edge.owner);
            append(lines, indented(wrap(printable(line), screen.width - 2)));
        }
    }
    return lines;
}

Lines run_lines(const model::RunResult& run, const Screen& screen) {
    Lines lines{""};
    append(lines,
           wrap(printable(fmt::format("== {}, seed {}, phase {}", run.variant, run.seed, run.phase)), screen.width));
    append(lines, verdict_lines(run, screen));
    std::string counts =
        fmt::format("{} events, {} accesses, {} switches in {}; measured over {} of {}", group_digits(run.events),
                    group_digits(run.accesses), group_digits(run.switches), host_time(run.host_seconds),
                    friendly_time(run.window_ns), friendly_time(run.simulated_ns));
    if (run.ns_per_acquisition > 0) {
        counts += fmt::format("; {} ns per acquisition", plain_number(run.ns_per_acquisition));
    }
    append(lines, wrap(counts, screen.width));
    for (const model::LockResult& lock : run.locks) { append(lines, lock_lines(lock, screen)); }
    append(lines, thread_count_lines(run));
    append(lines, thread_wait_lines(run));
    append(lines, cpu_lines(run));
    return lines;
}

Lines expectation_lines(const FileReport& report, const Screen& screen) {
    Lines lines;
    for (const model::JudgedExpectation& expectation : report.expectations) {
        const char* fails = expectation.hoped ? "missed" : "FAILS";
        const char* state = !expectation.holds ? "not judged" : *expectation.holds ? "holds" : fails;
        std::string text = describe(expectation);
        if (!expectation.holds && !expectation.not_judged_because.empty()) {
            text += fmt::format(" ({})", expectation.not_judged_because);
        }
        if (expectation.hoped) { text += fmt::format("; hoped: {}", expectation.why); }
        Lines wrapped = wrap(printable(text), screen.width - most_name);
        for (std::size_t i = 0; i < wrapped.size(); ++i) {
            lines.push_back(pad_right(i == 0 ? state : "", most_name) + wrapped[i]);
        }
    }
    if (!lines.empty()) { lines.insert(lines.begin(), {"", "expectations"}); }
    return lines;
}

/// Every run in one line: enough to pick the one to repeat.
Lines overview_lines(const std::vector<model::RunResult>& runs) {
    TextTable table({Align::left, Align::right, Align::right, Align::left, Align::right, Align::left});
    table.add({"variant", "seed", "phase", "verdict", "longest", "digest"});
    for (const model::RunResult& run : runs) {
        double longest = 0;
        for (const model::ThreadResult& thread : run.threads) { longest = std::max(longest, thread.longest_wait_ns); }
        table.add({name_cell(run.variant), std::to_string(run.seed), std::to_string(run.phase),
                   model::to_string(run.verdict().kind), tight_time(longest), hex_digest(run.digest)});
    }
    Lines lines{"", "runs"};
    append(lines, table.lines());
    return lines;
}

/// All runs if they are few, else the worst of each variant.
std::vector<const model::RunResult*> runs_in_full(const std::vector<model::RunResult>& runs) {
    std::vector<const model::RunResult*> chosen;
    for (const model::RunResult& run : runs) {
        const auto same = std::find_if(chosen.begin(), chosen.end(),
                                       [&run](const auto* other) { return other->variant == run.variant; });
        if (runs.size() <= most_runs_in_full || same == chosen.end()) {
            chosen.push_back(&run);
        } else if ((*same)->verdict().kind < run.verdict().kind) {
            *same = &run;
        }
    }
    return chosen;
}

}  // namespace

std::string details(const FileReport& report, const Screen& screen) {
    if (report.runs.empty()) { return ""; }
    Lines lines = expectation_lines(report, screen);
    if (report.runs.size() > 1) { append(lines, overview_lines(report.runs)); }
    append(lines, stability_lines(report.runs));
    for (const model::RunResult* run : runs_in_full(report.runs)) { append(lines, run_lines(*run, screen)); }
    std::string text;
    // Narrow windows lose the right end of a table rather than its shape.
    for (const std::string& line : lines) { text += shorten(line, screen.width) + "\n"; }
    return text;
}

}  // namespace locksim
