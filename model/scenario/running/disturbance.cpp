#include "model/scenario/running/disturbance.hpp"

#include <algorithm>
#include <set>
#include <variant>

#include <fmt/format.h>

#include "model/machine/topology.hpp"
#include "model/scenario/reading/fields.hpp"
#include "model/scenario/reading/table_reader.hpp"
#include "model/scenario/reading/units.hpp"
#include "model/scenario/running/program.hpp"
#include "sim/random.hpp"

namespace model {
namespace {

constexpr std::int32_t one_percent = 10'000;
constexpr std::size_t spread_over = 8;

// --- the lengths of a scenario -------------------------------------------------------------------------------------

struct Length {
    std::string path;
    std::variant<Span*, Distribution*, std::int64_t*> value;  ///< the integer counts cycles
    sim::Time cycle;                                          ///< of the CPU that spends it
    std::int64_t least = 0;                                   ///< in the unit in which the value is written
};

bool moved(Span& span, std::int64_t cycles, const Length& length) {
    const bool in_time = span.time.ps != 0;
    std::int64_t& value = in_time ? span.time.ps : span.cycles;
    value += in_time ? cycles * length.cycle.ps : cycles;
    return value >= length.least;
}

/// False: it would be less than the least that it may be.
bool move(const Length& length, std::int64_t cycles) {
    if (auto* const* count = std::get_if<std::int64_t*>(&length.value)) {
        **count += cycles;
        return **count >= length.least;
    }
    if (auto* const* span = std::get_if<Span*>(&length.value)) { return moved(**span, cycles, length); }
    Distribution& distribution = **std::get_if<Distribution*>(&length.value);
    const bool fits = moved(distribution.low, cycles, length);
    return distribution.kind == Distribution::Kind::uniform ? moved(distribution.high, cycles, length) && fits : fits;
}

std::string text_of(const Length& length) {
    if (auto* const* count = std::get_if<std::int64_t*>(&length.value)) { return format_cycles(**count); }
    if (auto* const* span = std::get_if<Span*>(&length.value)) { return format_span(**span); }
    return format_distribution(**std::get_if<Distribution*>(&length.value));
}

sim::Time cycle_of(const MachineConfig& machine, std::int32_t cpu) {
    const Topology topology(machine);
    constexpr std::int64_t ps_per_second = 1'000'000'000'000;
    return {std::max<std::int64_t>(1, ps_per_second / core_of(machine, topology, cpu).frequency.hz)};
}

std::string_view key_of(const Step& step) {
    if (step.kind == Step::Kind::try_acquire) { return "every"; }
    const auto& verbs = step_verbs();
    return std::find_if(verbs.begin(), verbs.end(), [&](const StepVerb& verb) { return verb.kind == step.kind; })->name;
}

bool has_length(const Step& step) {
    switch (step.kind) {
        case Step::Kind::work:
        case Step::Kind::think:
        case Step::Kind::delay: return true;
        case Step::Kind::try_acquire: return step.times > 1;
        default: return false;
    }
}

void add_steps(std::vector<Step>& program, const std::string& path, sim::Time cycle, std::vector<Length>& lengths) {
    for (std::size_t i = 0; i < program.size(); ++i) {
        Step& step = program[i];
        const std::string here = fmt::format("{}.{}", path, i);
        if (has_length(step)) {
            // What is nothing has no unit of its own: a delay can only be a time.
            const bool only_time = step.kind == Step::Kind::delay || step.kind == Step::Kind::try_acquire;
            if (step.amount == Distribution{} && only_time) { continue; }
            lengths.push_back({fmt::format("{}.{}", here, key_of(step)), &step.amount, cycle});
        }
        add_steps(step.body, here + ".repeat", cycle, lengths);
    }
}

void add_parameters(ParameterValues& values, const std::string& path, sim::Time cycle, std::vector<Length>& lengths) {
    for (auto& [name, value] : values) {
        if (auto* span = std::get_if<Span>(&value)) { lengths.push_back({joined_path(path, name), span, cycle}); }
        if (auto* distribution = std::get_if<Distribution>(&value)) {
            lengths.push_back({joined_path(path, name), distribution, cycle});
        }
    }
}

std::vector<Length> program_lengths(Scenario& scenario) {
    std::vector<Length> lengths;
    sim::Time cycle;
    for (GroupConfig& group : scenario.groups) {
        cycle = cycle_of(scenario.machine, group.cpus.front());
        const std::string path = "groups." + group.name;
        add_steps(group.program, path + ".program", cycle, lengths);
        add_parameters(group.parameters, joined_path(path, group.workload), cycle, lengths);
    }
    for (LockConfig& lock : scenario.locks) {
        add_parameters(lock.parameters, joined_path("locks." + lock.name, lock.type), cycle, lengths);
    }
    return lengths;
}

/// A visitor of field lists that keeps what is, or may be, a number of cycles.
class MachineLengths {
public:
    MachineLengths(std::string path, sim::Time cycle, std::vector<Length>& lengths)
        : path_(std::move(path)), cycle_(cycle), lengths_(lengths) {}

    template <class Member>
    void operator()(const FieldSpec&, Member&) {}
    void operator()(const FieldSpec& spec, Span& span) { add(spec, &span); }
    void operator()(const FieldSpec& spec, std::optional<Span>& span) {
        if (span) { add(spec, &*span); }
    }
    void operator()(const FieldSpec& spec, std::int64_t& value) {
        if (spec.unit == Unit::cycles) { add(spec, &value); }
    }

private:
    template <class Value>
    void add(const FieldSpec& spec, Value* value) {
        lengths_.push_back({joined_path(path_, spec.name), value, cycle_, spec.min});
    }

    std::string path_;
    sim::Time cycle_;
    std::vector<Length>& lengths_;
};

/// Of the paths, and of the clusters and CPUs on which threads run.
std::vector<Length> machine_lengths(Scenario& scenario) {
    std::vector<Length> lengths;
    std::set<std::int32_t> used;
    for (const GroupConfig& group : scenario.groups) { used.insert(group.cpus.begin(), group.cpus.end()); }
    MachineConfig& machine = scenario.machine;
    const auto add = [&](auto& fields, const std::string& path, std::int32_t cpu) {
        MachineLengths visitor(path, cycle_of(machine, cpu), lengths);
        visit_fields(fields, visitor);
    };
    add(machine, "machine", *used.begin());
    std::int32_t first = 0;
    for (auto& [name, cluster] : machine.clusters) {
        const auto cpu = used.lower_bound(first);
        first += cluster.cpus;
        if (cpu != used.end() && *cpu < first) { add(cluster, "machine.clusters." + name, *cpu); }
    }
    for (auto& [cpu, settings] : machine.cpus) {
        if (used.contains(cpu)) { add(settings, fmt::format("machine.cpus.{}", cpu), cpu); }
    }
    return lengths;
}

/// All of them, those of programs first.
std::vector<Length> all_lengths(Scenario& scenario, std::size_t* in_programs = nullptr) {
    std::vector<Length> lengths = program_lengths(scenario);
    if (in_programs != nullptr) { *in_programs = lengths.size(); }
    const auto machine = machine_lengths(scenario);
    lengths.insert(lengths.end(), machine.begin(), machine.end());
    return lengths;
}

// --- the changes ---------------------------------------------------------------------------------------------------

std::vector<CycleChange> changes_of(const Scenario& scenario, std::size_t begin, std::size_t end) {
    std::vector<CycleChange> changes;
    for (std::size_t which = begin; which < end; ++which) {
        for (const int cycles : {1, -1}) {
            Scenario copy = scenario;
            const Length length = all_lengths(copy)[which];
            if (!move(length, cycles)) { continue; }
            changes.push_back({fmt::format("{}={}", length.path, text_of(length)), which, cycles});
        }
    }
    return changes;
}

/// Moves up to `spread_over` elements, evenly spaced, from one list to the end of another.
void take_spread(std::vector<CycleChange>& from, std::vector<CycleChange>& to) {
    const std::size_t taken = std::min(spread_over, from.size());
    std::vector<CycleChange> rest;
    std::size_t next = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const bool is_next = next < taken && i == next * from.size() / taken;
        if (is_next) { ++next; }
        (is_next ? to : rest).push_back(std::move(from[i]));
    }
    from = std::move(rest);
}

Disturbed undisturbed(const Scenario& scenario, const RunOptions& options) { return {scenario, options}; }

std::uint64_t seed_of(const Scenario& scenario, std::string_view what, std::uint64_t n) {
    return sim::RandomStream(scenario.seed, what, n).next();
}

std::set<std::string> groups_of_verdict(const RunResult& run) {
    std::set<std::string> groups;
    for (const auto& name : run.verdict().threads) {
        for (const auto& thread : run.threads) {
            if (thread.name == name) { groups.insert(thread.group); }
        }
    }
    return groups;
}

}  // namespace

Disturbed with_noise(const Scenario& scenario, const RunOptions& options, std::uint64_t n) {
    Disturbed result = undisturbed(scenario, options);
    NoiseConfig& noise = result.scenario.noise;
    noise.work = std::max(noise.work, Share{one_percent});
    noise.latency = std::max(noise.latency, Share{one_percent});
    result.options.noise_seed = seed_of(scenario, "disturbance: noise", n);
    return result;
}

Disturbed with_tie_order(const Scenario& scenario, const RunOptions& options, std::uint64_t n) {
    Disturbed result = undisturbed(scenario, options);
    result.scenario.tie_break = TieBreak::seeded;
    result.options.tie_seed = seed_of(scenario, "disturbance: tie order", n);
    return result;
}

std::vector<CycleChange> cycle_changes(const Scenario& scenario) {
    Scenario copy = scenario;
    std::size_t in_programs = 0;
    const std::size_t all = all_lengths(copy, &in_programs).size();
    std::vector<CycleChange> programs = changes_of(scenario, 0, in_programs);
    std::vector<CycleChange> machine = changes_of(scenario, in_programs, all);
    std::vector<CycleChange> ordered;
    take_spread(programs, ordered);
    take_spread(machine, ordered);
    for (auto* rest : {&programs, &machine}) { ordered.insert(ordered.end(), rest->begin(), rest->end()); }
    return ordered;
}

Scenario changed(const Scenario& scenario, const CycleChange& change) {
    Scenario copy = scenario;
    move(all_lengths(copy)[change.which], change.cycles);
    return copy;
}

bool same_verdict(const RunResult& a, const RunResult& b) {
    return a.verdict().kind == b.verdict().kind && groups_of_verdict(a) == groups_of_verdict(b);
}

}  // namespace model
