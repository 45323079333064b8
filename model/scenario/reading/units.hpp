#pragma once
// How quantities are spelled in files and options: "20us", "300MHz", "40cycles", "15%", "4KiB", "exp(5us)".
//
// Exact: decimals are converted by integer arithmetic, and what is no whole number of the smallest unit is refused.
// No sign, no exponent, no space between number and unit. parse_x(format_x(v)) == v for every v.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/quantities.hpp"

namespace model {

// What an error message says was expected.
inline constexpr std::string_view time_spelling = "a time such as \"20us\" (ps, ns, us, ms, s)";
inline constexpr std::string_view frequency_spelling = "a frequency such as \"300MHz\" (Hz, kHz, MHz, GHz)";
inline constexpr std::string_view span_spelling =
    "cycles such as \"40cycles\" or a time such as \"20us\" (ps, ns, us, ms, s)";
inline constexpr std::string_view cycles_spelling = "cycles such as \"40cycles\"";
inline constexpr std::string_view share_spelling = "a share such as \"15%\"";
inline constexpr std::string_view bytes_spelling = "bytes such as 64, \"64B\" or \"4KiB\" (B, KiB, MiB, GiB)";
inline constexpr std::string_view distribution_spelling =
    "a span (\"40cycles\", \"20us\"), \"exp(5us)\" or \"uniform(1us, 2us)\" with both ends in cycles or both in time";
inline constexpr std::string_view cpu_list_spelling = "CPU numbers such as [0, 1] or \"0-7,12\"";

std::optional<sim::Time> parse_time(std::string_view text);
std::optional<Frequency> parse_frequency(std::string_view text);
std::optional<Span> parse_span(std::string_view text);
std::optional<Share> parse_share(std::string_view text);
std::optional<std::int64_t> parse_cycles(std::string_view text);
std::optional<std::int64_t> parse_bytes(std::string_view text);
std::optional<Distribution> parse_distribution(std::string_view text);
/// "0-7,12", in the order written. No value also for a range of more than 4096 CPUs.
std::optional<std::vector<std::int32_t>> parse_cpu_list(std::string_view text);

std::string format_time(sim::Time time);
std::string format_frequency(Frequency frequency);
std::string format_span(Span span);
std::string format_share(Share share);
std::string format_cycles(std::int64_t cycles);
std::string format_bytes(std::int64_t bytes);
std::string format_distribution(const Distribution& distribution);
std::string format_cpu_list(const std::vector<std::int32_t>& cpus);

}  // namespace model
