// The catalogue row and the parameters of c-bo-mcs. The algorithm is in c_bo_mcs.hpp.

#include "locks/c_bo_mcs.hpp"

namespace locks {

std::vector<model::ParameterSpec> CohortBoMcsSpinlock::Options::parameters() {
    std::vector<model::ParameterSpec> all = BackoffOptions::parameters();
    all.push_back(
        {.name = "bound", .preset = Options{}.bound, .doc = "hand-overs in a row inside a node", .max = 1'000'000'000});
    return all;
}

CohortBoMcsSpinlock::Options CohortBoMcsSpinlock::Options::from(const model::ParameterValues& values) {
    Options options;
    options.take(values);
    options.bound = std::get<std::int64_t>(values.at("bound"));
    return options;
}

extern const LockEntry c_bo_mcs_entry;
const LockEntry c_bo_mcs_entry = exclusive_lock<CohortBoMcsSpinlock>(
    "cohort lock: MCS per node under a test-and-set lock with back-off, unfair between nodes", "locks/c_bo_mcs.hpp");

}  // namespace locks
