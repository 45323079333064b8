// See runner.hpp.

#include "model/scenario/running/runner.hpp"

#include <chrono>

#include "model/scenario/running/simulation.hpp"

namespace model {

std::optional<RunResult> Simulation::run() {
    const auto begin = std::chrono::steady_clock::now();
    const sim::Ending ending = machine_->run(scenario_.duration);
    if (ending == sim::Ending::given_up) { return std::nullopt; }
    judge_end(ending);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    return results(took.count());
}

std::optional<RunResult> run(const Scenario& scenario, const Catalogue& catalogue, const RunOptions& options) {
    return Simulation(scenario, catalogue, options).run();
}

}  // namespace model
