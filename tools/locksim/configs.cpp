#include "tools/locksim/configs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "build_info.hpp"
#include "tools/locksim/exit_status.hpp"

namespace locksim {

namespace {

namespace fs = std::filesystem;

bool has_machines(const fs::path& configs) {
    std::error_code error;
    return fs::is_directory(configs / "machines", error);
}

/// Follows no symbolic links to folders, so that a loop cannot trap it. Unreadable folders are skipped.
std::vector<fs::path> toml_files_below(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
        std::error_code unreadable;
        if (at->path().extension() == ".toml" && at->is_regular_file(unreadable)) { files.push_back(at->path()); }
    }
    return files;
}

std::vector<ConfigFile> sorted(std::vector<ConfigFile> files) {
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return files;
}

}  // namespace

std::string configs_dir() {
    if (const char* given = std::getenv("LOCKSIM_CONFIGS"); given != nullptr && *given != '\0') {
        if (has_machines(given)) { return given; }
        throw InputError(fmt::format("LOCKSIM_CONFIGS={}: expected a folder that has a folder machines/", given));
    }
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path beside = (program.parent_path() / "../../../configs").lexically_normal();
    if (!error && has_machines(beside)) { return short_path(beside.string()); }
    const fs::path in_source = fs::path(build_info::source_dir) / "configs";
    if (has_machines(in_source)) { return short_path(in_source.string()); }
    throw InputError(
        fmt::format("no folder configs/ with machines/ in it, neither at {} nor at {}: set LOCKSIM_CONFIGS",
                    beside.string(), in_source.string()));
}

std::vector<ConfigFile> machine_files(const std::string& configs) {
    std::vector<ConfigFile> machines;
    for (const fs::path& path : toml_files_below(fs::path(configs) / "machines")) {
        machines.push_back({path.stem().string(), path.string()});
    }
    return sorted(std::move(machines));
}

std::vector<ConfigFile> scenario_files(const std::string& configs) {
    std::vector<ConfigFile> scenarios;
    for (const fs::path& path : toml_files_below(configs)) {
        const fs::path below = path.lexically_relative(configs);
        if (*below.begin() == "machines" || *below.begin() == "published") { continue; }
        scenarios.push_back({fs::path(below).replace_extension().string(), path.string()});
    }
    return sorted(std::move(scenarios));
}

std::string short_path(const std::string& path) {
    std::error_code error;
    const fs::path here = fs::current_path(error);
    if (error || !fs::path(path).is_absolute()) { return path; }
    const fs::path relative = fs::path(path).lexically_relative(here);
    const bool leads_down = !relative.empty() && *relative.begin() != ".." && *relative.begin() != ".";
    return leads_down ? relative.string() : path;
}

}  // namespace locksim
