// The parameters of exponential back-off. See backoff.hpp.

#include "locks/backoff.hpp"

namespace locks {

std::vector<model::ParameterSpec> BackoffOptions::parameters() {
    constexpr std::int64_t most = 1'000'000'000;  // a second at 1 GHz
    const BackoffOptions preset;
    return {
        {.name = "initial",
         .preset = preset.initial,
         .doc = "cycles from the first failed try to the next",
         .min = 1,
         .max = most},
        {.name = "growth",
         .preset = preset.growth,
         .doc = "times as many after each further one; 1: always the same",
         .min = 1,
         .max = 16},
        {.name = "cap", .preset = preset.cap, .doc = "but not more cycles than these", .min = 1, .max = most},
    };
}

void BackoffOptions::take(const model::ParameterValues& values) {
    initial = std::get<std::int64_t>(values.at("initial"));
    growth = std::get<std::int64_t>(values.at("growth"));
    cap = std::get<std::int64_t>(values.at("cap"));
}

}  // namespace locks
