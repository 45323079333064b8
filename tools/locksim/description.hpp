#pragma once
// What `locksim describe` says about a thing: sections of rows, and a text. Filled from the catalogue and from files,
// printed as a table or as JSON.

#include <string>
#include <vector>

#include "model/scenario/catalogue.hpp"
#include "model/scenario/scenario.hpp"

namespace locksim {

struct DescriptionRow {
    std::string key, value, doc;
};
struct DescriptionSection {
    std::string title;  ///< empty: the first, without a heading
    std::vector<DescriptionRow> rows;
};
struct Description {
    std::string kind;  ///< "lock", "workload", "machine", "scenario"
    std::string name;
    std::string summary;
    std::vector<DescriptionSection> sections;
    std::string text;  ///< printed as it is: the header comment of a lock
};

/// `locks_dir`: where the user's locks come from; empty: none.
Description describe_lock(const model::LockEntry& lock, const std::string& locks_dir);
Description describe_workload(const model::WorkloadEntry& workload);
Description describe_machine(const model::MachineConfig& machine);
/// `variants`: all of the file.
Description describe_scenario(const std::vector<model::Scenario>& variants);

std::string description_table(const Description& description, std::size_t width);
std::string description_json(const std::vector<Description>& descriptions);

/// The first block of `//` lines of a source text, without the slashes.
std::string header_comment(const std::string& source);

}  // namespace locksim
