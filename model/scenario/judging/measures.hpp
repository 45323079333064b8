#pragma once
// The measures that [expect] lines may name, and their values in a run.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/metrics/run_result.hpp"
#include "model/scenario/scenario.hpp"

namespace model {

/// A measure as written: VARIANT.STATISTIC(NAME(ARGUMENT)). What is not written is empty.
struct MeasureCall {
    std::string variant;
    std::string statistic;
    std::string name;
    std::string argument;
};

/// Values are nanoseconds, counts, shares (0 to 1) or events per nanosecond. The dimension is the power of time:
/// 1 for times, 0 for counts and shares, -1 for rates.
struct MeasureRow {
    enum class OverThreads {
        none,     ///< no measure of threads
        sum,      ///< of a group: the sum
        maximum,  ///< of a group: the largest
        share,    ///< the sum, as a share of that over all threads
        ratio,    ///< the largest by the smallest
    };

    std::string_view name;
    std::string_view doc;
    int dimension = 0;
    OverThreads over_threads = OverThreads::none;
    // A value of one thing; null where the measure has none.
    std::optional<double> (*of_thread)(const ThreadResult&) = nullptr;
    std::optional<double> (*of_lock)(const LockResult&) = nullptr;
    std::optional<double> (*of_run)(const RunResult&) = nullptr;
    // Or a set of times, of which a statistic must be asked.
    const Summary& (*times_of_thread)(const ThreadResult&) = nullptr;
    const Summary& (*times_of_lock)(const LockResult&) = nullptr;

    bool is_distribution() const { return times_of_thread != nullptr || times_of_lock != nullptr; }
    bool takes_threads() const { return of_thread != nullptr || times_of_thread != nullptr; }
    bool takes_locks() const { return of_lock != nullptr || times_of_lock != nullptr; }
};

std::span<const MeasureRow> measure_rows();
std::vector<std::string> statistic_names();

/// Null if there is no such measure.
const MeasureRow* find_measure(std::string_view name);

/// "big" for a group of one, else "big.0", "big.1", ...
std::vector<std::string> thread_names(const GroupConfig& group);

/// Empty if the call makes sense in `scenario`, else what is wrong with it.
std::string problem_of(const MeasureCall& call, const Scenario& scenario);

/// No value where there are no samples. The call must have no problem.
std::optional<double> value_of(const MeasureCall& call, const RunResult& run);

}  // namespace model
