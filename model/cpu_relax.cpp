// cpu_relax() as the machine's `cpu_relax` has it. The last of them is W. Deacon's experiment of 28 July 2017, which
// Z. Bouska carried on in March 2023 (linux-kernel): after so many calls in a row from one place, a CPU sleeps in WFE
// until an event. It runs as code: its look at the per-CPU word, its compare-and-swap, SEVL and WFE cost what the
// machine says, on every call.

#include <string_view>

#include "model/machine/machine.hpp"
#include "model/smp.hpp"

namespace smp {

inline namespace simulated {

namespace {

/// The low half of the per-CPU word names the place, as the low half of a program counter would: the same on every
/// build, whatever folder it was built in.
std::uint32_t place_of(Site where) {
    std::string_view file = where.file;
    if (const auto slash = file.rfind('/'); slash != std::string_view::npos) { file.remove_prefix(slash + 1); }
    std::uint32_t hash = 2166136261u;  // FNV-1a
    for (const char c : file) { hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u; }
    return (hash ^ static_cast<std::uint32_t>(where.line)) * 16777619u;
}

/// per CPU: (calls in a row, place)
void relax_with_wfe_after(std::uint64_t threshold, std::uint64_t place, Site where) {
    model::Context& cpu = *model::current;
    std::uint64_t* word = cpu.cpu().relax_calls;
    constexpr std::uint64_t one_call = std::uint64_t{1} << 32;

    const std::uint64_t before = cpu.load(word, where);
    std::uint64_t after = place;  // another place, or after a sleep: (n, p) -> (0, place)
    bool slept = false;
    if ((before & (one_call - 1)) == place) {
        if (before / one_call > threshold) {
            sevl(where);
            wfe(where);  // the first takes the local event away,
            wfe(where);  // the second sleeps
            slept = true;
        } else {
            after = before + one_call;  // (n, place) -> (n+1, place)
        }
    }
    // An interrupt may have relaxed in between: then its count stands.
    const bool counted = cpu.modify(word, model::Operation::compare_exchange, after, before, where) == before;
    if (counted && !slept) { cpu.relax(where); }
}

}  // namespace

void cpu_relax(Site where) { cpu_relax_at(place_of(where), where); }

void cpu_relax_at(std::uint32_t place, Site where) {
    model::Context& cpu = *model::current;
    const model::MachineConfig& machine = cpu.machine().config();
    switch (machine.cpu_relax) {
        case model::CpuRelax::yield: cpu.relax(where); return;
        case model::CpuRelax::none: return;
        case model::CpuRelax::udelay: cpu.spend(model::span(machine.cpu_relax_delay)); return;
        case model::CpuRelax::wfe_after:
            relax_with_wfe_after(static_cast<std::uint64_t>(machine.cpu_relax_threshold), place, where);
            return;
    }
}

}  // namespace simulated

}  // namespace smp
