#pragma once
// TOML text in, Node trees out. The only part that knows the TOML library.

#include <optional>
#include <string>
#include <string_view>

#include "model/scenario/reading/node.hpp"

namespace model {

/// Throws ConfigError for a file that cannot be read or is no TOML. Positions bear `path` as the file's name.
Node read_toml_file(const std::string& path);

/// The same of a text; `name` stands for the file.
Node read_toml_text(std::string_view text, const std::string& name);

bool is_utf8(std::string_view text);

/// An option's VALUE: as a TOML value if it is one ("3", "true", "[1, 2]"), else as a string ("20us").
Node read_toml_value(const std::string& text, const SourcePosition& position);

}  // namespace model
