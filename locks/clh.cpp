// The catalogue row of clh. The algorithm is in clh.hpp.

#include "locks/clh.hpp"

namespace locks {

extern const LockEntry clh_entry;
const LockEntry clh_entry = exclusive_lock<ClhSpinlock>(
    "queue lock, each waiter spins on its predecessor's node: FIFO, releases by one store", "locks/clh.hpp");

}  // namespace locks
