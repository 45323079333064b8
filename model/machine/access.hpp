#pragma once
// An access as a record: what the machine applies at the access's place in the total order, whether or not the fiber
// that asked for it runs then.

#include <cstdint>
#include <cstring>

#include "sim/observer.hpp"

namespace model {

enum class Operation : std::uint8_t {
    load,
    store,
    exchange,
    compare_exchange,
    fetch_add,
    fetch_and,
    fetch_or,
    fetch_xor
};

constexpr const char* to_string(Operation op) {
    constexpr const char* names[] = {"load",      "store",     "exchange", "compare_exchange",
                                     "fetch_add", "fetch_and", "fetch_or", "fetch_xor"};
    return names[static_cast<std::size_t>(op)];
}

/// One access of 1, 2, 4 or 8 bytes, naturally aligned. Values travel as 64-bit words, zero-extended.
struct Access {
    void* address = nullptr;
    std::uint8_t size = 8;
    Operation operation = Operation::load;
    std::uint64_t operand = 0;
    std::uint64_t expected = 0;  ///< compare_exchange only
    std::uint64_t result = 0;    ///< the value before
    sim::CallSite where{};
};

/// Applies the operation to memory; returns the value before. `changed`: memory was written (a failing
/// compare_exchange writes nothing).
template <class Word>
inline std::uint64_t apply_to_word(const Access& access, bool& changed) {
    Word before;
    std::memcpy(&before, access.address, sizeof before);
    const auto operand = static_cast<Word>(access.operand);
    Word after = before;
    changed = true;
    switch (access.operation) {
        case Operation::load: changed = false; return before;
        case Operation::store:
        case Operation::exchange: after = operand; break;
        case Operation::compare_exchange:
            if (before != static_cast<Word>(access.expected)) {
                changed = false;
                return before;
            }
            after = operand;
            break;
        case Operation::fetch_add: after = static_cast<Word>(before + operand); break;
        case Operation::fetch_and: after = static_cast<Word>(before & operand); break;
        case Operation::fetch_or: after = static_cast<Word>(before | operand); break;
        case Operation::fetch_xor: after = static_cast<Word>(before ^ operand); break;
    }
    std::memcpy(access.address, &after, sizeof after);
    return before;
}

inline std::uint64_t apply(const Access& access, bool& changed) {
    switch (access.size) {
        case 1: return apply_to_word<std::uint8_t>(access, changed);
        case 2: return apply_to_word<std::uint16_t>(access, changed);
        case 4: return apply_to_word<std::uint32_t>(access, changed);
        default: return apply_to_word<std::uint64_t>(access, changed);
    }
}

}  // namespace model
