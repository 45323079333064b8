#pragma once
// configs/published/tolerances.csv: how far off a set may be. All limits stand there and nowhere else.

#include <string>
#include <vector>

#include "model/scenario/scenario.hpp"

namespace locksim {

struct Tolerance {
    std::string set;        ///< a set's name; "*" at its end stands for the rest of several
    std::string criterion;  ///< a row of judging.cpp
    std::string of;         ///< a lock, LOCK/WORKLOAD, several locks; "*": each
    std::string at;         ///< thread counts: "4-", "10-11", or a workload where the criterion asks for one
    double limit = 0;
    model::SourcePosition position;

    bool applies_to(const std::string& name) const;
};

/// Not judged by `validate`: how far off a curve is known to be at the points of --quick, so that a test notices
/// change.
inline constexpr const char* band_criterion = "band";

/// Throws model::ConfigError.
std::vector<Tolerance> read_tolerances(const std::string& configs);

}  // namespace locksim
