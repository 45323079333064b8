// The catalogue row of tas. The algorithm is in tas.hpp.

#include "locks/tas.hpp"

namespace locks {

extern const LockEntry tas_entry;
const LockEntry tas_entry =
    exclusive_lock<TasSpinlock>("test-and-set: a raw loop of exchanges, unfair", "locks/tas.hpp");

}  // namespace locks
