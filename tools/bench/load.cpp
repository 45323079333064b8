// See load.hpp.

#include "tools/bench/load.hpp"

#include <fmt/format.h>

namespace bench {

using sim::nanoseconds;
using sim::picoseconds;

model::MachineConfig server(std::int32_t cpus) {
    model::ClusterConfig cluster;
    cluster.cpus = cpus;
    cluster.distance = "die";
    cluster.core.frequency = {2'000'000'000};
    cluster.core.hit = model::cycles(3);
    cluster.core.rmw = model::cycles(16);
    cluster.core.relax = model::cycles(6);

    model::DistanceConfig die;
    die.transfer = nanoseconds(44);
    die.forward = nanoseconds(17);
    die.read_occupancy = picoseconds(7700);

    model::MachineConfig machine;
    machine.preset = "bench";
    machine.clusters = {{"cpus", cluster}};
    machine.distances = {{"die", die}};
    machine.across = "die";
    machine.retention = nanoseconds(6);
    machine.memory = nanoseconds(80);
    machine.request_path_cycles = 10;
    machine.snoop_path_cycles = 10;
    machine.response_path_cycles = 10;
    return machine;
}

void load_forever(void* worker) {
    Worker& self = *static_cast<Worker*>(worker);
    for (;; ++self.units) { smp::read_once(*self.word); }
}

void store_forever(void* worker) {
    Worker& self = *static_cast<Worker*>(worker);
    for (;; ++self.units) { smp::write_once(*self.word, 1u); }
}

void add_forever(void* worker) {
    Worker& self = *static_cast<Worker*>(worker);
    for (;; ++self.units) { smp::fetch_add(*self.word, 1u); }
}

void acquire_forever(void* worker) {
    Worker& self = *static_cast<Worker*>(worker);
    locks::TicketSpinlock::Context none;
    for (;; ++self.units) {
        self.lock->lock(none);
        model::current->spend(model::cycles(20));
        self.lock->unlock(none);
        model::current->spend(model::cycles(30));
    }
}

void park(void* worker) {
    smp::smp_cond_load_acquire(*static_cast<Worker*>(worker)->word, [](auto value) { return value != 0; });
}

namespace {

model::Machine::Options options(const Load::Plan& plan) {
    model::Machine::Options options;
    options.spin_elision = plan.spin_elision;
    options.contexts = static_cast<std::size_t>(plan.machine.clusters.front().second.cpus);
    return options;
}

}  // namespace

Load::Load(const Plan& plan, const Effort& effort)
    : machine_(plan.machine, options(plan)), workers_(options(plan).contexts) {
    model::Arena& arena = machine_.arena();
    auto& shared = arena.make<smp::Atomic<std::uint32_t>>("word");
    auto& parking = arena.make<smp::Atomic<std::uint32_t>>("parking");
    auto& lock = arena.make<locks::TicketSpinlock>("lock");
    for (std::size_t i = 0; i < workers_.size(); ++i) {
        const model::Context::Body body = i == 0 ? plan.first : plan.others;
        workers_[i].word = body == park ? &parking : &shared;
        workers_[i].lock = &lock;
        const auto cpu = static_cast<std::int32_t>(i);
        machine_.add_context(cpu, fmt::format("worker.{}", i), body, &workers_[i], picoseconds(1300) * cpu);
    }
    Counts warm_up;
    while (slice(warm_up) < effort.sample_ns) { slice_ = slice_ * 2; }
}

Load::Counts Load::now() {
    Counts counts;
    counts.events = machine_.engine().events();
    counts.steps = machine_.engine().steps();
    counts.switches = machine_.engine().switches();
    for (const Worker& worker : workers_) { counts.units += worker.units; }
    for (const model::Context& context : machine_.contexts()) { counts.accesses += context.accesses(); }
    for (const std::uint64_t n : machine_.memory().transfers(0)) { counts.transfers += n; }
    return counts;
}

double Load::slice(Counts& total) {
    const Counts before = now();
    until_ += slice_;
    const double begin = cpu_time_ns();
    machine_.run(until_);
    const double took = cpu_time_ns() - begin;
    const Counts after = now();
    for (auto count :
         {&Counts::units, &Counts::events, &Counts::steps, &Counts::switches, &Counts::accesses, &Counts::transfers}) {
        total.*count += after.*count - before.*count;
    }
    return took;
}

double Load::sample(std::uint64_t Counts::*unit) {
    const std::uint64_t before = counts_.*unit;
    const double took = slice(counts_);
    return took / static_cast<double>(counts_.*unit - before);
}

}  // namespace bench
