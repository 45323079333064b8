// See arena.hpp.

#include "model/machine/arena.hpp"

#include <sys/mman.h>

#include <algorithm>

#include <fmt/format.h>

#include "sim/failure.hpp"

namespace model {

Arena::Arena(std::size_t line_bytes) : line_bytes_(line_bytes), used_(line_bytes) {  // offset 0 stays free: null
    void* wanted = reinterpret_cast<void*>(base);
    void* got = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != wanted) {
        if (got != MAP_FAILED) { munmap(got, bytes); }
        throw sim::InternalError(fmt::format("cannot map the arena at {:#x}: the address range is taken", base));
    }
}

Arena::~Arena() { munmap(reinterpret_cast<void*>(base), bytes); }

void* Arena::allocate(std::string_view name, std::size_t size) {
    const std::size_t rounded = (std::max<std::size_t>(size, 1) + line_bytes_ - 1) / line_bytes_ * line_bytes_;
    if (used_ + rounded > bytes) {
        throw sim::InternalError(fmt::format("the arena ({} MiB) is full: no room for {}", bytes >> 20, name));
    }
    slots_.push_back({std::string(name), used_, size, account_});
    used_ += rounded;
    return reinterpret_cast<void*>(base + slots_.back().offset);
}

std::uint16_t Arena::open_account(std::string_view name) {
    account_names_.emplace_back(name);
    return account_ = static_cast<std::uint16_t>(account_names_.size() - 1);
}

const Arena::Slot* Arena::slot_at(std::uint64_t offset) const {
    auto after = std::upper_bound(slots_.begin(), slots_.end(), offset,
                                  [](std::uint64_t value, const Slot& slot) { return value < slot.offset; });
    if (after == slots_.begin()) { return nullptr; }
    const Slot& slot = *--after;
    return offset < slot.offset + slot.bytes ? &slot : nullptr;
}

std::string Arena::name_of(std::uint64_t offset) const {
    const Slot* slot = slot_at(offset);
    if (slot == nullptr) { return {}; }
    return offset == slot->offset ? slot->name : fmt::format("{}+{}", slot->name, offset - slot->offset);
}

}  // namespace model
