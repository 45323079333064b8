// The catalogue row and the parameter of hticket. The algorithm is in hticket.hpp.

#include "locks/hticket.hpp"

namespace locks {

std::vector<model::ParameterSpec> HierarchicalTicketSpinlock::Options::parameters() {
    return {
        {.name = "bound", .preset = Options{}.bound, .doc = "hand-overs in a row inside a node", .max = 1'000'000'000}};
}

HierarchicalTicketSpinlock::Options HierarchicalTicketSpinlock::Options::from(const model::ParameterValues& values) {
    return {.bound = std::get<std::int64_t>(values.at("bound"))};
}

extern const LockEntry hticket_entry;
const LockEntry hticket_entry = exclusive_lock<HierarchicalTicketSpinlock>(
    "a ticket lock per node under a global one: stays in a node for a bounded number of hand-overs",
    "locks/hticket.hpp");

}  // namespace locks
