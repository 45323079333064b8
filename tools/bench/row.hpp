#pragma once
// What one benchmark yields, as plain data for the reports.

#include <cstdint>
#include <optional>
#include <string>

namespace bench {

/// What must and should be reached, and by which of a row's figures that is judged.
struct Budget {
    enum class Judged { ratio, ns, bytes };
    Judged judged = Judged::ratio;
    double must = 0;
    std::optional<double> aim;
};

/// Figures are per unit: a switch, an access, a miss, an acquisition, a start. What a benchmark does not measure is
/// not set.
struct Row {
    std::string name;
    std::int32_t cpus = 0;
    std::optional<double> ns;     ///< of the host's CPU time
    std::optional<double> ratio;  ///< ns, in ring switches measured in turn with it
    std::int32_t ring = 0;        ///< fibers in that ring; 0: no ratio
    std::optional<double> switches, events, steps, accesses;
    std::optional<double> bytes;  ///< resident, per CPU
    std::optional<Budget> budget;
};

/// The figure that the budget is about.
inline std::optional<double> judged_figure(const Row& row) {
    if (!row.budget) { return std::nullopt; }
    switch (row.budget->judged) {
        case Budget::Judged::ratio: return row.ratio;
        case Budget::Judged::ns: return row.ns;
        case Budget::Judged::bytes: return row.bytes;
    }
    return std::nullopt;
}

}  // namespace bench
