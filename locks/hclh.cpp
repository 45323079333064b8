// The catalogue row of hclh. The algorithm is in hclh.hpp.

#include "locks/hclh.hpp"

namespace locks {

extern const LockEntry hclh_entry;
const LockEntry hclh_entry = exclusive_lock<HierarchicalClhSpinlock>(
    "a CLH queue per node, spliced in batches to a global one: near FIFO", "locks/hclh.hpp");

}  // namespace locks
