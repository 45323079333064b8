// The catalogue row and the parameters of tas-backoff. The algorithm is in tas_backoff.hpp.

#include "locks/tas_backoff.hpp"

namespace locks {

TasBackoffSpinlock::Options TasBackoffSpinlock::Options::from(const model::ParameterValues& values) {
    Options options;
    options.take(values);
    return options;
}

extern const LockEntry tas_backoff_entry;
const LockEntry tas_backoff_entry = exclusive_lock<TasBackoffSpinlock>(
    "test-and-set with a pause that doubles after each failure, up to a cap: unfair", "locks/tas_backoff.hpp");

}  // namespace locks
