#pragma once
// Hand-made results for the report tests: no engine, numbers that are easy to find again.

#include <string>
#include <string_view>
#include <vector>

#include "tools/locksim/report.hpp"

namespace locksim_test {

/// A thread that is a group of its own.
model::ThreadResult thread(const std::string& name, std::int32_t cpu, std::uint64_t acquisitions,
                           double longest_wait_ns);

/// "little" and "big" at the lock "timers": `starvation` makes little wait 19.9 ms, anything else 400 ns.
model::RunResult run(const std::string& variant, model::VerdictKind kind, std::int32_t phase = 1);

/// Held unless `holds` says otherwise.
model::JudgedExpectation expectation(const std::string& text, std::optional<bool> holds, std::optional<double> value);

/// Base starves, lse is ok; five expectations held, two not judged; one hoped for.
locksim::FileReport two_variants();

/// As a user would call it.
locksim::Options options();

std::vector<std::string> lines_of(const std::string& text);
std::size_t widest(const std::string& text);

/// Compares with tests/tools/data/NAME. With LOCKSIM_APPROVE=1 in the environment it writes the file instead.
void check_approved(const std::string& name, const std::string& text);

}  // namespace locksim_test
