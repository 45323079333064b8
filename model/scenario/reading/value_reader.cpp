#include "model/scenario/reading/value_reader.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/reading/table_reader.hpp"
#include "model/scenario/reading/units.hpp"

namespace model {
namespace {

/// The values that `spec` allows, in the spelling of `format`.
template <class Format>
std::string range_text(const FieldSpec& spec, Format format) {
    if (spec.max == FieldSpec{}.max) { return fmt::format("at least {}", format(spec.min)); }
    return fmt::format("{} to {}", format(spec.min), format(spec.max));
}

bool in_range(const FieldSpec& spec, std::int64_t value) { return value >= spec.min && value <= spec.max; }

/// A string that `parse` accepts.
template <class Parse>
auto parsed(const Node& node, const std::string& path, Parse parse, std::string_view spelling) {
    const auto* text = node.get_if<std::string>();
    auto value = text != nullptr ? parse(*text) : decltype(parse(std::string_view{})){};
    if (!value) { reject(node, path, std::string(spelling)); }
    return *value;
}

std::string plain(std::int64_t value) { return std::to_string(value); }

std::int64_t read_plain(const Node& node, const std::string& path, const FieldSpec& spec) {
    const auto* value = node.get_if<std::int64_t>();
    if (value == nullptr) { reject(node, path, "an integer"); }
    if (!in_range(spec, *value)) { reject(node, path, range_text(spec, plain)); }
    return *value;
}

std::int64_t read_cycles(const Node& node, const std::string& path, const FieldSpec& spec) {
    const std::int64_t value = parsed(node, path, parse_cycles, cycles_spelling);
    if (!in_range(spec, value)) { reject(node, path, range_text(spec, format_cycles)); }
    return value;
}

std::int64_t read_bytes(const Node& node, const std::string& path, const FieldSpec& spec) {
    const auto* number = node.get_if<std::int64_t>();
    const std::int64_t value = number != nullptr ? *number : parsed(node, path, parse_bytes, bytes_spelling);
    if (!in_range(spec, value)) { reject(node, path, range_text(spec, format_bytes)); }
    return value;
}

const Node::Array& read_array(const Node& node, const std::string& path, std::string_view of_what) {
    const auto* array = node.get_if<Node::Array>();
    if (array == nullptr) { reject(node, path, fmt::format("a list of {}", of_what)); }
    return *array;
}

std::int32_t parse_count(std::string_view text) {
    std::int32_t value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9' || value > 100'000) { return -1; }
        value = value * 10 + (c - '0');
    }
    return text.empty() ? -1 : value;
}

/// No field's limits: what is longer could carry a sum beyond the end of simulated time.
void check_length(const Node& node, const std::string& path, Span span) {
    if (span.cycles <= max_span_cycles && span.time.ps <= max_duration_ps) { return; }
    reject(node, path, fmt::format("at most {} or {}", format_time({max_duration_ps}), format_cycles(max_span_cycles)));
}

struct HopedFields {
    HopedExpectation& hoped;
};
template <class Visitor>
void visit_fields(HopedFields& fields, Visitor& visit) {
    visit({.name = "that", .doc = "a comparison", .required = true}, fields.hoped.that);
    visit({.name = "why", .doc = "why it is hoped for", .required = true}, fields.hoped.why);
}

}  // namespace

void reject(const Node& node, const std::string& path, const std::string& expected) {
    throw ConfigError(node.position, fmt::format("{} = {}: expected {}", path, node.text(), expected));
}

void reject_name(const Node& node, const std::string& path, const std::string& what,
                 const std::vector<std::string>& known) {
    const auto* text = node.get_if<std::string>();
    if (text == nullptr) { reject(node, path, fmt::format("a {}, as a string", what)); }
    throw ConfigError(node.position,
                      fmt::format("{} = {}: no such {}{}", path, node.text(), what, suggestion(*text, known)));
}

void read_value(const Node& node, const std::string& path, const FieldSpec&, bool& out) {
    const auto* value = node.get_if<bool>();
    if (value == nullptr) { reject(node, path, "true or false"); }
    out = *value;
}

void read_value(const Node& node, const std::string& path, const FieldSpec& spec, std::int64_t& out) {
    switch (spec.unit) {
        case Unit::none: out = read_plain(node, path, spec); return;
        case Unit::bytes: out = read_bytes(node, path, spec); return;
        case Unit::cycles: out = read_cycles(node, path, spec); return;
    }
}

void read_value(const Node& node, const std::string& path, const FieldSpec& spec, std::int32_t& out) {
    FieldSpec narrow = spec;
    narrow.max = std::min<std::int64_t>(spec.max, std::numeric_limits<std::int32_t>::max());
    std::int64_t value = 0;
    read_value(node, path, narrow, value);
    out = static_cast<std::int32_t>(value);
}

void read_value(const Node& node, const std::string& path, const FieldSpec& spec, std::uint64_t& out) {
    out = static_cast<std::uint64_t>(read_plain(node, path, spec));  // every such field has min >= 0
}

void read_value(const Node& node, const std::string& path, const FieldSpec&, std::string& out) {
    const auto* value = node.get_if<std::string>();
    if (value == nullptr) { reject(node, path, "a string"); }
    out = *value;
}

void read_value(const Node& node, const std::string& path, const FieldSpec& spec, sim::Time& out) {
    out = parsed(node, path, parse_time, time_spelling);
    const auto format = [](std::int64_t ps) { return format_time(sim::picoseconds(ps)); };
    if (!in_range(spec, out.ps)) { reject(node, path, range_text(spec, format)); }
}

void read_value(const Node& node, const std::string& path, const FieldSpec& spec, Frequency& out) {
    out = parsed(node, path, parse_frequency, frequency_spelling);
    const auto format = [](std::int64_t hz) { return format_frequency({hz}); };
    if (!in_range(spec, out.hz)) { reject(node, path, range_text(spec, format)); }
}

void read_value(const Node& node, const std::string& path, const FieldSpec& spec, Share& out) {
    out = parsed(node, path, parse_share, share_spelling);
    const auto format = [](std::int64_t ppm) { return format_share({static_cast<std::int32_t>(ppm)}); };
    if (!in_range(spec, out.ppm)) { reject(node, path, range_text(spec, format)); }
}

void read_value(const Node& node, const std::string& path, const FieldSpec& spec, Span& out) {
    out = parsed(node, path, parse_span, span_spelling);
    check_length(node, path, out);
    if (in_range(spec, std::max(out.cycles, out.time.ps))) { return; }  // one of the two is zero
    reject(node, path, spec.min == 1 ? "more than zero" : range_text(spec, format_cycles));
}

void read_value(const Node& node, const std::string& path, const FieldSpec&, Distribution& out) {
    out = parsed(node, path, parse_distribution, distribution_spelling);
    check_length(node, path, out.low);
    check_length(node, path, out.high);
}

void read_value(const Node& node, const std::string& path, const FieldSpec& spec, std::vector<std::string>& out) {
    out.clear();
    for (const auto& element : read_array(node, path, "strings")) {
        read_value(element, path, spec, out.emplace_back());
    }
}

void read_value(const Node& node, const std::string& path, const FieldSpec&, std::vector<std::int32_t>& out) {
    if (node.get_if<std::string>() != nullptr) {
        out = parsed(node, path, parse_cpu_list, cpu_list_spelling);
        return;
    }
    out.clear();
    const FieldSpec cpu{.name = "", .max = max_cpus - 1};
    if (node.get_if<std::int64_t>() != nullptr) {  // what --set groups.NAME.cpus=3 gives
        read_value(node, path, cpu, out.emplace_back());
        return;
    }
    const auto* array = node.get_if<Node::Array>();
    if (array == nullptr || array->empty()) { reject(node, path, std::string(cpu_list_spelling)); }
    for (const auto& element : *array) { read_value(element, path, cpu, out.emplace_back()); }
}

void read_value(const Node& node, const std::string& path, const FieldSpec& spec, std::vector<ExpectationText>& out) {
    out.clear();
    for (const auto& element : read_array(node, path, "comparisons")) {
        read_value(element, path, spec, out.emplace_back().text);
        out.back().position = element.position;
    }
}

void read_value(const Node& node, const std::string& path, const FieldSpec&, std::vector<HopedExpectation>& out) {
    out.clear();
    for (const auto& element : read_array(node, path, "{that = \"COMPARISON\", why = \"REASON\"}")) {
        HopedFields fields{out.emplace_back()};
        read_table(element, path, fields);
        out.back().position = element.position;
    }
}

void read_value(const Node& node, const std::string& path, const FieldSpec&, PhaseCount<ExpectConfig> out) {
    const auto* text = node.get_if<std::string>();
    const auto slash = text != nullptr ? text->find('/') : std::string::npos;
    const std::string expected = "\"N/M\" (in at least N of M start phases) or \"none/M\", M at most 100000";
    if (slash == std::string::npos) { reject(node, path, expected); }
    const bool none = text->substr(0, slash) == "none";
    const std::int32_t holds = none ? 0 : parse_count(std::string_view(*text).substr(0, slash));
    const std::int32_t of = parse_count(std::string_view(*text).substr(slash + 1));
    if (of < 1 || of > 100'000 || holds > of || holds < (none ? 0 : 1)) { reject(node, path, expected); }
    out.expect.in_holds = holds;
    out.expect.in_of = of;
    out.expect.in_none = none;
}

ParameterValue read_parameter(const Node& node, const std::string& path, const ParameterSpec& spec) {
    const FieldSpec field{.name = spec.name, .doc = spec.doc, .min = spec.min, .max = spec.max};
    return std::visit(
        [&]<class Value>(const Value&) -> ParameterValue {
            Value value{};
            if constexpr (std::is_same_v<Value, std::int64_t>) {
                read_value(node, path, field, value);
            } else {
                read_value(node, path, {.name = spec.name}, value);  // the limits are those of integers
            }
            if constexpr (std::is_same_v<Value, std::string>) {
                const auto& choices = spec.choices;
                if (!choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end()) {
                    reject_name(node, path, "choice", choices);
                }
            }
            return value;
        },
        spec.preset);
}

}  // namespace model
