#pragma once
// From the tree of a machine file (with a scenario's overrides laid over it) to a checked MachineConfig.

#include <string>

#include "model/machine/config.hpp"
#include "model/scenario/reading/node.hpp"

namespace model {

/// The tree of configs_dir/machines/NAME.toml. Throws ConfigError at `named_at` with the names there are.
Node read_machine_file(const std::string& preset, const std::string& configs_dir, const SourcePosition& named_at);

/// `path` is where the table stands ("machine" in a scenario, empty in a machine file): for messages.
MachineConfig read_machine(const Node& table, const std::string& path);

std::int32_t count_cpus(const MachineConfig& machine);

/// Throws ConfigError, naming the machine's last CPU, if there is no CPU `cpu`.
void check_cpu(const MachineConfig& machine, std::int64_t cpu, const std::string& path, const SourcePosition& where);

}  // namespace model
