#pragma once
// Fiber stacks: one mapping at a chosen address, cut into slots with a guard page each. A stack that overflows, or a
// crash on one, is reported with the name of its context (see crash_report.hpp).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sim {

class StackPool {
public:
    /// Maps room for `count` stacks at exactly `address`. Throws InternalError if the place is taken.
    StackPool(std::uintptr_t address, std::size_t count);
    ~StackPool();
    StackPool(const StackPool&) = delete;
    StackPool& operator=(const StackPool&) = delete;

    /// Stack number `index`, without its guard page. Tops are staggered, so that the hot ends of many stacks do not
    /// all fall into the same sets of the host's caches.
    std::span<std::byte> stack(std::size_t index) const;

    /// Whose guard page an address is in, or -1.
    long guard_hit(std::uintptr_t address) const;

    static constexpr std::size_t slot_bytes = 64 * 1024;
    static constexpr std::size_t guard_bytes = 4096;

private:
    std::uintptr_t base_;
    std::size_t count_;
};

}  // namespace sim
