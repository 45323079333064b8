// CSV (RFC 4180 with plain line feeds): a header, then for each run one row per lock and one per thread.
// Columns bear the names of the JSON report, joined by dots:
//
//   row                      "lock" or "thread"
//   scenario.file .. window_ns   which run it was, the same in all its rows
//   name                     of the lock or thread
//   type .. steals           locks only; transfers_per_acquisition.CLASS for every distance class of any run
//   group .. finished        threads only
//   acquisitions, wait_ns.*  both
//   verdict.survives.*       of the run again, where it was tested (--stability)
//
// A cell is empty where a column does not apply to the row, or where there were no samples.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tools/locksim/report.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

using Row = std::map<std::string, std::string>;

std::string number(double value) { return fmt::format("{}", value); }
std::string number(const std::optional<double>& value) { return value ? number(*value) : ""; }

void set_summary(Row& row, const std::string& name, const model::Summary& summary) {
    if (summary.samples == 0) { return; }
    row[name + ".min"] = number(summary.min);
    row[name + ".mean"] = number(summary.mean);
    row[name + ".p50"] = number(summary.p50);
    row[name + ".p90"] = number(summary.p90);
    row[name + ".p99"] = number(summary.p99);
    row[name + ".p999"] = number(summary.p999);
    row[name + ".max"] = number(summary.max);
}

std::vector<std::string> summary_columns(const std::string& name) {
    return {name + ".min", name + ".mean", name + ".p50", name + ".p90", name + ".p99", name + ".p999", name + ".max"};
}

/// Every distance class, in the order in which they first appear.
std::vector<std::string> distance_columns(const Report& report) {
    std::vector<std::string> columns;
    for (const FileReport& file : report.files) {
        for (const model::RunResult& run : file.runs) {
            for (const model::LockResult& lock : run.locks) {
                for (const auto& [distance, transfers] : lock.transfers_per_acquisition) {
                    const std::string name = "transfers_per_acquisition." + distance;
                    if (std::find(columns.begin(), columns.end(), name) == columns.end()) { columns.push_back(name); }
                }
            }
        }
    }
    return columns;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

std::vector<std::string> all_columns(const Report& report) {
    std::vector<std::string> columns{"row",
                                     "scenario.title",
                                     "scenario.file",
                                     "scenario.config_digest",
                                     "variant",
                                     "seed",
                                     "phase",
                                     "digest",
                                     "verdict.kind",
                                     "machine.preset",
                                     "simulated_ns",
                                     "window_ns",
                                     "name",
                                     "type",
                                     "group",
                                     "cpu",
                                     "operations",
                                     "acquisitions",
                                     "contended",
                                     "failed_tries",
                                     "throughput_per_s"};
    for (const char* summary : {"wait_ns", "contended_wait_ns", "hold_ns", "handover_ns"}) {
        append(columns, summary_columns(summary));
    }
    append(columns, distance_columns(report));
    append(columns, {"jain",
                     "jain_1ms.min",
                     "jain_1ms.mean",
                     "longest_streak",
                     "longest_bypass",
                     "reacquire.p50",
                     "reacquire.p99",
                     "longest_wait.thread",
                     "longest_wait.holder",
                     "longest_wait.at_ns",
                     "steals",
                     "longest_wait_ns",
                     "longest_wait_at_ns",
                     "sc.success",
                     "sc.fail",
                     "cas.success",
                     "cas.fail",
                     "finished",
                     "finished_at_ns",
                     "verdict.survives.noise_1pct",
                     "verdict.survives.tie_orders",
                     "verdict.survives.one_cycle"});
    return columns;
}

Row run_cells(const model::RunResult& run) {
    Row row{{"scenario.title", run.title},
            {"scenario.file", run.file},
            {"scenario.config_digest", run.config_digest},
            {"variant", run.variant},
            {"seed", std::to_string(run.seed)},
            {"phase", std::to_string(run.phase)},
            {"digest", hex_digest(run.digest)},
            {"verdict.kind", model::to_string(run.verdict().kind)},
            {"machine.preset", run.machine_preset},
            {"simulated_ns", number(run.simulated_ns)},
            {"window_ns", number(run.window_ns)}};
    const auto fraction = [](const model::Survival::Count& count) {
        return fmt::format("{}/{}", count.same, count.runs);
    };
    if (const auto& survives = run.verdict().survives) {
        row["verdict.survives.noise_1pct"] = fraction(survives->noise_1pct);
        row["verdict.survives.tie_orders"] = fraction(survives->tie_orders);
        row["verdict.survives.one_cycle"] = fraction(survives->one_cycle);
    }
    return row;
}

Row lock_row(const model::RunResult& run, const model::LockResult& lock) {
    Row row = run_cells(run);
    row["row"] = "lock";
    row["name"] = lock.name;
    row["type"] = lock.type;
    row["acquisitions"] = std::to_string(lock.acquisitions);
    row["contended"] = std::to_string(lock.contended);
    row["failed_tries"] = std::to_string(lock.failed_tries);
    row["throughput_per_s"] = number(lock.throughput_per_s);
    set_summary(row, "wait_ns", lock.wait_ns);
    set_summary(row, "contended_wait_ns", lock.contended_wait_ns);
    set_summary(row, "hold_ns", lock.hold_ns);
    set_summary(row, "handover_ns", lock.handover_ns);
    for (const auto& [distance, transfers] : lock.transfers_per_acquisition) {
        row["transfers_per_acquisition." + distance] = number(transfers);
    }
    row["jain"] = number(lock.jain);
    row["jain_1ms.min"] = number(lock.jain_1ms_min);
    row["jain_1ms.mean"] = number(lock.jain_1ms_mean);
    row["longest_streak"] = std::to_string(lock.longest_streak);
    row["longest_bypass"] = std::to_string(lock.longest_bypass);
    if (lock.reacquire_samples > 0) {
        row["reacquire.p50"] = number(lock.reacquire_p50);
        row["reacquire.p99"] = number(lock.reacquire_p99);
    }
    if (lock.longest_wait) {
        row["longest_wait.thread"] = lock.longest_wait->thread;
        row["longest_wait.holder"] = lock.longest_wait->holder;
        row["longest_wait.at_ns"] = number(lock.longest_wait->at_ns);
    }
    row["steals"] = std::to_string(lock.steals);
    return row;
}

Row thread_row(const model::RunResult& run, const model::ThreadResult& thread) {
    Row row = run_cells(run);
    row["row"] = "thread";
    row["name"] = thread.name;
    row["group"] = thread.group;
    row["cpu"] = std::to_string(thread.cpu);
    row["operations"] = std::to_string(thread.operations);
    row["acquisitions"] = std::to_string(thread.acquisitions);
    set_summary(row, "wait_ns", thread.wait_ns);
    if (thread.wait_ns.samples > 0 || thread.longest_wait_ns > 0) {
        row["longest_wait_ns"] = number(thread.longest_wait_ns);
        row["longest_wait_at_ns"] = number(thread.longest_wait_at_ns);
    }
    row["sc.success"] = std::to_string(thread.sc_success);
    row["sc.fail"] = std::to_string(thread.sc_fail);
    row["cas.success"] = std::to_string(thread.cas_success);
    row["cas.fail"] = std::to_string(thread.cas_fail);
    row["finished"] = thread.finished ? "true" : "false";
    if (thread.finished) { row["finished_at_ns"] = number(thread.finished_at_ns); }
    return row;
}

std::string line(const Row& row, const std::vector<std::string>& columns) {
    std::string text;
    for (const std::string& column : columns) {
        if (&column != &columns.front()) { text += ','; }
        const auto cell = row.find(column);
        if (cell != row.end()) { text += csv_cell(cell->second); }
    }
    return text + "\n";
}

}  // namespace

std::string csv_report(const Report& report) {
    const std::vector<std::string> columns = all_columns(report);
    Row header;
    for (const std::string& column : columns) { header[column] = column; }
    std::string text = line(header, columns);
    for (const FileReport& file : report.files) {
        for (const model::RunResult& run : file.runs) {
            for (const model::LockResult& lock : run.locks) { text += line(lock_row(run, lock), columns); }
            for (const model::ThreadResult& thread : run.threads) { text += line(thread_row(run, thread), columns); }
        }
    }
    return text;
}

}  // namespace locksim
