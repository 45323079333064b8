#include "tools/locksim/options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <system_error>

#include "tools/locksim/exit_status.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

/// A decimal number and nothing else: no sign, no space, no "0x".
std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) { return std::nullopt; }
    return value;
}

std::optional<std::uint64_t> seed_from(std::string_view text) {
    const auto value = whole_number(text);
    return value && *value < seed_limit ? value : std::nullopt;
}

std::int32_t phase_from(std::string_view option, const std::string& text) {
    const auto value = whole_number(text);
    if (!value || *value < 1 || *value > static_cast<std::uint64_t>(phase_limit)) {
        throw InputError(fmt::format("{} {}: expected a whole number from 1 to {}", option, text, phase_limit));
    }
    return static_cast<std::int32_t>(*value);
}

SeedRange seed_range_from(const std::string& text) {
    const std::size_t dots = text.find("..");
    if (dots != std::string::npos) {
        const auto first = seed_from(std::string_view(text).substr(0, dots));
        const auto last = seed_from(std::string_view(text).substr(dots + 2));
        if (first && last && *first <= *last) { return {*first, *last}; }
    }
    throw InputError(
        fmt::format("--seeds {}: expected A..B, two whole numbers below 2^53 with A <= B, such as 1..16", text));
}

}  // namespace

std::optional<SeedRange> asked_seeds(const Options& options) {
    if (!options.seed.empty() && !options.seeds.empty()) {
        throw InputError("--seed and --seeds together: expected one of them");
    }
    if (!options.seeds.empty()) { return seed_range_from(options.seeds); }
    if (options.seed.empty()) { return std::nullopt; }
    const auto seed = seed_from(options.seed);
    if (!seed) {
        throw InputError(
            fmt::format("--seed {}: expected a whole number from 0 to {} (2^53 - 1)", options.seed, seed_limit - 1));
    }
    return SeedRange{*seed, *seed};
}

PhaseRange asked_phases(const Options& options) {
    if (!options.phase.empty() && !options.phases.empty()) {
        throw InputError("--phase and --phases together: expected one of them");
    }
    if (!options.phases.empty()) { return {1, phase_from("--phases", options.phases)}; }
    if (options.phase.empty()) { return {1, 1}; }
    const std::int32_t phase = phase_from("--phase", options.phase);
    return {phase, phase};
}

std::vector<std::string> repeat_command(const Options& options, const RunName& run, const std::string& verb) {
    std::vector<std::string> words{shell_quote(options.program), verb, shell_quote(run.file)};
    const auto add = [&words](std::string_view option, const std::string& value) {
        if (!value.empty()) { words.push_back(fmt::format("{} {}", option, shell_quote(value))); }
    };
    for (const std::string& set : options.sets) { add("--set", set); }
    add("--lock", options.lock);
    for (const std::string& vary : options.vary) { add("--vary", vary); }
    add("--duration", options.duration);
    add("--locks", options.locks);
    add("--variant", run.variant.empty() ? options.variant : run.variant);
    if (run.seed) {
        add("--seed", std::to_string(*run.seed));
    } else {
        add("--seed", options.seed);
        add("--seeds", options.seeds);
    }
    if (run.phase) {
        add("--phase", std::to_string(*run.phase));
    } else {
        add("--phase", options.phase);
        add("--phases", options.phases);
    }
    return words;
}

}  // namespace locksim
