// See peers.hpp.

#include "tools/bench/peers.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "sim/failure.hpp"
#include "tools/bench/load.hpp"

namespace bench {

namespace {

Budget at_least(double must, double aim) { return {Budget::Judged::ratio, must, aim, true}; }

/// Ours against one of theirs. What no budget is asked of is there to be seen.
struct Comparison {
    const char* program;
    const char* how;
    const char* against;
    std::int32_t cpus;
    bool spin_elision;
    bool shows_acquisitions = true, shows_accesses = false;
    std::optional<Budget> acquisitions = std::nullopt, accesses = std::nullopt;
};

void compare_with_simgrid(std::vector<Comparison>& all) {
    const Comparison sleep{"locksim-peer-simgrid", "sleep", "simgrid", 8, true};
    all.push_back(sleep);
    all.back().acquisitions = at_least(10, 16);
    all.push_back(sleep);
    all.back().spin_elision = false;
    all.push_back({sleep.program, "execute", "simgrid_execute", sleep.cpus, true});
    all.push_back({sleep.program, "bare", "simgrid_bare", sleep.cpus, true});
}

void compare_with_systemc(std::int32_t cpus, std::vector<Comparison>& all) {
    const auto add = [&](const char* how, const char* against, bool spin_elision) -> Comparison& {
        all.push_back({"locksim-peer-systemc", how, against, cpus, spin_elision});
        return all.back();
    };
    // With elision off an access is a poll on both sides; with elision on an acquisition stands for its polls.
    for (const auto& [how, against] :
         {std::pair{"poll", "systemc"}, {"in_phase", "systemc_in_phase"}, {"clock", "systemc_clock"}}) {
        const bool judged = how == std::string("poll");
        Comparison& polling = add(how, against, false);
        polling.shows_accesses = true;
        polling.shows_acquisitions = judged;
        if (judged) { polling.accesses = at_least(1, 2); }
        Comparison& elided = add(how, against, true);
        elided.shows_accesses = judged;
        if (judged) { elided.acquisitions = at_least(5, 10); }
    }
}

std::vector<Comparison> comparisons() {
    std::vector<Comparison> all;
    compare_with_simgrid(all);
    for (const std::int32_t cpus : {8, 64}) { compare_with_systemc(cpus, all); }
    return all;
}

std::filesystem::path beside_this_program(const char* program) {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / program;
}

struct Ns {
    double acquisition = 0, access = 0;
};

Ns sample_theirs(const Comparison& comparison, double sample_ns) {
    const std::string command =
        fmt::format("'{}' {} {} {} 2>/dev/null", beside_this_program(comparison.program).string(), comparison.cpus,
                    sample_ns / 1e9, comparison.how);
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) { throw sim::InternalError("cannot start " + command); }
    unsigned long long acquisitions = 0, accesses = 0;
    double ns = 0;
    const int read = std::fscanf(pipe, "%llu %llu %lf", &acquisitions, &accesses, &ns);
    if (pclose(pipe) != 0 || read != 3 || acquisitions == 0) { throw sim::InternalError("no sample from " + command); }
    return {ns / static_cast<double>(acquisitions), ns / static_cast<double>(std::max(accesses, 1ull))};
}

/// A machine of its own each time: one that rests for ten seconds, while a busy host runs the peer, counts as hung.
Ns sample_ours(const Load::Plan& plan, const Effort& effort, Load::Counts& total) {
    Load load(plan, effort);
    Load::Counts counts;
    const double ns = load.slice(counts);
    total.add(counts, {});
    return {ns / static_cast<double>(counts.units), ns / static_cast<double>(counts.accesses)};
}

Row row_of(const std::vector<Ns>& ours, const std::vector<Ns>& theirs, double Ns::*unit) {
    std::vector<double> our_ns, their_ns, ratios;
    for (std::size_t n = 0; n < ours.size(); ++n) {
        our_ns.push_back(ours[n].*unit);
        their_ns.push_back(theirs[n].*unit);
        ratios.push_back(their_ns.back() / our_ns.back());
    }
    Row row;
    row.ns = least(our_ns);
    row.theirs_ns = least(their_ns);
    row.ratio = *row.theirs_ns / *row.ns;
    row.median_ratio = median(ratios);
    return row;
}

void measure(const Comparison& comparison, const PeersRequest& request, std::vector<Row>& rows) {
    const char* polling = comparison.spin_elision ? "" : "_polling";
    const std::string acquire = fmt::format("acquire{}_vs_{}", polling, comparison.against);
    const std::string access = fmt::format("access{}_vs_{}", polling, comparison.against);
    const auto wanted = [&](const std::string& name) { return name.find(request.filter) != std::string::npos; };
    const bool wants_acquire = comparison.shows_acquisitions && wanted(acquire);
    const bool wants_access = comparison.shows_accesses && wanted(access);
    if (!wants_acquire && !wants_access) { return; }

    const Load::Plan plan{.machine = server(comparison.cpus),
                          .spin_elision = comparison.spin_elision,
                          .groups = {{acquire_forever, comparison.cpus}}};
    Load::Counts counts;
    std::vector<Ns> ours, theirs;
    for (int n = 0; n < request.effort.repeats; ++n) {
        ours.push_back(sample_ours(plan, request.effort, counts));
        theirs.push_back(sample_theirs(comparison, request.effort.sample_ns));
    }
    const auto add = [&](const std::string& name, double Ns::*unit, std::uint64_t units,
                         const std::optional<Budget>& budget) {
        Row row = row_of(ours, theirs, unit);
        row.name = name;
        row.cpus = comparison.cpus;
        row.against = comparison.against;
        const auto per_unit = [units](std::uint64_t n) { return static_cast<double>(n) / static_cast<double>(units); };
        row.switches = per_unit(counts.switches);
        row.events = per_unit(counts.events);
        row.steps = per_unit(counts.steps);
        row.accesses = per_unit(counts.accesses);
        row.budget = budget;
        rows.push_back(row);
    };
    if (wants_acquire) { add(acquire, &Ns::acquisition, counts.units, comparison.acquisitions); }
    if (wants_access) { add(access, &Ns::access, counts.accesses, comparison.accesses); }
}

}  // namespace

PeersResult compare_with_peers(const PeersRequest& request) {
    PeersResult result;
    for (const Comparison& comparison : comparisons()) {
        if (access(beside_this_program(comparison.program).c_str(), X_OK) == 0) {
            measure(comparison, request, result.rows);
        } else if (std::find(result.missing.begin(), result.missing.end(), comparison.program) ==
                   result.missing.end()) {
            result.missing.emplace_back(comparison.program);
        }
    }
    return result;
}

}  // namespace bench
