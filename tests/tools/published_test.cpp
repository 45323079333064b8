// Does it follow measurements? The real sets, by the code of `locksim validate`, on the few points of --quick: fitted
// curves must be as near as they were made, and every curve as near as it is known to be (`band` in
// configs/published/tolerances.csv: neither a success nor a limit of `validate`; it notices change).

#include <algorithm>
#include <cmath>

#include "locks/catalogue.hpp"
#include "tests/catch.hpp"
#include "tools/locksim/validating/sets.hpp"

using namespace locksim;

namespace {

const std::string configs = std::string(LOCKSIM_SOURCE_DIR) + "/configs";

Validation quick(const std::string& name) {
    std::vector<PreparedSet> sets =
        prepare_sets({name}, locks::catalogue(), {.configs = configs, .sets = {}, .quick = true});
    REQUIRE(sets.size() == 1);
    PreparedSet& set = sets.front();
    set.finish(set.validation, run_pool(set.jobs, 2, [](const PoolState&) { return true; }));
    return std::move(set.validation);
}

}  // namespace

TEST_CASE("Published curves come out as near as they are known to", "[published]") {
    const std::string name = GENERATE(as<std::string>(), "lockhammer-x86-2", "sosp13-fig4-xeon", "sosp13-fig4-opteron",
                                      "sosp13-fig5-xeon", "sosp13-fig5-opteron");
    const Validation found = quick(name);
    std::vector<Tolerance> bands;
    for (const Tolerance& tolerance : read_tolerances(configs)) {
        if (tolerance.criterion == band_criterion && tolerance.applies_to(name)) { bands.push_back(tolerance); }
    }
    for (const Curve& curve : found.curves) {
        const std::string key = curve.workload.empty() ? curve.lock : curve.lock + "/" + curve.workload;
        INFO(name << ", " << key << ": off " << curve.worst.value_or(0) << " times");
        const auto band =
            std::find_if(bands.begin(), bands.end(), [&key](const Tolerance& each) { return each.of == key; });
        REQUIRE(band != bands.end());
        REQUIRE(curve.worst);
        CHECK(*curve.worst <= band->limit);
        // A band that is far too wide notices nothing.
        CHECK((*curve.worst - 1) * 3 + 0.15 >= band->limit - 1);
    }
    CHECK(bands.size() == found.curves.size());
}
