#pragma once
// Small disturbances of a scenario, by which one asks whether a verdict is a property of the lock or an accident of the
// numbers: what holds at exactly 800 ns, without noise and in one order of ties is no finding about a real machine.
//
//   noise         work and latency noise of at least 1 %, its streams drawn anew
//   tie order     events of equal times in another seeded order
//   one cycle     one length of a program, of a lock's or workload's parameters, or of the machine, longer or shorter
//
// Everything else, start phases and arbitration included, stays as the scenario's seed has it.

#include <cstdint>
#include <string>
#include <vector>

#include "model/metrics/run_result.hpp"
#include "model/scenario/running/runner.hpp"
#include "model/scenario/scenario.hpp"

namespace model {

/// A scenario to run instead, and how.
struct Disturbed {
    Scenario scenario;
    RunOptions options;  ///< phase, monitor and observer as they were given
};
/// The n-th (from 1) of as many as one likes.
Disturbed with_noise(const Scenario& scenario, const RunOptions& options, std::uint64_t n);
Disturbed with_tie_order(const Scenario& scenario, const RunOptions& options, std::uint64_t n);

/// One length of a scenario, one cycle longer or shorter. What is given in time changes by a cycle of the CPU that
/// spends it.
struct CycleChange {
    std::string set;    ///< "PATH=VALUE", as --set takes it
    std::size_t which;  ///< of the lengths of the scenario
    int cycles;         ///< 1 or -1
};
/// Those that are possible, in the order in which to try them: eight spread over programs and parameters, eight spread
/// over the machine, then the rest of both. A uniform distribution is moved as a whole.
std::vector<CycleChange> cycle_changes(const Scenario& scenario);
Scenario changed(const Scenario& scenario, const CycleChange& change);

/// Whether two runs of a scenario say the same: verdicts of one kind, about threads of the same groups.
bool same_verdict(const RunResult& a, const RunResult& b);

}  // namespace model
