#pragma once
// From the tree of a scenario, overrides applied, to the struct; everything but the expectations.

#include "model/scenario/catalogue.hpp"
#include "model/scenario/reading/node.hpp"
#include "model/scenario/scenario.hpp"

namespace model {

/// `root.machine` is the whole machine, without the key `preset`. Reads all tables, resolves names and CPUs.
Scenario read_scenario(const Node& root, const Catalogue& catalogue);

}  // namespace model
