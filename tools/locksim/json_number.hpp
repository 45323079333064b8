#pragma once
// Numbers of the JSON reports.

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

namespace locksim {

using Json = nlohmann::ordered_json;

/// A whole number is written as one: 200000000, not 200000000.0. Every reader gets back the same double.
inline Json number(double value) {
    constexpr double exact = 9007199254740992.0;  // 2^53
    if (std::isfinite(value) && std::trunc(value) == value && std::abs(value) < exact) {
        return static_cast<std::int64_t>(value);
    }
    return value;  // not finite: null
}
inline Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

}  // namespace locksim
