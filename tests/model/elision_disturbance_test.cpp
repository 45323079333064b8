// Parking a spin changes nothing, whatever happens inside it: every way to wait, every disturbance, at every instant
// where it may matter, with ties by actor and seeded. A failure names the combination.
#include <cstdlib>
#include <string_view>

#include "tests/catch.hpp"
#include "tests/model/spin_stage.hpp"

using namespace model;
using namespace model::test;
namespace {

constexpr Time ns(std::int64_t n) { return nanoseconds(n); }

/// Empty, or what differs. `cut`: the run ends at `when`.
std::string difference(const StageMachine& on, const Spin& spin, const Disturbance* disturbance, Time when,
                       const Ties& ties, bool cut = false) {
    const Time until = cut ? when : on.set_at * 4 + ns(400);
    const auto walk = [&](Walk how) { return see(on, spin, disturbance, when, ties, how, until); };
    const Seen in_pieces = walk(Walk::in_pieces);
    Seen other = walk(Walk::parked);
    const bool parked_differs = other != in_pieces;
    if (!parked_differs) { other = walk(Walk::by_polls); }
    if (other == in_pieces) { return {}; }
    return fmt::format("{}, {} on {} at {} ps, ties {}: {} and walked in pieces differ in {}", spin.name,
                       disturbance == nullptr ? "the end" : disturbance->name, on.name, when.ps,
                       ties.seeded ? fmt::format("seeded, {}", ties.seed) : "by actor",
                       parked_differs ? "parked" : "walked by polls", other.differs_from(in_pieces));
}

/// One of `share` instants and tie orders of each combination, another one in each; 1: all.
void check(const std::vector<Disturbance>& disturbances, std::size_t share) {
    std::size_t n = 0;
    std::size_t looked_at = 0;
    const std::vector<Ties> orders{{}, {true, 1}, {true, 2}};
    for (const StageMachine& on : stage_machines()) {
        for (const Spin& spin : spins()) {
            const std::vector<Time> all = instants(on, spin);
            for (std::size_t d = 0; d < std::max<std::size_t>(disturbances.size(), 1); ++d) {
                const bool cut = disturbances.empty();
                std::string wrong;  // one instant of a combination says enough
                for (const Time when : all) {
                    for (const Ties& ties : orders) {
                        if (n++ % share != 0 || !wrong.empty()) { continue; }
                        wrong = difference(on, spin, cut ? nullptr : &disturbances[d], when, ties, cut);
                        ++looked_at;
                    }
                }
                if (!wrong.empty()) { FAIL_CHECK(wrong); }
            }
        }
    }
    CHECK(looked_at >= stage_machines().size() * spins().size() * disturbances.size());
}

constexpr std::size_t some = 47;  // a prime, so that each combination has other instants

const StageMachine& stage_machine(std::string_view name) {
    for (const StageMachine& each : stage_machines()) {
        if (name == each.name) { return each; }
    }
    std::abort();
}
const Spin& spin_named(std::string_view name) {
    for (const Spin& each : spins()) {
        if (name == each.name) { return each; }
    }
    std::abort();
}
const Disturbance& named(const std::vector<Disturbance>& list, std::string_view name) {
    for (const Disturbance& each : list) {
        if (name == each.name) { return each; }
    }
    std::abort();
}

}  // namespace

// Each way to wait on each machine, with each disturbance at some of its instants; slow tests have more of them.
TEST_CASE("an interrupt inside a parked wait changes nothing by its being parked", "[determinism]") {
    check(interrupts, some);
}
TEST_CASE("a change of the clock inside a parked wait changes nothing by its being parked", "[determinism]") {
    check(frequencies, some);
}
TEST_CASE("another CPU's access inside a parked wait changes nothing by its being parked", "[determinism]") {
    check(accesses, some);
}
TEST_CASE("a standstill inside a parked wait changes nothing by its being parked", "[determinism]") {
    check(stalls, some);
}
TEST_CASE("a kill inside a parked wait changes nothing by its being parked", "[determinism]") { check(kills, some); }
TEST_CASE("a run that ends inside a parked wait has seen the same, parked or not", "[determinism]") { check({}, some); }
// One instant in seven; with LOCKSIM_WHOLE_SWEEP in the environment each of them, which takes ten minutes.
TEST_CASE("nothing inside a parked wait changes anything by its being parked, at many instants",
          "[determinism][slow]") {
    const auto* disturbances = GENERATE(&interrupts, &frequencies, &accesses, &stalls, &kills);
    check(*disturbances, std::getenv("LOCKSIM_WHOLE_SWEEP") != nullptr ? 1 : 7);
}
TEST_CASE("a run that ends at any instant of a wait has seen the same, parked or not", "[determinism][slow]") {
    check({}, 1);
}
TEST_CASE("a poll that began within the picosecond of an interrupt is counted", "[determinism]") {
    // Symptom: with seeded ties and a period that is no whole number of picoseconds, a poll fewer than walked.
    CHECK(difference(stage_machine("odd"), spin_named("smp_cond_load_acquire"), &named(kills, "the waiter is killed"),
                     picoseconds(113'971), {true, 2}) == "");
}

TEST_CASE("a poll that is due as one interrupt ends and the next begins has not begun", "[determinism]") {
    // Symptom: the poll was counted, and the wait ended a period late, because the handler comes after the thread in
    // the order of the instant.
    CHECK(difference(stage_machine("ideal"), spin_named("smp_cond_load_acquire"),
                     &named(interrupts, "two handlers at once"), ns(20), {}) == "");
}

TEST_CASE("a change of the clock that an interrupt has put off meets a spinner that has not gone on yet",
          "[determinism]") {
    // Symptom: the same as with two interrupts; the wait ended 2 to 8 ns late or early.
    CHECK(difference(stage_machine("ideal"), spin_named("a wait in a handler and in the thread that it interrupts"),
                     &named(frequencies, "the waiter's clock slows down"), picoseconds(1'001), {}) == "");
}

TEST_CASE("two changes of the clock at one instant shortly after the run's begin leave a spin its phase",
          "[determinism]") {
    // Symptom: a period longer than the time so far made the begin of the last poll a time before zero.
    CHECK(difference(stage_machine("ideal"), spin_named("a wait of a CPU that owns the line"),
                     &named(frequencies, "the waiter's clock changes twice at one instant"), picoseconds(200),
                     {}) == "");
}

TEST_CASE("a change of the clock within the picosecond in which a piece of a poll ended keeps the fraction",
          "[determinism]") {
    // Symptom: with seeded ties the rest of the period was a fraction of a picosecond early, from then on.
    CHECK(difference(stage_machine("odd"), spin_named("smp_cond_load_acquire"),
                     &named(frequencies, "the waiter's clock speeds up"), picoseconds(104'128), {true, 1}) == "");
}

TEST_CASE("a standstill right after a handler does not make a spinner forget that it must look again",
          "[determinism]") {
    // Symptom: the handler stored what its thread waited for while the thread's data was on its way; the thread judged
    // the old data and parked for ever.
    CHECK(difference(stage_machine("round"), spin_named("smp_cond_load_bounded that sees the store"),
                     &named(stalls, "a standstill that follows a handler that stores what is waited for"),
                     picoseconds(99'999), {}) == "");
}

TEST_CASE("what a handler has stored becomes visible in a standstill, and the thread that fetched before looks again",
          "[determinism]") {
    // Symptom: the data that came before the buffered store was judged after the standstill, and the thread parked for
    // ever: of its own core's commit nobody told it.
    CHECK(difference(stage_machine("buffered"),
                     spin_named("a wait with an own store on its way beside the word, line asked for before"),
                     &named(stalls, "a standstill that follows a handler that stores what is waited for"),
                     picoseconds(99'999), {true, 2}) == "");
}
