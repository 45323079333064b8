#pragma once
// What one benchmark yields, as plain data for the reports.

#include <cstdint>
#include <optional>
#include <string>

namespace bench {

/// What must and should be reached, and by which of a row's figures that is judged.
struct Budget {
    enum class Judged { ratio, ns, bytes, events };
    Judged judged = Judged::ratio;
    double must = 0;
    std::optional<double> aim;
    bool at_least = false;  ///< so much or more, instead of so much or less

    bool allows(double figure, double limit) const { return at_least ? figure >= limit : figure <= limit; }
};

/// Figures are per unit: a switch, an access, a miss, an acquisition, a start. What a benchmark does not measure is
/// not set.
struct Row {
    std::string name;
    std::int32_t cpus = 0;
    std::optional<double> ns;            ///< of the host's CPU time
    std::optional<double> ratio;         ///< to what `against` names, measured in turn with it
    std::string against;                 ///< a switch in a ring of so many fibers, the same on few CPUs, a peer
    std::int32_t ring = 0;               ///< fibers in that ring; 0: it was something else
    std::optional<double> median_ratio;  ///< of the pairs of samples
    std::optional<double> theirs_ns;     ///< of the peer
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
        case Budget::Judged::events: return row.events;
    }
    return std::nullopt;
}

inline bool holds(const Row& row) {
    const auto figure = judged_figure(row);
    return !figure || row.budget->allows(*figure, row.budget->must);
}

inline bool reaches_aim(const Row& row) {
    const auto figure = judged_figure(row);
    return figure && row.budget->aim && row.budget->allows(*figure, *row.budget->aim);
}

}  // namespace bench
