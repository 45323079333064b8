#include "tests/tools/report_fixture.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/tools/temporary_folder.hpp"
#include "tools/locksim/text.hpp"

namespace locksim_test {

namespace {

model::Verdict verdict(model::VerdictKind kind) {
    model::Verdict verdict;
    verdict.kind = kind;
    if (kind == model::VerdictKind::ok) {
        verdict.text = "every thread went on";
        verdict.basis = "observed";
        return verdict;
    }
    verdict.text = "little waited 19.9 ms for timers while big acquired it 61 204 times; the tick at 19.9 ms ended it";
    verdict.basis = "bounded";
    verdict.made_by = "lock";
    verdict.bound_ns = 1e6;
    verdict.since_ns = 100e3;
    verdict.threads = {"little"};
    verdict.where = "locks/ticket_llsc.hpp:41";
    return verdict;
}

model::LockResult lock() {
    model::LockResult lock;
    lock.name = "timers";
    lock.type = "ticket-llsc";
    lock.acquisitions = 1802153;
    lock.contended = 1203;
    lock.throughput_per_s = 9010765;
    lock.wait_ns = {1802153, 1, 2.5, 2, 3, 400, 5000, 19.9e6};
    lock.contended_wait_ns = {1203, 10, 250, 200, 300, 400, 5000, 19.9e6};
    lock.hold_ns = {1802153, 5, 5.25, 5, 6, 7, 8, 9};
    lock.transfers_per_acquisition = {{"same_cluster", 0.25}, {"remote", 1.5}};
    lock.jain = 0.507;
    lock.jain_1ms_min = 0.5;
    lock.jain_1ms_mean = 0.51;
    lock.longest_streak = 61204;
    lock.longest_bypass = 61203;
    lock.reacquire_p50 = 0;
    lock.reacquire_p99 = 1;
    lock.reacquire_samples = 1802151;
    lock.longest_wait = model::LongestWait{"little", "big", 100e3};
    lock.steals = 3;
    return lock;
}

model::CpuResult cpu(std::int32_t number) {
    model::CpuResult cpu;
    cpu.cpu = number;
    cpu.time_ns.work = 120e6;
    cpu.time_ns.critical = 30e6;
    cpu.time_ns.stall = 50e6;
    return cpu;
}

}  // namespace

model::ThreadResult thread(const std::string& name, std::int32_t cpu, std::uint64_t acquisitions,
                           double longest_wait_ns) {
    model::ThreadResult thread;
    thread.name = name;
    thread.group = name;
    thread.cpu = cpu;
    thread.operations = acquisitions;
    thread.acquisitions = acquisitions;
    thread.wait_ns = {acquisitions, 1, 2.5, 2, 3, 30, 300, longest_wait_ns};
    thread.longest_wait_ns = longest_wait_ns;
    thread.longest_wait_at_ns = 100e3;
    thread.cas_success = 12;
    thread.cas_fail = 5;
    return thread;
}

model::RunResult run(const std::string& variant, model::VerdictKind kind, std::int32_t phase) {
    model::RunResult run;
    run.title = "Two CPUs, one ticket lock";
    run.file = "configs/seeds/001-biglittle.toml";
    run.config_digest = "0123456789abcdef";
    run.variant = variant;
    run.phase = phase;
    run.phases = 16;
    run.digest = 0x9f3c000000000000U + static_cast<std::uint64_t>(phase) + (variant == "base" ? 0 : 256);
    run.events = 123456;
    run.accesses = 654321;
    run.switches = 777;
    run.simulated_ns = 200e6;
    run.window_ns = 200e6;
    run.host_seconds = 0.3;
    run.ns_per_acquisition = 110.25;
    run.machine_preset = "a53-a73";
    run.machine_estimated = {"forward", "retention", "request_path"};
    run.machine_numbers = 9;
    run.machine_estimated_numbers = 3;
    run.memory_order = "sc";
    run.verdicts = {verdict(kind)};
    run.locks = {lock()};
    const bool starves = kind == model::VerdictKind::starvation;
    run.threads = {thread("little", 0, 12041, starves ? 19.9e6 : 400), thread("big", 1, 1790112, 400)};
    run.cpus = {cpu(0), cpu(1)};
    return run;
}

model::JudgedExpectation expectation(const std::string& text, std::optional<bool> holds, std::optional<double> value) {
    model::JudgedExpectation expectation;
    expectation.text = text;
    expectation.variant = "base";
    expectation.holds = holds;
    expectation.value = value;
    return expectation;
}

locksim::FileReport two_variants() {
    locksim::FileReport report;
    for (const char* variant : {"base", "lse"}) {
        model::Scenario& scenario = report.scenarios.emplace_back();
        scenario.file = "configs/seeds/001-biglittle.toml";
        scenario.title = "Two CPUs, one ticket lock";
        scenario.variant = variant;
        scenario.phases = 16;
        scenario.has_expect = true;
        scenario.noise.work.ppm = 10'000;
    }
    report.runs = {run("base", model::VerdictKind::starvation), run("lse", model::VerdictKind::ok)};
    report.planned_runs = 2;
    for (int i = 0; i < 5; ++i) { report.expectations.push_back(expectation("acquisitions(big) > 1", true, 1790112)); }
    for (int i = 0; i < 2; ++i) {
        report.expectations.push_back(expectation("longest_wait(little) >= 5ms", std::nullopt, std::nullopt));
        report.expectations.back().not_judged_because = "needs --phases 16";
        report.expectations.back().required = "12/16";
    }
    report.expectations.push_back(expectation("share(little) >= 15%", false, 0.0067));
    report.expectations.back().hoped = true;
    report.expectations.back().why = "a fair lock would give it half";
    return report;
}

locksim::Options options() {
    locksim::Options options;
    options.program = "./tools/run";
    options.files = {"configs/seeds/001-biglittle.toml"};
    return options;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) { lines.push_back(line); }
    return lines;
}

std::size_t widest(const std::string& text) {
    std::size_t width = 0;
    for (const std::string& line : lines_of(text)) { width = std::max(width, locksim::display_width(line)); }
    return width;
}

void check_approved(const std::string& name, const std::string& text) {
    const std::string path = std::string(LOCKSIM_SOURCE_DIR) + "/tests/tools/data/" + name;
    if (std::getenv("LOCKSIM_APPROVE") != nullptr) { std::ofstream(path, std::ios::binary) << text; }
    INFO("if the new text is right, run this test with LOCKSIM_APPROVE=1: " << path);
    CHECK(text == content(path));
}

}  // namespace locksim_test
