#pragma once
// What a command line wants of a scenario file: its variants, each with every seed and start phase.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/scenario/catalogue.hpp"
#include "model/scenario/scenario.hpp"
#include "tools/locksim/options.hpp"

namespace locksim {

struct FilePlan {
    std::vector<model::Scenario> variants;
    SeedRange seeds;
};

/// Loads the file with --set, --seed, --duration, --variant. Throws InputError and model::ConfigError.
FilePlan plan_file(const std::string& file, const model::Catalogue& catalogue, const Options& options);

/// As if it had been loaded with this seed.
model::Scenario with_seed(const model::Scenario& scenario, std::uint64_t seed);

std::int64_t runs_per_variant(const FilePlan& plan, const PhaseRange& phases);

/// One of the runs, in the order variant, seed, phase; numbered from 0.
struct PlannedRun {
    const model::Scenario* variant = nullptr;
    std::uint64_t seed = 0;
    std::int32_t phase = 1;
};
std::size_t count_runs(const FilePlan& plan, const PhaseRange& phases);
PlannedRun planned_run(const FilePlan& plan, const PhaseRange& phases, std::size_t number);

}  // namespace locksim
