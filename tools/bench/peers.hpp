#pragma once
// Other simulators doing comparable work, as programs beside this one (tools/bench/peers), measured in turn with ours.

#include <string>
#include <vector>

#include "tools/bench/effort.hpp"
#include "tools/bench/row.hpp"

namespace bench {

struct PeersRequest {
    std::string filter;  ///< part of a row's name; empty: all
    Effort effort;
};

struct PeersResult {
    std::vector<Row> rows;
    std::vector<std::string> missing;  ///< programs that are not built
};

PeersResult compare_with_peers(const PeersRequest& request);

}  // namespace bench
