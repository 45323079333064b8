// "locksim.report/1": keys are only added within a version. Times in nanoseconds, rates per simulated second;
// null where there were no samples, or where this version does not measure something yet.

#include <fmt/format.h>

#include <map>

#include "tools/locksim/json_number.hpp"
#include "tools/locksim/json_text.hpp"
#include "tools/locksim/report.hpp"
#include "tools/locksim/validating/trust.hpp"

namespace locksim {

namespace {

/// For values that are 0 where they do not apply.
Json number_or_null(double value) { return value == 0 ? Json(nullptr) : number(value); }
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json json(const model::Summary& summary) {
    if (summary.samples == 0) { return nullptr; }
    return {{"min", number(summary.min)}, {"mean", number(summary.mean)}, {"p50", number(summary.p50)},
            {"p90", number(summary.p90)}, {"p99", number(summary.p99)},   {"p999", number(summary.p999)},
            {"max", number(summary.max)}};
}

Json json(const std::optional<model::Survival>& survival) {
    if (!survival) { return nullptr; }
    const auto fraction = [](const model::Survival::Count& count) {
        return fmt::format("{}/{}", count.same, count.runs);
    };
    Json changes = Json::array();
    for (const model::Survival::Change& change : survival->changes) {
        changes.push_back({{"set", change.set}, {"verdict", model::to_string(change.verdict)}, {"same", change.same}});
    }
    return {{"noise_1pct", fraction(survival->noise_1pct)},
            {"tie_orders", fraction(survival->tie_orders)},
            {"one_cycle", fraction(survival->one_cycle)},
            {"one_cycle_changes", changes}};
}

Json json(const model::Verdict& verdict) {
    Json waits_for = Json::array();
    for (const model::WaitsFor& edge : verdict.waits_for) {
        waits_for.push_back({{"thread", edge.thread}, {"lock", edge.lock}, {"owner", edge.owner}});
    }
    const bool ok = verdict.kind == model::VerdictKind::ok;
    return {{"kind", model::to_string(verdict.kind)},
            {"text", verdict.text},
            {"basis", text_or_null(verdict.basis)},
            {"window_ns", number_or_null(verdict.window_ns)},
            {"bound_ns", number_or_null(verdict.bound_ns)},
            {"made_by", text_or_null(verdict.made_by)},
            {"threads", verdict.threads},
            {"since_ns", ok ? Json(nullptr) : number(verdict.since_ns)},
            {"where", text_or_null(verdict.where)},
            {"waits_for", waits_for},
            {"cycle", nullptr},
            {"survives", json(verdict.survives)}};
}

Json json(const std::optional<model::LongestWait>& wait) {
    if (!wait) { return nullptr; }
    return {{"thread", wait->thread}, {"holder", text_or_null(wait->holder)}, {"at_ns", number(wait->at_ns)}};
}

Json jain_1ms(const model::LockResult& lock) {
    if (!lock.jain_1ms_min && !lock.jain_1ms_mean) { return nullptr; }
    return {{"min", number(lock.jain_1ms_min)}, {"mean", number(lock.jain_1ms_mean)}};
}

Json reacquire(const model::LockResult& lock) {
    if (lock.reacquire_samples == 0) { return nullptr; }
    return {{"p50", number(lock.reacquire_p50)}, {"p99", number(lock.reacquire_p99)}};
}

Json json(const model::LockResult& lock) {
    Json transfers = Json::object();
    for (const auto& [distance, count] : lock.transfers_per_acquisition) { transfers[distance] = number(count); }
    return {{"name", lock.name},
            {"type", lock.type},
            {"acquisitions", lock.acquisitions},
            {"contended", lock.contended},
            {"failed_tries", lock.failed_tries},
            {"throughput_per_s", number(lock.throughput_per_s)},
            {"wait_ns", json(lock.wait_ns)},
            {"contended_wait_ns", json(lock.contended_wait_ns)},
            {"hold_ns", json(lock.hold_ns)},
            {"handover_ns", json(lock.handover_ns)},
            {"transfers_per_acquisition", transfers},
            {"jain", number(lock.jain)},
            {"jain_1ms", jain_1ms(lock)},
            {"longest_streak", lock.longest_streak},
            {"longest_bypass", lock.longest_bypass},
            {"reacquire", reacquire(lock)},
            {"longest_wait", json(lock.longest_wait)},
            {"steals", lock.steals},
            {"events", Json::object()}};
}

Json json(const model::ThreadResult& thread) {
    const bool waited = thread.wait_ns.samples > 0 || thread.longest_wait_ns > 0;
    return {{"name", thread.name},
            {"group", thread.group},
            {"cpu", thread.cpu},
            {"operations", thread.operations},
            {"acquisitions", thread.acquisitions},
            {"wait_ns", json(thread.wait_ns)},
            {"longest_wait_ns", waited ? number(thread.longest_wait_ns) : Json(nullptr)},
            {"longest_wait_at_ns", waited ? number(thread.longest_wait_at_ns) : Json(nullptr)},
            {"sc", {{"success", thread.sc_success}, {"fail", thread.sc_fail}}},
            {"cas", {{"success", thread.cas_success}, {"fail", thread.cas_fail}}},
            {"finished", thread.finished},
            {"finished_at_ns", thread.finished ? number(thread.finished_at_ns) : Json(nullptr)}};
}

Json json(const model::CpuResult& cpu) {
    const model::CpuTime& time = cpu.time_ns;
    return {{"cpu", cpu.cpu},
            {"vm", nullptr},
            {"time_ns",
             {{"work", number(time.work)},
              {"critical", number(time.critical)},
              {"spin", number(time.spin)},
              {"stall", number(time.stall)},
              {"interrupt", number(time.interrupt)},
              {"preempted", number(time.preempted)},
              {"halted", number(time.halted)},
              {"switch", number(time.switching)},
              {"idle", number(time.idle)}}},
            {"kind", "cpu"}};
}

template <typename T>
Json array_of(const std::vector<T>& items) {
    Json array = Json::array();
    for (const T& item : items) { array.push_back(json(item)); }
    return array;
}

Json json(const Trust& trust) {
    if (!trust.record) { return nullptr; }
    const ValidationRecord& record = *trust.record;
    return {{"set", record.set},
            {"median_error", number(record.median_error)},
            {"worst", number(record.worst)},
            {"holds", record.holds},
            {"threads", {{"least", record.least_threads}, {"most", record.most_threads}}},
            {"critical_ns", {{"least", number(record.least_critical_ns)}, {"most", number(record.most_critical_ns)}}},
            {"locks", record.locks},
            {"version", record.version},
            {"date", record.date},
            {"numbers_changed", trust.numbers_changed},
            {"extrapolates", trust.extrapolates}};
}

Json json(const model::RunResult& run, const Trust& trust) {
    return {{"scenario", {{"title", run.title}, {"file", run.file}, {"config_digest", run.config_digest}}},
            {"variant", run.variant},
            {"seed", run.seed},
            {"phase", run.phase},
            {"digest", hex_digest(run.digest)},
            {"events", run.events},
            {"accesses", run.accesses},
            {"switches", run.switches},
            {"simulated_ns", number(run.simulated_ns)},
            {"window_ns", number(run.window_ns)},
            {"ns_per_acquisition", number_or_null(run.ns_per_acquisition)},
            {"host_seconds", number(run.host_seconds)},
            {"machine",
             {{"preset", run.machine_preset},
              {"estimated", run.machine_estimated},
              {"estimated_numbers", run.machine_estimated_numbers},
              {"numbers", run.machine_numbers},
              {"memory_order", run.memory_order},
              {"validated", json(trust)}}},
            {"verdict", json(run.verdict())},
            {"verdicts", array_of(run.verdicts)},
            {"locks", array_of(run.locks)},
            {"threads", array_of(run.threads)},
            {"cpus", array_of(run.cpus)}};
}

Json json(const model::JudgedExpectation& expectation, const std::string& file) {
    return {{"text", expectation.text},
            {"variant", expectation.variant},
            {"in", text_or_null(expectation.in)},
            {"required", text_or_null(expectation.required)},
            {"holds", expectation.holds ? Json(*expectation.holds) : Json(nullptr)},
            {"value", number(expectation.value)},
            {"hoped", expectation.hoped},
            {"why", text_or_null(expectation.why)},
            {"not_judged_because", text_or_null(expectation.not_judged_because)},
            {"file", file}};
}

/// A title or file name that is no UTF-8 must not cost the whole report.
std::string dumped(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string json_report(const Report& report, std::string_view version) {
    Json runs = Json::array();
    Json expect = Json::array();
    for (const FileReport& file : report.files) {
        const std::string name = file.scenarios.empty() ? "" : file.scenarios.front().file;
        std::map<std::string, Trust> trust;  // by variant: reading a machine file is not for every run
        for (const model::Scenario& scenario : file.scenarios) { trust[scenario.variant] = trust_of(scenario); }
        for (const model::RunResult& run : file.runs) { runs.push_back(json(run, trust[run.variant])); }
        for (const auto& expectation : file.expectations) { expect.push_back(json(expectation, name)); }
    }
    return dumped({{"schema", "locksim.report/1"}, {"locksim", version}, {"runs", runs}, {"expect", expect}});
}

std::string json_records(const std::string& schema, const std::string& key, const std::vector<Record>& records) {
    Json array = Json::array();
    for (const Record& record : records) {
        Json object = Json::object();
        for (const auto& [name, text] : record) { object[name] = text; }
        array.push_back(object);
    }
    return dumped({{"schema", schema}, {key, array}});
}

std::string json_string(std::string_view text) {
    return Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace locksim
