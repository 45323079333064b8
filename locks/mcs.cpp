// The catalogue row of mcs. The algorithm is in mcs.hpp.

#include "locks/mcs.hpp"

namespace locks {

extern const LockEntry mcs_entry;
const LockEntry mcs_entry =
    exclusive_lock<McsSpinlock>("linked queue, each spins on its own node: FIFO, O(1) hand-over", "locks/mcs.hpp");

}  // namespace locks
