#pragma once
// Catch2 by either of its names, v2 or v3: tests include this and no Catch2 header. Say `Catch::Approx`, and
// `Catch::Matchers::ContainsSubstring` for text (v3's name; v2 called it Contains).

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>

namespace Catch {
using Detail::Approx;
}
namespace Catch::Matchers {
inline auto ContainsSubstring(const std::string& text) { return Contains(text); }  // NOLINT(*-naming)
}  // namespace Catch::Matchers
#endif
