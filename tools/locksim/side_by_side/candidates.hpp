#pragma once
// What `compare` sets side by side: the combinations of --variant, --lock and --vary.

#include <string>
#include <vector>

#include "model/scenario/catalogue.hpp"
#include "model/scenario/scenario.hpp"
#include "tools/locksim/options.hpp"

namespace locksim {

/// One row of the comparison.
struct Candidate {
    std::string name;               ///< "mcs", "count=4", "mcs, count=4"; no two have the same
    std::string label;              ///< the values alone: "mcs, 4"
    std::vector<std::string> sets;  ///< "PATH=VALUE", what it changes in its variant of the file
    model::Scenario scenario;       ///< loaded, with the first seed
};

/// Splits at commas outside of brackets and quotes; `option` is for the message. Throws InputError: no value, an empty
/// one, a bracket or a quote that is not closed.
std::vector<std::string> split_values(const std::string& text, const std::string& option);

/// At most this many in a command.
constexpr std::size_t most_candidates = 64;

struct Candidates {
    std::vector<Candidate> all;
    std::string varied;  ///< what the labels are values of: "lock, count"
};

/// Loads every combination, the first value of each list first. An option with a single value is compared with the
/// scenario as it stands; without any option the file's own variants are compared. Throws InputError and
/// model::ConfigError.
Candidates load_candidates(const std::string& file, const model::Catalogue& catalogue, const Options& options);

}  // namespace locksim
