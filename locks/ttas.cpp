// The catalogue row of ttas. The algorithm is in ttas.hpp.

#include "locks/ttas.hpp"

namespace locks {

extern const LockEntry ttas_entry;
const LockEntry ttas_entry =
    exclusive_lock<TtasSpinlock>("test-and-test-and-set: read until free, then exchange", "locks/ttas.hpp");

}  // namespace locks
