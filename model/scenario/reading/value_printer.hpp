#pragma once
// One value of a configuration as TOML text, by the type of its member: what value_reader reads back as the same.

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "model/scenario/reading/enum_names.hpp"
#include "model/scenario/reading/fields.hpp"
#include "model/scenario/reading/node.hpp"

namespace model {

std::string value_text(const FieldSpec& spec, bool value);
std::string value_text(const FieldSpec& spec, std::int32_t value);
std::string value_text(const FieldSpec& spec, std::int64_t value);
std::string value_text(const FieldSpec& spec, std::uint64_t value);
std::string value_text(const FieldSpec& spec, const std::string& value);
std::string value_text(const FieldSpec& spec, sim::Time value);
std::string value_text(const FieldSpec& spec, Frequency value);
std::string value_text(const FieldSpec& spec, Share value);
std::string value_text(const FieldSpec& spec, Span value);
std::string value_text(const FieldSpec& spec, const Distribution& value);
std::string value_text(const FieldSpec& spec, const std::vector<std::string>& value);
std::string value_text(const FieldSpec& spec, const std::vector<std::int32_t>& cpus);
std::string value_text(const FieldSpec& spec, const std::vector<Step>& program);
std::string value_text(const FieldSpec& spec, const std::vector<ExpectationText>& value);
std::string value_text(const FieldSpec& spec, const std::vector<HopedExpectation>& value);
std::string value_text(const FieldSpec& spec, PhaseCount<const ExpectConfig> value);

template <class Enum>
requires std::is_enum_v<Enum> std::string value_text(const FieldSpec&, Enum value) {
    return toml_string(name_of(value));
}

/// What is not set has no text.
template <class Value>
std::string value_text(const FieldSpec& spec, const std::optional<Value>& value) {
    return value ? value_text(spec, *value) : std::string{};
}

std::string value_text(const ParameterValue& value);

}  // namespace model
