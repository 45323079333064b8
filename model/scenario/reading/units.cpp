#include "model/scenario/reading/units.hpp"

#include <array>
#include <limits>

#include <fmt/format.h>

namespace model {
namespace {

struct UnitScale {
    std::string_view name;
    std::int64_t factor;
};

// Smallest first: the formatters search from the end.
constexpr std::array<UnitScale, 5> time_units{
    {{"ps", 1}, {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}}};
constexpr std::array<UnitScale, 4> frequency_units{
    {{"Hz", 1}, {"kHz", 1'000}, {"MHz", 1'000'000}, {"GHz", 1'000'000'000}}};
constexpr std::array<UnitScale, 2> cycle_units{{{"cycle", 1}, {"cycles", 1}}};
constexpr std::array<UnitScale, 1> share_units{{{"%", 10'000}}};
constexpr std::array<UnitScale, 4> byte_units{{{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}}};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

__extension__ using Wide = __int128;

/// "12.50" as 1250 / 10^2. At most 24 digits, so that a product with any factor fits 128 bits.
struct Decimal {
    Wide mantissa = 0;
    Wide divisor = 1;
};

/// Takes a decimal number off the front of `text`.
std::optional<Decimal> take_decimal(std::string_view& text) {
    Decimal number;
    int digits = 0;
    bool point = false;
    std::size_t i = 0;
    for (; i < text.size() && (is_digit(text[i]) || text[i] == '.'); ++i) {
        if (text[i] == '.') {
            if (point || digits == 0) { return std::nullopt; }
            point = true;
            continue;
        }
        if (++digits > 24) { return std::nullopt; }
        number.mantissa = number.mantissa * 10 + (text[i] - '0');
        if (point) { number.divisor *= 10; }
    }
    if (digits == 0 || text[i - 1] == '.') { return std::nullopt; }
    text.remove_prefix(i);
    return number;
}

template <std::size_t N>
std::optional<std::int64_t> parse_scaled(std::string_view text, const std::array<UnitScale, N>& units) {
    const auto number = take_decimal(text);
    if (!number) { return std::nullopt; }
    for (const auto& unit : units) {
        if (text != unit.name) { continue; }
        const Wide scaled = number->mantissa * unit.factor;
        if (scaled % number->divisor != 0) { return std::nullopt; }
        const Wide value = scaled / number->divisor;
        if (value > std::numeric_limits<std::int64_t>::max()) { return std::nullopt; }
        return static_cast<std::int64_t>(value);
    }
    return std::nullopt;
}

/// The largest unit of which there is at least one, decimals as needed.
template <std::size_t N>
std::string format_scaled(std::int64_t value, const std::array<UnitScale, N>& units) {
    const UnitScale* unit = &units.front();
    for (const auto& candidate : units) {
        if (candidate.factor <= value) { unit = &candidate; }
    }
    std::string text = std::to_string(value / unit->factor);
    std::int64_t rest = value % unit->factor;
    if (rest != 0) { text += '.'; }
    for (std::int64_t place = unit->factor / 10; rest != 0; place /= 10) {
        text += static_cast<char>('0' + rest / place);
        rest %= place;
    }
    return text.append(unit->name);
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') { text.remove_prefix(1); }
    while (!text.empty() && text.back() == ' ') { text.remove_suffix(1); }
    return text;
}

/// "NAME(INSIDE)": INSIDE.
std::optional<std::string_view> inside_call(std::string_view text, std::string_view name) {
    if (!text.starts_with(name) || text.size() < name.size() + 2) { return std::nullopt; }
    text.remove_prefix(name.size());
    if (text.front() != '(' || text.back() != ')') { return std::nullopt; }
    return text.substr(1, text.size() - 2);
}

std::optional<Distribution> parse_uniform(std::string_view inside) {
    const auto comma = inside.find(',');
    if (comma == std::string_view::npos) { return std::nullopt; }
    const auto low = parse_span(trimmed(inside.substr(0, comma)));
    const auto high = parse_span(trimmed(inside.substr(comma + 1)));
    if (!low || !high) { return std::nullopt; }
    const bool same_unit = (low->cycles == 0 && high->cycles == 0) || (low->time.ps == 0 && high->time.ps == 0);
    if (!same_unit || low->cycles > high->cycles || low->time > high->time) { return std::nullopt; }
    return Distribution{Distribution::Kind::uniform, *low, *high};
}

std::optional<std::int32_t> take_cpu(std::string_view& text) {
    std::int32_t cpu = 0;
    std::size_t i = 0;
    for (; i < text.size() && is_digit(text[i]) && i < 6; ++i) { cpu = cpu * 10 + (text[i] - '0'); }
    if (i == 0) { return std::nullopt; }
    text.remove_prefix(i);
    return cpu;
}

}  // namespace

std::optional<sim::Time> parse_time(std::string_view text) {
    const auto ps = parse_scaled(text, time_units);
    if (!ps) { return std::nullopt; }
    return sim::picoseconds(*ps);
}

std::optional<Frequency> parse_frequency(std::string_view text) {
    const auto hz = parse_scaled(text, frequency_units);
    if (!hz) { return std::nullopt; }
    return Frequency{*hz};
}

std::optional<std::int64_t> parse_cycles(std::string_view text) { return parse_scaled(text, cycle_units); }

std::optional<Span> parse_span(std::string_view text) {
    if (const auto count = parse_cycles(text)) { return cycles(*count); }
    if (const auto time = parse_time(text)) { return span(*time); }
    return std::nullopt;
}

std::optional<Share> parse_share(std::string_view text) {
    const auto ppm = parse_scaled(text, share_units);
    if (!ppm || *ppm > std::numeric_limits<std::int32_t>::max()) { return std::nullopt; }
    return Share{static_cast<std::int32_t>(*ppm)};
}

std::optional<std::int64_t> parse_bytes(std::string_view text) { return parse_scaled(text, byte_units); }

std::optional<Distribution> parse_distribution(std::string_view text) {
    if (const auto constant = parse_span(text)) { return Distribution{Distribution::Kind::constant, *constant, {}}; }
    if (const auto inside = inside_call(text, "uniform")) { return parse_uniform(*inside); }
    if (const auto inside = inside_call(text, "exp")) {
        const auto mean = parse_span(trimmed(*inside));
        if (!mean || *mean == Span{}) { return std::nullopt; }  // nothing is drawn around zero
        return Distribution{Distribution::Kind::exponential, *mean, {}};
    }
    return std::nullopt;
}

std::optional<std::vector<std::int32_t>> parse_cpu_list(std::string_view text) {
    std::vector<std::int32_t> cpus;
    while (true) {
        text = trimmed(text);
        const auto first = take_cpu(text);
        if (!first) { return std::nullopt; }
        auto last = first;
        if (text.starts_with('-')) {
            text.remove_prefix(1);
            last = take_cpu(text);
        }
        if (!last || *last < *first || *last - *first >= 4096) { return std::nullopt; }
        for (std::int32_t cpu = *first; cpu <= *last; ++cpu) { cpus.push_back(cpu); }
        text = trimmed(text);
        if (text.empty()) { return cpus; }
        if (!text.starts_with(',')) { return std::nullopt; }
        text.remove_prefix(1);
    }
}

std::string format_time(sim::Time time) { return time.ps == 0 ? "0ns" : format_scaled(time.ps, time_units); }
std::string format_frequency(Frequency frequency) { return format_scaled(frequency.hz, frequency_units); }
std::string format_share(Share share) { return format_scaled(share.ppm, share_units); }
std::string format_cycles(std::int64_t cycles) { return fmt::format("{}{}", cycles, cycles == 1 ? "cycle" : "cycles"); }
std::string format_span(Span span) { return span.time.ps != 0 ? format_time(span.time) : format_cycles(span.cycles); }

std::string format_bytes(std::int64_t bytes) {
    for (auto unit = byte_units.rbegin(); unit != byte_units.rend(); ++unit) {
        if (bytes >= unit->factor && bytes % unit->factor == 0) {
            return fmt::format("{}{}", bytes / unit->factor, unit->name);
        }
    }
    return fmt::format("{}B", bytes);
}

std::string format_distribution(const Distribution& distribution) {
    switch (distribution.kind) {
        case Distribution::Kind::constant: break;
        case Distribution::Kind::exponential: return fmt::format("exp({})", format_span(distribution.low));
        case Distribution::Kind::uniform: {
            // A lower end of zero has no unit of its own: it is written in the upper end's.
            const bool time = distribution.high.time.ps != 0;
            const std::string low = time ? format_time(distribution.low.time) : format_cycles(distribution.low.cycles);
            return fmt::format("uniform({}, {})", low, format_span(distribution.high));
        }
    }
    return format_span(distribution.low);
}

std::string format_cpu_list(const std::vector<std::int32_t>& cpus) {
    std::string text;
    for (std::size_t i = 0; i < cpus.size();) {
        std::size_t end = i + 1;
        while (end < cpus.size() && cpus[end] == cpus[end - 1] + 1) { ++end; }
        text += fmt::format("{}{}", i == 0 ? "" : ",", cpus[i]);
        if (end - i > 1) { text += fmt::format("-{}", cpus[end - 1]); }
        i = end;
    }
    return text;
}

}  // namespace model
