// The catalogue row and the parameter of array. The algorithm is in array.hpp.

#include "locks/array.hpp"

namespace locks {

std::vector<model::ParameterSpec> ArraySpinlock::Options::parameters() {
    return {{.name = "slots",
             .preset = Options{}.slots,
             .doc = "places in the ring, at least as many as threads may be at the lock; 0: one per CPU",
             .max = max_cpus}};
}

ArraySpinlock::Options ArraySpinlock::Options::from(const model::ParameterValues& values) {
    return {.slots = std::get<std::int64_t>(values.at("slots"))};
}

extern const LockEntry array_entry;
const LockEntry array_entry = exclusive_lock<ArraySpinlock>(
    "take a number, wait at its own slot in a ring: FIFO, O(1) hand-over, much memory", "locks/array.hpp");

}  // namespace locks
