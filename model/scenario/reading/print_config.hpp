#pragma once
// The digest of a resolved scenario. print_config itself is declared in loader.hpp.

#include <string>

#include "model/scenario/scenario.hpp"

namespace model {

/// 16 hex digits of a hash over what print_config writes, but for [expect], [fitted] and [lesson]: those judge runs and
/// change none. Neither the file's name nor source positions enter.
std::string config_digest_of(const Scenario& scenario);

}  // namespace model
