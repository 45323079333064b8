#pragma once
// The rows as a table for people, and as JSON (schema "locksim.bench/1").

#include <string>
#include <vector>

#include "tools/bench/row.hpp"

namespace bench {

std::string table(const std::vector<Row>& rows);
std::string json(const std::vector<Row>& rows);

}  // namespace bench
