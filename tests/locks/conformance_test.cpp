// Is it a lock? Every row of the catalogue, on several machines: exclusion, progress, the fairness it claims, try_lock,
// and nothing left behind.
#include <algorithm>

#include "model/scenario/running/simulation.hpp"
#include "tests/locks/scenarios.hpp"

using namespace model;
using namespace model::test;

namespace {

struct NamedMachine {
    const char* name;
    MachineConfig config;
};

/// Machines of 32 CPUs that differ in what locks are sensitive to.
std::vector<NamedMachine> machines() {
    std::vector<NamedMachine> all{
        {"round", round_machine(32)}, {"ideal", ideal_machine(32)}, {"clustered", clustered_machine(4, 8)}};
    all.push_back({"drawn, by domain, failing cas shared", clustered_machine(4, 8)});
    all.back().config.arbitration = Arbitration::drawn;
    all.back().config.retention = nanoseconds(6);
    all.back().config.discipline = Discipline::by_domain;
    all.back().config.cas_failure = CasFailure::shared;
    all.push_back({"nearest first, slow and fast CPUs", clustered_machine(2, 16)});
    all.back().config.discipline = Discipline::nearest_first;
    all.back().config.clusters[0].second.core.frequency = mhz(300);
    all.push_back({"random service, far atomics", round_machine(32)});
    all.back().config.discipline = Discipline::random;
    all.back().config.atomics = Atomics::far;
    return all;
}

/// A simulation that outlives its run, for what only the lock itself knows.
class Finished {
public:
    explicit Finished(const Scenario& s) : simulation_(s, locks::catalogue(), {}), result(simulation_.run().value()) {}
    const ExclusiveLock& lock() { return *simulation_.lock("lock").algorithm; }

private:
    Simulation simulation_;

public:
    RunResult result;
};

}  // namespace

TEST_CASE("a lock excludes, with 1 to 32 threads, and one that claims FIFO serves them all", "[conformance]") {
    for (const LockEntry* row : locks::catalogue().locks) {
        const std::string type(row->traits.name);
        for (const NamedMachine& machine : machines()) {
            for (const std::int32_t threads : {1, 2, 3, 8, 32}) {
                INFO(type << " on " << machine.name << " with " << threads << " threads");
                const RunResult r =
                    run_of(counter_scenario(machine.config, type, threads, uniform(nanoseconds(0), nanoseconds(60)),
                                            uniform(nanoseconds(0), nanoseconds(400)), microseconds(400)));
                INFO(story(r));
                REQUIRE(r.verdict().kind == VerdictKind::ok);
                REQUIRE(r.locks[0].acquisitions > 0);
                if (row->traits.fairness == Fairness::none) { continue; }  // may starve: no claim
                for (const ThreadResult& t : r.threads) { REQUIRE(t.operations > 0); }
            }
        }
    }
}

TEST_CASE("every thread gets on where a lock is free half of the time", "[conformance]") {
    const std::string type = GENERATE(from_range(lock_types()));
    for (const NamedMachine& machine : machines()) {
        INFO(type << " on " << machine.name);
        const RunResult r = run_of(counter_scenario(machine.config, type, 16, exponential(nanoseconds(100)),
                                                    exponential(microseconds(20)), milliseconds(1)));
        REQUIRE(r.verdict().kind == VerdictKind::ok);
        for (const ThreadResult& t : r.threads) { REQUIRE(t.operations > 10); }
    }
}

TEST_CASE("a lock that claims FIFO lets nobody be overtaken by more than the others that there are", "[conformance]") {
    for (const LockEntry* row : locks::catalogue().locks) {
        if (row->traits.fairness != Fairness::fifo) { continue; }  // none: no claim
        const std::string type(row->traits.name);
        for (const NamedMachine& machine : machines()) {
            if (machine.config.discipline != Discipline::fifo) { continue; }  // there the lock word itself is not fair
            for (const std::int32_t threads : {2, 5, 32}) {
                INFO(type << " on " << machine.name << " with " << threads << " threads");
                Scenario s = counter_scenario(machine.config, type, threads, constant(nanoseconds(50)),
                                              constant(nanoseconds(20)), microseconds(500));
                s.warmup = microseconds(100);  // threads start one after the other
                const RunResult r = run_of(s);
                // Order is by arrival at the lock word, but a wait begins with the call. Where a request takes time to
                // travel, each of the others may come once more before it is there.
                const auto others = static_cast<std::uint64_t>(threads - 1);
                const bool at_once = machine.config.preset == "ideal";
                REQUIRE(r.locks[0].longest_bypass <= (at_once ? others : 2 * others));
                std::uint64_t least = ~std::uint64_t{0};
                std::uint64_t most = 0;
                for (const ThreadResult& t : r.threads) {
                    least = std::min(least, t.acquisitions);
                    most = std::max(most, t.acquisitions);
                }
                REQUIRE(most - least <= 1);  // saturated, equal CPUs
            }
        }
    }
}

TEST_CASE("a finite program leaves nothing queued in the lock", "[conformance]") {
    const std::string type = GENERATE(from_range(lock_types()));
    for (const NamedMachine& machine : machines()) {
        for (const std::int32_t threads : {1, 2, 8, 32}) {
            INFO(type << " on " << machine.name << " with " << threads << " threads");
            Scenario s = counter_scenario(machine.config, type, threads, constant(nanoseconds(20)),
                                          constant(nanoseconds(30)), milliseconds(5));
            s.groups[0].iterations = 20;
            Finished run(s);
            REQUIRE(run.result.verdict().kind <= VerdictKind::starvation);  // an unfair lock may make its users wait
            REQUIRE(run.result.locks[0].acquisitions == static_cast<std::uint64_t>(20 * threads));
            for (const ThreadResult& t : run.result.threads) { REQUIRE(t.finished); }
            REQUIRE(run.lock().quiescent());
        }
    }
}

TEST_CASE("a try fails while the lock is held, succeeds while it is free, and leaves nothing", "[conformance]") {
    for (const LockEntry* row : locks::catalogue().locks) {
        if (!row->has_try_lock) { continue; }
        INFO(row->traits.name);
        // The holder has it from 0 to 10 us. The other tries at 2 us, in vain, and at 20 us, with success.
        Scenario s = scenario(round_machine(), std::string(row->traits.name), 1,
                              {acquire(), work(constant(microseconds(10))), release()}, milliseconds(1));
        s.groups[0].iterations = 1;
        s.groups.push_back(
            group("trier", {1},
                  {think(constant(microseconds(2))), try_acquire(1, {}), work(constant(microseconds(1))), release(),
                   think(constant(microseconds(18))), try_acquire(1, {}), work(constant(microseconds(1))), release()},
                  1));
        s.noise.start_phase = constant(Time{});
        Finished run(s);
        REQUIRE(run.result.verdict().kind == VerdictKind::ok);
        CHECK(run.result.locks[0].failed_tries == 1);
        CHECK(run.result.locks[0].acquisitions == 2);
        CHECK(run.lock().quiescent());
    }
}

TEST_CASE("tries and waits may be mixed", "[conformance]") {
    for (const LockEntry* row : locks::catalogue().locks) {
        if (!row->has_try_lock) { continue; }
        for (const NamedMachine& machine : machines()) {
            INFO(row->traits.name << " on " << machine.name);
            Scenario s = counter_scenario(machine.config, std::string(row->traits.name), 4, constant(nanoseconds(40)),
                                          constant(nanoseconds(40)), milliseconds(5));
            s.groups[0].iterations = 100;
            s.groups.push_back(group("triers", cpus(4, 4),
                                     {try_acquire(2, constant(nanoseconds(90))), work(constant(nanoseconds(10))),
                                      release(), think(constant(nanoseconds(55)))},
                                     200));
            Finished run(s);
            INFO(story(run.result));
            REQUIRE(run.result.verdict().kind == VerdictKind::ok);
            REQUIRE(run.result.locks[0].failed_tries > 0);
            REQUIRE(run.lock().quiescent());
        }
    }
}

TEST_CASE("what a row says of its lock's size is what it takes in memory", "[conformance]") {
    for (const LockEntry* row : locks::catalogue().locks) {
        INFO(row->traits.name);
        CHECK(row->summary.size() > 10);
        std::string stem(row->traits.name);
        std::replace(stem.begin(), stem.end(), '-', '_');
        CHECK(row->file == fmt::format("locks/{}.hpp", stem));
        Arena arena(64);
        const auto lock = row->make(arena, "lock", defaults(row->parameters));
        REQUIRE(arena.slots().size() == 1);
        CHECK(arena.slots()[0].bytes == row->traits.lock_bytes);
        lock->make_context(arena, "node");
        if (row->traits.context_bytes == 0) {
            CHECK(arena.slots().size() == 1);
        } else {
            REQUIRE(arena.slots().size() == 2);
            const std::size_t contexts = row->traits.context_per_cpu ? smp::max_cpus : 1;
            CHECK(arena.slots()[1].bytes == contexts * row->traits.context_bytes);
        }
        CHECK(lock->quiescent());
    }
}

TEST_CASE("names in the catalogue are unique and found", "[conformance]") {
    const Catalogue& rows = locks::catalogue();
    for (const LockEntry* row : rows.locks) { CHECK(rows.find_lock(row->traits.name) == row); }
    for (const WorkloadEntry* row : rows.workloads) { CHECK(rows.find_workload(row->name) == row); }
    CHECK(rows.find_lock("no such lock") == nullptr);
    CHECK(rows.find_workload("no such workload") == nullptr);
}
