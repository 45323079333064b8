#pragma once
// Scenarios built in code: the steps of a program by name, machines by what is special about them, and how to run one.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "locks/catalogue.hpp"
#include "model/scenario/running/runner.hpp"
#include "tests/catch.hpp"
#include "tests/model/machines.hpp"

namespace model::test {

using sim::microseconds;
using sim::milliseconds;

inline Distribution constant(Span s) { return {Distribution::Kind::constant, s, {}}; }
inline Distribution constant(Time t) { return constant(span(t)); }
inline Distribution uniform(Time low, Time high) { return {Distribution::Kind::uniform, span(low), span(high)}; }
inline Distribution exponential(Time mean) { return {Distribution::Kind::exponential, span(mean), {}}; }

inline Step step(Step::Kind kind, std::string target = {}, Distribution amount = {}) {
    Step s;
    s.kind = kind;
    s.target = std::move(target);
    s.amount = amount;
    s.position = {"scenario", 1};
    return s;
}
inline Step acquire(std::string lock = "lock") { return step(Step::Kind::acquire, std::move(lock)); }
inline Step release(std::string lock = "lock") { return step(Step::Kind::release, std::move(lock)); }
inline Step try_acquire(std::int64_t tries, Distribution apart, std::string lock = "lock") {
    Step s = step(Step::Kind::try_acquire, std::move(lock), apart);
    s.times = tries;
    return s;
}
inline Step work(Distribution amount) { return step(Step::Kind::work, {}, amount); }
inline Step think(Distribution amount) { return step(Step::Kind::think, {}, amount); }
inline Step set(std::string flag, std::int64_t value) {
    Step s = step(Step::Kind::set, std::move(flag));
    s.value = value;
    return s;
}
inline Step wait(std::string flag, std::int64_t value) {
    Step s = step(Step::Kind::wait, std::move(flag));
    s.value = value;
    return s;
}
inline Step delay(Distribution amount) { return step(Step::Kind::delay, {}, amount); }
inline Step repeat(std::int64_t times, std::vector<Step> body) {
    Step s = step(Step::Kind::repeat);
    s.times = times;
    s.body = std::move(body);
    return s;
}
inline std::vector<Step> section(Distribution held, Distribution outside) {
    return {acquire(), work(held), release(), think(outside)};
}

inline std::vector<std::int32_t> cpus(std::int32_t first, std::int32_t count) {
    std::vector<std::int32_t> result;
    result.reserve(static_cast<std::size_t>(count));
    for (std::int32_t n = 0; n < count; ++n) { result.push_back(first + n); }
    return result;
}

inline ParameterValues defaults(const std::vector<ParameterSpec>& specs) {
    ParameterValues values;
    for (const ParameterSpec& spec : specs) { values[spec.name] = spec.preset; }
    return values;
}

inline LockConfig lock_config(const std::string& name, const std::string& type, const Catalogue& rows) {
    LockConfig config;
    config.name = name;
    config.type = type;
    config.parameters = defaults(rows.find_lock(type)->parameters);
    return config;
}

inline GroupConfig group(std::string name, std::vector<std::int32_t> on, std::vector<Step> program,
                         std::int64_t iterations = 0) {
    GroupConfig g;
    g.name = std::move(name);
    g.cpus = std::move(on);
    g.program = std::move(program);
    g.iterations = iterations;
    return g;
}
inline GroupConfig workload(std::string name, std::vector<std::int32_t> on, const std::string& row,
                            const Catalogue& rows, std::int64_t iterations = 0) {
    GroupConfig g = group(std::move(name), std::move(on), {}, iterations);
    g.workload = row;
    g.parameters = defaults(rows.find_workload(row)->parameters);
    return g;
}

/// Threads on the first CPUs of a machine that all run the same program over one lock named "lock".
inline Scenario scenario(const MachineConfig& machine, const std::string& type, std::int32_t threads,
                         std::vector<Step> program, Time duration, const Catalogue& rows = locks::catalogue()) {
    Scenario s;
    s.machine = machine;
    s.duration = duration;
    s.locks = {lock_config("lock", type, rows)};
    s.groups = {group("group", cpus(0, threads), std::move(program))};
    return s;
}
/// The same with the `counter` workload, in `section` and `outside` nanoseconds.
inline Scenario counter_scenario(const MachineConfig& machine, const std::string& type, std::int32_t threads,
                                 Distribution section, Distribution outside, Time duration,
                                 const Catalogue& rows = locks::catalogue()) {
    Scenario s = scenario(machine, type, threads, {}, duration, rows);
    s.groups = {workload("group", cpus(0, threads), "counter", rows)};
    s.groups[0].parameters["lock"] = std::string("lock");
    s.groups[0].parameters["section"] = section;
    s.groups[0].parameters["outside"] = outside;
    return s;
}

inline RunResult run_of(const Scenario& s, const Catalogue& rows = locks::catalogue(), std::int32_t phase = 1) {
    RunOptions options;
    options.phase = phase;
    return run(s, rows, options).value();
}

/// Verdict and text, for messages.
inline std::string story(const RunResult& r) {
    return fmt::format("seed {}, phase {}: {}: {}", r.seed, r.phase, to_string(r.verdict().kind), r.verdict().text);
}

inline std::vector<std::string> lock_types() {
    std::vector<std::string> names;
    for (const LockEntry* row : locks::catalogue().locks) { names.emplace_back(row->traits.name); }
    return names;
}

}  // namespace model::test
