// The catalogue row and the parameter of cna. The algorithm is in cna.hpp.

#include "locks/cna.hpp"

namespace locks {

std::vector<model::ParameterSpec> CnaSpinlock::Options::parameters() {
    return {{.name = "bound",
             .preset = Options{}.bound,
             .doc = "hand-overs in a row inside a node; 0: as long as it has waiters",
             .max = 1'000'000'000}};
}

CnaSpinlock::Options CnaSpinlock::Options::from(const model::ParameterValues& values) {
    return {.bound = std::get<std::int64_t>(values.at("bound"))};
}

extern const LockEntry cna_entry;
const LockEntry cna_entry = exclusive_lock<CnaSpinlock>(
    "MCS whose releaser prefers its own node and keeps the others in a second queue: one word", "locks/cna.hpp");

}  // namespace locks
