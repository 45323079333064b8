// The catalogue row of qspinlock. The algorithm is in qspinlock.hpp.

#include "locks/qspinlock.hpp"

namespace locks {

extern const LockEntry qspinlock_entry;
const LockEntry qspinlock_entry = exclusive_lock<CmpxchgQueuedSpinlock>(
    "the kernel's queued spinlock (4.2): a pending bit, then a queue of per-CPU nodes: FIFO", "locks/qspinlock.hpp");

}  // namespace locks
