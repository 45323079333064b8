#pragma once
// A set of curves, ready to run: every published point with the scenario that repeats it.

#include <string>
#include <vector>

#include "model/scenario/catalogue.hpp"
#include "tools/locksim/validating/published_set.hpp"
#include "tools/locksim/validating/tolerances.hpp"
#include "tools/locksim/validating/validation.hpp"

namespace locksim {

struct PrepareOptions {
    std::string configs;
    std::vector<std::string> sets;  ///< --set, for every scenario
    bool quick = false;
};

/// Loads every scenario. Throws model::ConfigError.
PreparedSet prepare_curves(const PublishedSet& set, const std::vector<Tolerance>& tolerances,
                           const model::Catalogue& catalogue, const PrepareOptions& options);

}  // namespace locksim
