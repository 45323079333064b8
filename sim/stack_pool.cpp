// See stack_pool.hpp.

#include "sim/stack_pool.hpp"

#include <sys/mman.h>

#include <cstring>

#include <fmt/format.h>

#include "sim/failure.hpp"
#include "sim/sanitizer.hpp"

namespace sim {

StackPool::StackPool(std::uintptr_t address, std::size_t count) : base_(address), count_(count) {
    void* wanted = reinterpret_cast<void*>(address);
    void* got = mmap(wanted, count * slot_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != wanted) {
        if (got != MAP_FAILED) { munmap(got, count * slot_bytes); }
        throw InternalError(
            fmt::format("cannot map {} fiber stacks at {:#x}: the address range is taken", count, address));
    }
#ifdef LOCKSIM_ASAN
    // Fibers of an earlier simulation were abandoned here, with the red zones of their frames still marked.
    __asan_unpoison_memory_region(wanted, count * slot_bytes);
#endif
    for (std::size_t i = 0; i < count; ++i) {
        if (mprotect(reinterpret_cast<void*>(address + i * slot_bytes), guard_bytes, PROT_NONE) != 0) {
            munmap(wanted, count * slot_bytes);
            throw InternalError(fmt::format("cannot guard fiber stack {}: {}", i, std::strerror(errno)));
        }
    }
}

StackPool::~StackPool() { munmap(reinterpret_cast<void*>(base_), count_ * slot_bytes); }

std::span<std::byte> StackPool::stack(std::size_t index) const {
    const std::size_t stagger = (index * 13 % 128) * 64;  // up to 8 KiB, neighbours 13 cache lines apart
    auto* low = reinterpret_cast<std::byte*>(base_ + index * slot_bytes + guard_bytes);
    return {low, slot_bytes - guard_bytes - stagger};
}

long StackPool::guard_hit(std::uintptr_t address) const {
    if (address < base_ || address >= base_ + count_ * slot_bytes) { return -1; }
    const std::uintptr_t offset = address - base_;
    return offset % slot_bytes < guard_bytes ? static_cast<long>(offset / slot_bytes) : -1;
}

}  // namespace sim
