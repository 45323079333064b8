#include "tools/locksim/validating/sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "model/scenario/reading/config_error.hpp"
#include "tools/locksim/configs.hpp"
#include "tools/locksim/exit_status.hpp"
#include "tools/locksim/validating/closed_form_set.hpp"
#include "tools/locksim/validating/expectation_set.hpp"

namespace locksim {

namespace {

namespace fs = std::filesystem;

std::string file_of(const std::string& name, const PrepareOptions& options) {
    std::error_code error;
    if (name.ends_with(".toml") && fs::is_regular_file(name, error)) { return name; }
    const std::vector<std::string> known = set_names(options.configs);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
        throw InputError(fmt::format("no set \"{}\" of published figures{}", name, model::suggestion(name, known)));
    }
    return short_path(options.configs + "/published/" + name + ".toml");
}

}  // namespace

std::vector<std::string> set_names(const std::string& configs) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& file : fs::directory_iterator(configs + "/published", error)) {
        if (file.path().extension() == ".toml") { names.push_back(file.path().stem().string()); }
    }
    names.emplace_back(closed_forms_name);
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<PreparedSet> prepare_sets(const std::vector<std::string>& names, const model::Catalogue& catalogue,
                                      const PrepareOptions& options) {
    const std::vector<Tolerance> tolerances = read_tolerances(options.configs);
    std::vector<PreparedSet> sets;
    for (const std::string& name : names.empty() ? set_names(options.configs) : names) {
        if (name == closed_forms_name) {
            sets.push_back(prepare_closed_forms(catalogue, options));
            continue;
        }
        const PublishedSet set = read_published_set(file_of(name, options));
        sets.push_back(set.kind == SetKind::expectations ? prepare_expectations(set, catalogue, options)
                                                         : prepare_curves(set, tolerances, catalogue, options));
    }
    return sets;
}

}  // namespace locksim
