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
inline constexpr std::array<EnumName<Protocol>, 2> protocol_names{{
    {Protocol::mesi, "mesi", "an owner that gives a copy away keeps a shared one: mesi, mesif"},
    {Protocol::moesi, "moesi", "an owner that gives a copy away keeps the line owned"},
}};
inline constexpr std::array<EnumName<StoreFetch>, 2> store_fetch_names{{
    {StoreFetch::early, "early", "a buffered store asks for its line as soon as it enters"},
    {StoreFetch::in_turn, "in_turn", "a buffered store asks for its line when those before it are visible"},
}};
inline constexpr std::array<EnumName<CasFailure>, 2> cas_failure_names{{
    {CasFailure::exclusive, "exclusive", "a failed compare-and-swap has taken the line exclusive"},
    {CasFailure::shared, "shared", "a failed compare-and-swap has only read the line"},
}};
inline constexpr std::array<EnumName<RmwBy>, 2> rmw_by_names{{
    {RmwBy::instruction, "instruction", "one instruction (x86, arm64 with LSE)"},
    {RmwBy::llsc, "llsc", "a loop of load-exclusive and store-exclusive (arm64 without LSE)"},
}};
inline constexpr std::array<EnumName<LoadExclusive>, 2> load_exclusive_names{{
    {LoadExclusive::shared, "shared", "a load-exclusive fetches a copy to read"},
    {LoadExclusive::exclusive, "exclusive", "a load-exclusive fetches the only copy"},
}};
inline constexpr std::array<EnumName<ScUpgrade>, 2> sc_upgrade_names{{
    {ScUpgrade::checked, "checked",
     "a store-exclusive without reservation fails where it is served, and takes nothing"},
    {ScUpgrade::unconditional, "unconditional", "it takes the line and then fails (a hardware bug)"},
}};
inline constexpr std::array<EnumName<Waiting>, 2> waiting_names{{
    {Waiting::poll, "poll", "load, hint, load, hint ..."},
    {Waiting::wfe, "wfe", "load-exclusive, then sleep until an event"},
}};
inline constexpr std::array<EnumName<CpuRelax>, 4> cpu_relax_names{{
    {CpuRelax::yield, "yield", "one hint: PAUSE, YIELD"},
    {CpuRelax::none, "none", "a compiler barrier only"},
    {CpuRelax::udelay, "udelay", "a busy-wait of cpu_relax_delay"},
    {CpuRelax::wfe_after, "wfe_after", "a hint, and a WFE after cpu_relax_threshold calls in a row from one place"},
}};
inline constexpr std::array<EnumName<InterruptKind>, 3> interrupt_kind_names{{
    {InterruptKind::none, "none", "as a thread, from the start"},
    {InterruptKind::tick, "tick", "as a handler, at each timer tick of its CPU"},
    {InterruptKind::ipi, "ipi", "as a handler, when a step {ipi = \"GROUP\"} calls it"},
}};
inline constexpr std::array<EnumName<TieBreak>, 2> tie_break_names{{
    {TieBreak::actor, "actor", "by actor number"},
    {TieBreak::seeded, "seeded", "by a hash of seed, actor and time, to explore orders"},
}};

inline std::span<const EnumName<Discipline>> names_of(Discipline) { return discipline_names; }
inline std::span<const EnumName<Arbitration>> names_of(Arbitration) { return arbitration_names; }
inline std::span<const EnumName<Atomics>> names_of(Atomics) { return atomics_names; }
inline std::span<const EnumName<Protocol>> names_of(Protocol) { return protocol_names; }
inline std::span<const EnumName<StoreFetch>> names_of(StoreFetch) { return store_fetch_names; }
inline std::span<const EnumName<CasFailure>> names_of(CasFailure) { return cas_failure_names; }
inline std::span<const EnumName<RmwBy>> names_of(RmwBy) { return rmw_by_names; }
inline std::span<const EnumName<LoadExclusive>> names_of(LoadExclusive) { return load_exclusive_names; }
inline std::span<const EnumName<ScUpgrade>> names_of(ScUpgrade) { return sc_upgrade_names; }
inline std::span<const EnumName<Waiting>> names_of(Waiting) { return waiting_names; }
inline std::span<const EnumName<CpuRelax>> names_of(CpuRelax) { return cpu_relax_names; }
inline std::span<const EnumName<InterruptKind>> names_of(InterruptKind) { return interrupt_kind_names; }
inline std::span<const EnumName<TieBreak>> names_of(TieBreak) { return tie_break_names; }

template <class Enum>
std::string_view name_of(Enum value) {
    for (const auto& row : names_of(value)) {
        if (row.value == value) { return row.name; }
    }
    return {};
}

}  // namespace model
