#pragma once
// A set of scenario files whose [expect] lines are judged, with published figures beside measures of their runs.

#include "tools/locksim/validating/curve_set.hpp"

namespace locksim {

/// Loads every scenario. Throws model::ConfigError.
PreparedSet prepare_expectations(const PublishedSet& set, const model::Catalogue& catalogue,
                                 const PrepareOptions& options);

}  // namespace locksim
