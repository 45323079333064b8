#pragma once
// Reads one value of a configuration into a member of a struct, by the member's type: kind, unit and range checked.

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "model/scenario/catalogue.hpp"
#include "model/scenario/reading/enum_names.hpp"
#include "model/scenario/reading/fields.hpp"
#include "model/scenario/reading/node.hpp"

namespace model {

/// Throws ConfigError at the node: "PATH = TEXT: expected EXPECTED".
[[noreturn]] void reject(const Node& node, const std::string& path, const std::string& expected);

void read_value(const Node& node, const std::string& path, const FieldSpec& spec, bool& out);
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, std::int32_t& out);
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, std::int64_t& out);
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, std::uint64_t& out);
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, std::string& out);
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, sim::Time& out);
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, Frequency& out);
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, Share& out);
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, Span& out);
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, Distribution& out);
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, std::vector<std::string>& out);
void read_value(const Node& node, const std::string& path, const FieldSpec& spec,
                std::vector<std::int32_t>& out);  // CPUs
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, std::vector<ExpectationText>& out);
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, std::vector<HopedExpectation>& out);
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, PhaseCount<ExpectConfig> out);

/// Throws ConfigError with the names there are.
[[noreturn]] void reject_name(const Node& node, const std::string& path, const std::string& what,
                              const std::vector<std::string>& known);

template <class Enum>
requires std::is_enum_v<Enum>
void read_value(const Node& node, const std::string& path, const FieldSpec&, Enum& out) {
    std::vector<std::string> known;
    for (const auto& row : names_of(Enum{})) {
        const auto* text = node.get_if<std::string>();
        if (text != nullptr && *text == row.name) {
            out = row.value;
            return;
        }
        known.emplace_back(row.name);
    }
    reject_name(node, path, "value", known);
}

template <class Value>
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, std::optional<Value>& out) {
    read_value(node, path, spec, out.emplace());
}

/// A parameter of a lock or workload; the type is that of its default.
ParameterValue read_parameter(const Node& node, const std::string& path, const ParameterSpec& spec);

}  // namespace model
