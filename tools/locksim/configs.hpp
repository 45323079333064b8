#pragma once
// The folder configs/: where it is, and which machines and scenarios are in it.

#include <string>
#include <vector>

namespace locksim {

/// LOCKSIM_CONFIGS, else beside the program's build tree, else in the source tree it was built from. Throws
/// InputError where there is none.
std::string configs_dir();

struct ConfigFile {
    std::string name;  ///< machines: the preset; scenarios: the path below configs/ without ".toml"
    std::string path;
};
/// Sorted by name.
std::vector<ConfigFile> machine_files(const std::string& configs);
std::vector<ConfigFile> scenario_files(const std::string& configs);

/// Relative to the present folder if that leads down from it: for messages and lines to paste.
std::string short_path(const std::string& path);

}  // namespace locksim
