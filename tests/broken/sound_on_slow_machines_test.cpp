// Sound, and slow for what the machine does: interrupts, standstills, throttled clocks, LL/SC, WFE, long queues. None
// may get a verdict, parked or walked.
#include "tests/broken/broken_locks.hpp"
#include "tests/locks/scenarios.hpp"

using namespace model;
using namespace model::test;

namespace {

void stays_ok(Scenario s) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        for (const bool parked : {true, false}) {
            s.seed = seed;
            s.spin_elision = parked;
            const RunResult r = run_of(s, broken::catalogue());
            INFO((parked ? "parked, " : "walked, ") << story(r));
            CHECK(r.verdict().kind == VerdictKind::ok);
            CHECK(r.verdicts.size() == 1);
        }
    }
}

const Distribution short_time = constant(nanoseconds(100));

Scenario fifo(std::int32_t threads, Distribution hold, Distribution outside, Time duration,
              const std::string& type = "ticket") {
    return scenario(round_machine(std::max(threads, 2)), type, threads, section(hold, outside), duration,
                    broken::catalogue());
}
Scenario ticking(Time period, Time length, std::int32_t threads, std::vector<Step> program, Time duration) {
    Scenario s = fifo(threads, {}, {}, duration, GENERATE(as<std::string>(), "ticket", "mcs"));
    s.groups[0].program = std::move(program);
    s.machine.tick = {.period = period, .length = length, .skew = nanoseconds(300)};
    return s;
}
GroupConfig handler(std::string name, InterruptKind kind, std::vector<std::int32_t> on, std::vector<Step> program) {
    GroupConfig g = group(std::move(name), std::move(on), std::move(program));
    g.interrupt = kind;
    return g;
}
Step irq(const char* state) { return step(Step::Kind::irq, state); }
std::vector<Step> masked_section(Distribution held, Distribution outside) {
    return {irq("off"), acquire(), work(held), release(), irq("on"), think(outside)};
}
std::vector<Step> labelled_section(Distribution held, Distribution outside) {
    std::vector<Step> body = section(held, outside);
    body[1].label = "inside";
    return body;
}
std::string fair() { return GENERATE(as<std::string>(), "ticket", "mcs"); }

}  // namespace

// --- interrupts -------------------------------------------------------------------------------------------------

TEST_CASE("ticks that take nearly half of every CPU are sound", "[broken]") {
    stays_ok(ticking(microseconds(100), microseconds(45), 4, section(short_time, short_time), milliseconds(8)));
}

TEST_CASE("a handler that runs for milliseconds while its thread holds the lock is sound", "[broken]") {
    Scenario s = ticking(milliseconds(5), microseconds(1), 3, section(short_time, short_time), milliseconds(24));
    s.groups.push_back(handler("softirq", InterruptKind::tick, {0}, {work(constant(milliseconds(2)))}));
    stays_ok(s);
}

TEST_CASE("handlers that take the lock with long waits, where threads mask interrupts, are sound", "[broken]") {
    Scenario s = ticking(microseconds(400), microseconds(1), 4, masked_section(constant(microseconds(30)), short_time),
                         milliseconds(10));
    s.groups.push_back(
        handler("softirq", InterruptKind::tick, cpus(0, 4), section(constant(microseconds(20)), Distribution{})));
    stays_ok(s);
}

TEST_CASE("a section with interrupts off that outlasts many ticks is sound", "[broken]") {
    stays_ok(ticking(microseconds(50), microseconds(2), 4, masked_section(constant(milliseconds(1)), short_time),
                     milliseconds(20)));
}

TEST_CASE("IPIs to everybody from everybody are sound", "[broken]") {
    Scenario s = fifo(4, short_time, short_time, milliseconds(4), fair());
    s.machine.ipi.latency = microseconds(1);
    Step call = step(Step::Kind::ipi, "shootdown");
    call.value = -1;
    s.groups[0].program.push_back(call);
    s.groups.push_back(handler("shootdown", InterruptKind::ipi, cpus(0, 4), {work(constant(nanoseconds(700)))}));
    stays_ok(s);
}

TEST_CASE("a handler that tries in vain for long is sound", "[broken]") {
    Scenario s =
        ticking(milliseconds(2), microseconds(1), 2, section(constant(milliseconds(1)), short_time), milliseconds(12));
    s.groups.push_back(handler("poller", InterruptKind::tick, {1},
                               {try_acquire(50, constant(microseconds(10))), work(short_time), release()}));
    stays_ok(s);
}

// --- standstills and clocks -------------------------------------------------------------------------------------

// Symptom of the three: a livelock, "CPUs execute but no thread gets on", though the CPU did not execute at all.
TEST_CASE("a holder whose CPU stands still for a third of the run is sound", "[broken]") {
    Scenario s = fifo(4, short_time, short_time, milliseconds(30), fair());
    s.groups[0].program = labelled_section(short_time, short_time);
    s.events = {{.on = "inside", .nth = 500, .stall = milliseconds(10)}};
    stays_ok(s);
}

TEST_CASE("a waiter whose CPU stands still keeps those behind it waiting, and is sound", "[broken]") {
    Scenario s = fifo(4, constant(microseconds(5)), short_time, milliseconds(30), fair());
    s.events = {{.at = milliseconds(3), .cpu = 2, .stall = milliseconds(10)}};
    stays_ok(s);
}

TEST_CASE("all CPUs that stand still at once are sound", "[broken]") {
    Scenario s = fifo(3, short_time, short_time, milliseconds(30), fair());
    for (std::int32_t cpu = 0; cpu < 3; ++cpu) {
        s.events.push_back({.at = milliseconds(4), .cpu = cpu, .stall = milliseconds(12)});
    }
    stays_ok(s);
}

TEST_CASE("a holder that is throttled in the middle of a long section is sound", "[broken]") {
    // Symptom: a livelock, because the step's length was taken from the clock at its begin.
    Scenario s = fifo(3, constant(cycles(900'000)), short_time, milliseconds(40), fair());
    for (std::int32_t cpu = 0; cpu < 3; ++cpu) {
        s.events.push_back({.at = milliseconds(3), .cpu = cpu, .frequency = mhz(40)});
    }
    stays_ok(s);
}

TEST_CASE("a clock that goes up and down all the time is sound", "[broken]") {
    Scenario s = fifo(4, constant(cycles(400)), constant(cycles(300)), milliseconds(8), fair());
    for (std::int64_t n = 1; n < 70; ++n) {
        s.events.push_back({.at = microseconds(100 * n),
                            .cpu = static_cast<std::int32_t>(n % 4),
                            .frequency = mhz(n % 3 == 0 ? 50 : 2'000)});
    }
    stays_ok(s);
}

TEST_CASE("a thread that is killed with nothing in its hands leaves the rest sound", "[broken]") {
    Scenario s = fifo(4, short_time, constant(milliseconds(1)), milliseconds(12), fair());
    s.noise.start_phase = constant(Time{});
    s.events = {{.at = microseconds(500), .thread = "group.3", .kill = true}};
    stays_ok(s);
}

// --- waiting by WFE, LL/SC, slow locks, long queues -------------------------------------------------------------

TEST_CASE("waits by WFE without an event stream are sound", "[broken]") {
    Scenario s = fifo(6, constant(microseconds(3)), short_time, milliseconds(6), fair());
    s.machine.waiting = Waiting::wfe;
    stays_ok(s);
}

TEST_CASE("waits that mostly sleep until the event stream are sound", "[broken]") {
    Scenario s = scenario(round_machine(4), "ticket", 4, {}, milliseconds(6), broken::catalogue());
    s.machine.cpu_relax = CpuRelax::wfe_after;
    s.machine.cpu_relax_threshold = 3;
    s.machine.event_stream = microseconds(100);
    s.groups[0].program = section(short_time, short_time);
    s.groups[0].program.push_back(step(Step::Kind::relax, "cpu_relax"));
    stays_ok(s);
}

TEST_CASE("fair locks made of LL/SC on clocks a factor three apart are sound at moderate load", "[broken]") {
    Scenario s = fifo(4, exponential(nanoseconds(200)), exponential(microseconds(3)), milliseconds(10),
                      GENERATE(as<std::string>(), "ticket", "mcs", "clh", "ticket-llsc"));
    s.machine.rmw_by = RmwBy::llsc;
    s.machine.reservation_granule = 128;
    s.machine.cpus[0].frequency = mhz(330);
    s.machine.tick = {.period = milliseconds(1), .length = microseconds(2), .skew = microseconds(70)};
    stays_ok(s);
}

TEST_CASE("a counter by LL/SC that fails often is sound", "[broken]") {
    Scenario s = fifo(6, short_time, short_time, milliseconds(4));
    s.machine.rmw_by = RmwBy::llsc;
    s.groups = {workload("group", cpus(0, 6), "atomic-counter", locks::catalogue())};
    s.groups[0].parameters["outside"] = exponential(nanoseconds(400));
    stays_ok(s);
}

TEST_CASE("a lock whose release takes long is sound", "[broken]") {
    stays_ok(fifo(4, short_time, short_time, milliseconds(20), "slow-release"));
}

TEST_CASE("sixty little and big CPUs in one queue are sound", "[broken]") {
    Scenario s = scenario(clustered_machine(2, 30), fair(), 60, section(constant(cycles(2'000)), constant(cycles(50))),
                          microseconds(800), broken::catalogue());
    s.machine.clusters[0].second.core.frequency = mhz(200);
    s.machine.distances[0].second.transfer = s.machine.distances[1].second.transfer = nanoseconds(400);
    stays_ok(s);
}
