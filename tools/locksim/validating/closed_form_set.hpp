#pragma once
// Validation against arithmetic: queueing theory and algebra, no measurement and no fitted number. Runs
// configs/scenarios/closed-forms.toml with other locks, times and numbers of threads.

#include "tools/locksim/validating/curve_set.hpp"

namespace locksim {

inline constexpr const char* closed_forms_name = "closed-forms";

/// Throws model::ConfigError.
PreparedSet prepare_closed_forms(const model::Catalogue& catalogue, const PrepareOptions& options);

}  // namespace locksim
