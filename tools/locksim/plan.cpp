#include "tools/locksim/plan.hpp"

#include <optional>

#include "model/scenario/reading/loader.hpp"
#include "model/scenario/reading/print_config.hpp"
#include "tools/locksim/configs.hpp"

namespace locksim {

namespace {

std::optional<std::string> if_given(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

FilePlan plan_file(const std::string& file, const model::Catalogue& catalogue, const Options& options) {
    const std::optional<SeedRange> seeds = asked_seeds(options);
    model::LoadOptions load{.configs_dir = configs_dir(),
                            .sets = options.sets,
                            .seed = {},
                            .duration = if_given(options.duration),
                            .variant = if_given(options.variant)};
    if (seeds) { load.seed = seeds->first; }
    FilePlan plan{model::load_scenario(file, catalogue, load), {}};
    const std::uint64_t own_seed = plan.variants.front().seed;
    plan.seeds = seeds.value_or(SeedRange{own_seed, own_seed});
    return plan;
}

model::Scenario with_seed(const model::Scenario& scenario, std::uint64_t seed) {
    model::Scenario seeded = scenario;
    if (seed == scenario.seed) { return seeded; }
    seeded.seed = seed;
    seeded.config_digest = model::config_digest_of(seeded);
    return seeded;
}

std::int64_t runs_per_variant(const FilePlan& plan, const PhaseRange& phases) {
    return static_cast<std::int64_t>(plan.seeds.last - plan.seeds.first + 1) * (phases.last - phases.first + 1);
}

std::size_t count_runs(const FilePlan& plan, const PhaseRange& phases) {
    return plan.variants.size() * static_cast<std::size_t>(runs_per_variant(plan, phases));
}

PlannedRun planned_run(const FilePlan& plan, const PhaseRange& phases, std::size_t number) {
    const auto per_variant = static_cast<std::size_t>(runs_per_variant(plan, phases));
    const auto per_seed = static_cast<std::size_t>(phases.last - phases.first) + 1;
    return {.variant = &plan.variants.at(number / per_variant),
            .seed = plan.seeds.first + number % per_variant / per_seed,
            .phase = phases.first + static_cast<std::int32_t>(number % per_seed)};
}

}  // namespace locksim
