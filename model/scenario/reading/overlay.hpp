#pragma once
// Overrides of a configuration tree: by a scenario's [machine], by a variant, by --set. Values are replaced or set;
// what has a name (a lock, a group, a cluster ...) is never created, so that a misspelled path is an error.

#include <string>
#include <vector>

#include "model/scenario/reading/node.hpp"

namespace model {

struct Override {
    std::vector<std::string> path;
    SourcePosition position;  ///< of the path, for a path that leads nowhere
    Node value;               ///< no table
};

/// "a.b.c" in its parts.
std::vector<std::string> split_path(const std::string& path);

/// The overrides that a table spells: dotted keys and nested tables alike.
std::vector<Override> overrides_in(const Node& table, const std::vector<std::string>& prefix);

/// Sets one value. Parts may be numbers where the tree has an array: an element that exists. Throws ConfigError if the
/// path leads through a value that is no table, or to a name that is not there.
void apply_override(Node& root, const Override& change);

/// The value at a path; null, with the names that would have gone on, where it ends.
const Node* value_at(const Node& root, const std::vector<std::string>& path, std::vector<std::string>& known);

}  // namespace model
