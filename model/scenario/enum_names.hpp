#pragma once
// The closed choices of configuration files: spelling and meaning of each.

#include <array>
#include <span>
#include <string_view>

#include "model/scenario/scenario.hpp"

namespace model {

template <class Enum>
struct EnumName {
    Enum value;
    std::string_view name;
    std::string_view doc;
};

inline constexpr std::array<EnumName<Discipline>, 4> discipline_names{{
    {Discipline::by_domain, "by_domain",
     "round robin over the cache domains that have requests, first come first served inside each"},
    {Discipline::fifo, "fifo", "by arrival at the line"},
    {Discipline::nearest_first, "nearest_first",
     "the nearest to the present owner; nobody is overtaken more than overtake_bound times"},
    {Discipline::random, "random", "seeded"},
}};
inline constexpr std::array<EnumName<Arbitration>, 2> arbitration_names{{
    {Arbitration::drawn, "drawn", "retention is drawn anew for each grant, exponential"},
    {Arbitration::fixed, "fixed", "retention is always its mean"},
}};
inline constexpr std::array<EnumName<Atomics>, 3> atomics_names{{
    {Atomics::near, "near", "the line moves to the requester"},
    {Atomics::far, "far", "always executed at the line's home"},
    {Atomics::far_unless_unique, "far_unless_unique",
     "in the cache where the requester owns the line alone, else at the home"},
}};
inline constexpr std::array<EnumName<CasFailure>, 2> cas_failure_names{{
    {CasFailure::exclusive, "exclusive", "a failed compare-and-swap has taken the line exclusive"},
    {CasFailure::shared, "shared", "a failed compare-and-swap has only read the line"},
}};
inline constexpr std::array<EnumName<TieBreak>, 2> tie_break_names{{
    {TieBreak::actor, "actor", "by actor number"},
    {TieBreak::seeded, "seeded", "by a hash of seed, actor and time, to explore orders"},
}};

inline std::span<const EnumName<Discipline>> names_of(Discipline) { return discipline_names; }
inline std::span<const EnumName<Arbitration>> names_of(Arbitration) { return arbitration_names; }
inline std::span<const EnumName<Atomics>> names_of(Atomics) { return atomics_names; }
inline std::span<const EnumName<CasFailure>> names_of(CasFailure) { return cas_failure_names; }
inline std::span<const EnumName<TieBreak>> names_of(TieBreak) { return tie_break_names; }

template <class Enum>
std::string_view name_of(Enum value) {
    for (const auto& row : names_of(value)) {
        if (row.value == value) { return row.name; }
    }
    return {};
}

}  // namespace model
