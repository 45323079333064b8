// The machine a53-a73 against what its transfers were taken from: a compare-and-swap that two CPUs hand to and fro,
// each spinning until it succeeds (W. Tarreau's atomic-tests). By LL/SC that is two transactions: the line is read,
// then taken. A fit, within 5 %, as configs/published/tolerances.csv allows for fits.
#include "model/scenario/reading/loader.hpp"
#include "model/scenario/reading/machine_reader.hpp"
#include "tests/catch.hpp"
#include "tests/model/machines.hpp"

using namespace model;
using namespace model::test;
using namespace smp;

namespace {

double hand_over_ns(const MachineConfig& machine, std::int32_t a, std::int32_t b) {
    constexpr std::uint64_t rounds = 2'000;
    Cpus cpus(machine);
    auto& word = cpus.word();
    const auto player = [&](std::uint64_t first) {
        return [&word, first](Context&) {
            for (std::uint64_t n = first; n < 2 * rounds; n += 2) {
                while (!try_cmpxchg(word, n, n + 1)) {}
            }
        };
    };
    cpus.add(a, player(0));
    cpus.add(b, player(1));
    cpus.run();
    return sim::to_nanoseconds(cpus.now()) / static_cast<double>(2 * rounds);
}

}  // namespace

TEST_CASE("a53-a73 hands a compare-and-swap over in the time that was measured", "[published]") {
    const MachineConfig machine = load_machine("a53-a73", std::string(LOCKSIM_SOURCE_DIR) + "/configs");
    CHECK(hand_over_ns(machine, 0, 1) == Catch::Approx(23).epsilon(0.05));
    CHECK(hand_over_ns(machine, 2, 3) == Catch::Approx(28).epsilon(0.05));
    CHECK(hand_over_ns(machine, 0, 2) == Catch::Approx(223).epsilon(0.05));
}
