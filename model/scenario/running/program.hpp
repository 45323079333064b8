#pragma once
// The steps of a program: their verbs and keys, reading them, and the checks over a whole program.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/scenario/reading/fields.hpp"
#include "model/scenario/reading/node.hpp"

namespace model {

/// What the verb's value is.
enum class StepOperand { lock, line, flag, span, time, policy, irq, group, body };

struct StepVerb {
    Step::Kind kind;
    std::string_view name;
    StepOperand operand;
    std::vector<std::string_view> keys;  ///< besides `label` and `progress`, which every step may have
    std::string_view doc;
};
const std::vector<StepVerb>& step_verbs();

struct StepKey {
    std::string_view name;
    std::string_view doc;
};
const std::vector<StepKey>& step_keys();

/// Policies that {relax = ...} may name.
std::span<const std::string_view> relax_policies();

/// One step at a time: exactly one verb, its keys and no others, one level of repeat.
void read_value(const Node& node, const std::string& path, const FieldSpec& spec, std::vector<Step>& out);

struct Catalogue;

/// Over all steps: locks, lines and flags are declared, and each release has its acquire before it.
void check_program(const GroupConfig& group, const Scenario& scenario, const Catalogue& catalogue);

/// The step as an inline table.
std::string step_text(const Step& step);

}  // namespace model
