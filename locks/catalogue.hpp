#pragma once
// All locks and workloads of the tree: what a scenario file may name.

#include "model/scenario/catalogue.hpp"

namespace locks {

const model::Catalogue& catalogue();

}  // namespace locks
