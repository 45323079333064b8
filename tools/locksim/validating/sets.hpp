#pragma once
// Which sets there are, and from their names to what is ready to run.

#include <string>
#include <vector>

#include "tools/locksim/validating/curve_set.hpp"

namespace locksim {

/// Of configs/published, sorted, and those that are made by code.
std::vector<std::string> set_names(const std::string& configs);

/// Names, or paths of set files; none: all there are. Throws InputError and model::ConfigError.
std::vector<PreparedSet> prepare_sets(const std::vector<std::string>& names, const model::Catalogue& catalogue,
                                      const PrepareOptions& options);

}  // namespace locksim
