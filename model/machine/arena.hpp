#pragma once
// The simulated machine's memory: real host memory at a fixed address, so that raw words that hold pointers are equal
// in every build. Locks, queue nodes and shared data live here in named slots; each slot begins on a line of its own.
// Simulated addresses are offsets from the base. What lies outside (fiber stacks, host data) is private to its CPU.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace model {

class Arena {
public:
    static constexpr std::uintptr_t base = 0x200000000000;  ///< free natively, under ASan and under qemu-aarch64
    static constexpr std::size_t bytes = std::size_t{1} << 28;
    static constexpr std::uintptr_t stacks_base = base + (std::uintptr_t{1} << 32);

    struct Slot {
        std::string name;
        std::uint64_t offset = 0;
        std::size_t bytes = 0;
        std::uint16_t account = 0;  ///< whose line transfers are counted together: see name_account
    };

    /// Throws sim::InternalError if the address range is taken.
    explicit Arena(std::size_t line_bytes);
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    static std::uint64_t offset(const void* address) { return reinterpret_cast<std::uintptr_t>(address) - base; }
    static bool contains(const void* address) { return offset(address) < bytes; }

    /// Zeroed memory under this name, for the current account. Throws sim::InternalError when the arena is full.
    void* allocate(std::string_view name, std::size_t size);

    template <class T, class... Args>
    T& make(std::string_view name, Args&&... args) {
        static_assert(std::is_trivially_destructible_v<T>, "arena objects are forgotten, never destroyed");
        return *new (allocate(name, sizeof(T))) T(std::forward<Args>(args)...);
    }

    /// The one of this name, made by whoever asks first: what several parts of a scenario share.
    template <class T>
    T& find_or_make(std::string_view name) {
        for (const Slot& slot : slots_) {
            if (slot.name == name) { return *std::launder(reinterpret_cast<T*>(base + slot.offset)); }
        }
        return make<T>(name);
    }

    /// Slots made from here on are charged to this account, until the next call. Returns its index; 0 is nobody's.
    std::uint16_t open_account(std::string_view name);
    void resume_account(std::uint16_t account) { account_ = account; }
    void close_account() { account_ = 0; }
    std::size_t accounts() const { return account_names_.size(); }

    /// "timers+4" for a simulated address; empty where no slot is.
    std::string name_of(std::uint64_t offset) const;
    const std::deque<Slot>& slots() const { return slots_; }
    const Slot* slot_at(std::uint64_t offset) const;  ///< null: none

private:
    std::size_t line_bytes_;
    std::uint64_t used_ = 0;
    std::uint16_t account_ = 0;
    std::deque<Slot> slots_;  // by offset
    std::deque<std::string> account_names_{""};
};

/// The simulated address of an object, for code that hashes addresses (futexes, pv hash tables).
inline std::uint64_t simulated_address(const void* address) { return Arena::offset(address); }

}  // namespace model
