// `locksim print-config FILE`: the resolved scenario, as a file that runs the same.

#include "model/scenario/reading/loader.hpp"
#include "tools/locksim/configs.hpp"
#include "tools/locksim/output.hpp"
#include "tools/locksim/user_locks.hpp"
#include "tools/locksim/verbs.hpp"

namespace locksim {

ExitStatus verb_print_config(const Options& options) {
    const auto output = open_output(options.output);
    const model::Catalogue catalogue = load_catalogue(options.locks);
    model::LoadOptions load{
        .configs_dir = configs_dir(), .sets = options.sets, .seed = {}, .duration = {}, .variant = {}};
    if (const auto seeds = asked_seeds(options)) { load.seed = seeds->first; }
    if (!options.duration.empty()) { load.duration = options.duration; }
    if (!options.variant.empty()) { load.variant = options.variant; }
    const std::vector<model::Scenario> variants = model::load_scenario(options.files.front(), catalogue, load);
    output->write(model::print_config(variants.front(), catalogue));
    output->finish();
    return ExitStatus::ok;
}

}  // namespace locksim
