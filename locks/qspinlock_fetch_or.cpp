// The catalogue row of qspinlock-fetch-or. The algorithm is in qspinlock_fetch_or.hpp and qspinlock.hpp.

#include "locks/qspinlock_fetch_or.hpp"

namespace locks {

extern const LockEntry qspinlock_fetch_or_entry;
const LockEntry qspinlock_fetch_or_entry = exclusive_lock<FetchOrQueuedSpinlock>(
    "the same since 4.18: pending by one fetch_or instead of a loop of cmpxchg", "locks/qspinlock_fetch_or.hpp");

}  // namespace locks
