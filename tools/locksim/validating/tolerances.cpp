#include "tools/locksim/validating/tolerances.hpp"

#include "tools/locksim/validating/published_table.hpp"

namespace locksim {

bool Tolerance::applies_to(const std::string& name) const {
    if (!set.empty() && set.back() == '*') { return name.starts_with(set.substr(0, set.size() - 1)); }
    return set == name;
}

std::vector<Tolerance> read_tolerances(const std::string& configs) {
    const PublishedTable table = PublishedTable::read(configs + "/published/tolerances.csv");
    std::vector<Tolerance> tolerances;
    for (const PublishedTable::Row& row : table.rows()) {
        tolerances.push_back({.set = table.cell(row, "set"),
                              .criterion = table.cell(row, "criterion"),
                              .of = table.cell(row, "of"),
                              .at = table.cell(row, "at"),
                              .limit = table.number(row, "limit"),
                              .position = row.position});
    }
    return tolerances;
}

}  // namespace locksim
