#pragma once
// Queued spinlock whose pending bit is set by one fetch_or.
//
// WHAT      As qspinlock, but the second CPU sets the pending bit unasked and takes it back if it finds a queue.
// WHO       W. Deacon, Linux 4.18, 2018 ("locking/qspinlock: Bound spinning on pending->locked transition", "...
//           Remove unbounded cmpxchg() loop from locking slowpath"), for LL/SC machines, where that loop could fail
//           for ever.
// WHEN      Use: as qspinlock. Avoid: where a fetch_or is a loop of cmpxchg (x86 then used BTS), which can fail for
//           ever again: `emulated`.
// FAIRNESS  As qspinlock.
// SPACE     As qspinlock.
// COST      As qspinlock; with a queue that appears meanwhile, 1 byte store more.
// STATE     As qspinlock, and lock, slow: (n,0,*) -> (n,1,*) -> (n,0,*) by who comes too late to be pending.
// INVARIANT As qspinlock: a pending bit beside a tail that was there first is taken back, never waited behind.
// NOT HERE  4.18's bound on the wait for (0,1,0) to pass is `pending_polls` (1 look, 512 on x86), off by default.

#include "locks/qspinlock.hpp"

namespace locks {

using FetchOrQueuedSpinlock = QueuedSpinlock<PendingBy::fetch_or>;
static_assert(TryLock<FetchOrQueuedSpinlock>);
static_assert(sizeof(FetchOrQueuedSpinlock) == FetchOrQueuedSpinlock::traits.lock_bytes);

}  // namespace locks
