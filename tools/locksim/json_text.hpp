#pragma once
// JSON for the catalogue's verbs: flat records, so that only report_json.cpp needs the JSON library.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace locksim {

/// Keys and texts in order; what is no text in the source is printed as people read it.
using Record = std::vector<std::pair<std::string, std::string>>;

/// {"schema": SCHEMA, KEY: [RECORD, ...]}
std::string json_records(const std::string& schema, const std::string& key, const std::vector<Record>& records);

/// The text in quotes, as JSON writes it; what is no UTF-8 is replaced.
std::string json_string(std::string_view text);

}  // namespace locksim
