#include "model/scenario/reading/value_printer.hpp"

#include <fmt/format.h>

#include "model/scenario/reading/units.hpp"
#include "model/scenario/running/program.hpp"

namespace model {
namespace {

/// What `text` makes of each element.
template <class Element, class Text>
std::vector<std::string> texts_of(const std::vector<Element>& elements, Text text) {
    std::vector<std::string> result;
    result.reserve(elements.size());
    for (const auto& element : elements) { result.push_back(text(element)); }
    return result;
}

/// One element to a line: programs and comparisons are long.
std::string list_text(const std::vector<std::string>& elements) {
    if (elements.empty()) { return "[]"; }
    return fmt::format("[\n    {},\n]", fmt::join(elements, ",\n    "));
}

/// A multi-line string; the line break after its opening quotes is none of its own.
std::string text_over_lines(const std::string& value) {
    std::string result = "\"\"\"\n";
    for (std::size_t begin = 0;;) {
        const std::size_t end = value.find('\n', begin);
        const std::string line = toml_string(value.substr(begin, end - begin));
        result += line.substr(1, line.size() - 2);  // escaped, without its quotes
        if (end == std::string::npos) { return result + "\"\"\""; }
        result += '\n';
        begin = end + 1;
    }
}

}  // namespace

std::string value_text(const FieldSpec&, bool value) { return value ? "true" : "false"; }
std::string value_text(const FieldSpec& spec, std::int32_t value) { return value_text(spec, std::int64_t{value}); }
std::string value_text(const FieldSpec&, std::uint64_t value) { return std::to_string(value); }
std::string value_text(const FieldSpec&, const std::string& value) {
    return value.find('\n') == std::string::npos ? toml_string(value) : text_over_lines(value);
}
std::string value_text(const FieldSpec&, sim::Time value) { return toml_string(format_time(value)); }
std::string value_text(const FieldSpec&, Frequency value) { return toml_string(format_frequency(value)); }
std::string value_text(const FieldSpec&, Share value) { return toml_string(format_share(value)); }
std::string value_text(const FieldSpec&, Span value) { return toml_string(format_span(value)); }
std::string value_text(const FieldSpec&, const Distribution& value) { return toml_string(format_distribution(value)); }

std::string value_text(const FieldSpec& spec, std::int64_t value) {
    switch (spec.unit) {
        case Unit::bytes: return toml_string(format_bytes(value));
        case Unit::cycles: return toml_string(format_cycles(value));
        case Unit::none: break;
    }
    return std::to_string(value);
}

std::string value_text(const FieldSpec&, const std::vector<std::string>& value) {
    return fmt::format("[{}]", fmt::join(texts_of(value, toml_string), ", "));
}

std::string value_text(const FieldSpec&, const std::vector<std::int32_t>& cpus) {
    constexpr std::size_t listed = 8;  // more are easier to read as ranges
    if (cpus.size() > listed) { return toml_string(format_cpu_list(cpus)); }
    return fmt::format("[{}]", fmt::join(cpus, ", "));
}

std::string value_text(const FieldSpec&, const std::vector<Step>& program) {
    return list_text(texts_of(program, step_text));
}

std::string value_text(const FieldSpec&, const std::vector<ExpectationText>& value) {
    return list_text(texts_of(value, [](const ExpectationText& each) { return toml_string(each.text); }));
}

std::string value_text(const FieldSpec&, const std::vector<HopedExpectation>& value) {
    return list_text(texts_of(value, [](const HopedExpectation& each) {
        return fmt::format("{{that = {}, why = {}}}", toml_string(each.that), toml_string(each.why));
    }));
}

std::string value_text(const FieldSpec&, PhaseCount<const ExpectConfig> value) {
    const ExpectConfig& expect = value.expect;
    if (!expect.in_of) { return {}; }
    const std::string holds = expect.in_none ? "none" : std::to_string(expect.in_holds.value_or(0));
    return toml_string(fmt::format("{}/{}", holds, *expect.in_of));
}

std::string value_text(const ParameterValue& value) {
    return std::visit([](const auto& typed) { return value_text(FieldSpec{.name = ""}, typed); }, value);
}

}  // namespace model
