#pragma once
// What a shared object of user locks and the command must agree on. Both compile this header: the command when it
// was built, the shared object now. Data of another shape would be misread without a sound.

#include <cstddef>
#include <cstdint>

#include "model/scenario/catalogue.hpp"

namespace locksim {

/// Checked before anything else of the table is read; its own layout never changes.
struct UserLockAbi {
    char id[48];  ///< version and build, as build_info.hpp and the cache key give them
    std::uint32_t entry_bytes = sizeof(model::LockEntry);
    std::uint32_t parameter_bytes = sizeof(model::ParameterSpec);
    std::uint32_t value_bytes = sizeof(model::ParameterValue);
};

struct UserLockTable {
    UserLockAbi abi;
    const model::LockEntry* const* rows = nullptr;
    std::size_t count = 0;
};

}  // namespace locksim
