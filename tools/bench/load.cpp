// See load.hpp.

#include "tools/bench/load.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace bench {

using sim::nanoseconds;
using sim::picoseconds;

model::MachineConfig server(std::int32_t cpus, std::int32_t domains) {
    model::ClusterConfig cluster;
    cluster.distance = "die";
    cluster.core.frequency = {2'000'000'000};
    cluster.core.hit = model::cycles(3);
    cluster.core.rmw = model::cycles(16);
    cluster.core.relax = model::cycles(6);

    model::DistanceConfig die;
    die.transfer = nanoseconds(44);
    die.forward = nanoseconds(17);
    die.read_occupancy = picoseconds(7700);
    model::DistanceConfig socket;
    socket.transfer = nanoseconds(120);
    socket.forward = nanoseconds(60);
    socket.read_occupancy = picoseconds(7700);

    model::MachineConfig machine;
    machine.preset = "bench";
    domains = std::min(domains, cpus);
    for (std::int32_t n = 0; n < domains; ++n) {
        cluster.cpus = cpus / domains + (n < cpus % domains ? 1 : 0);
        machine.clusters.emplace_back(fmt::format("domain{}", n), cluster);
    }
    machine.distances = {{"die", die}, {"socket", socket}};
    machine.across = domains == 1 ? "die" : "socket";
    if (domains > 1) { machine.discipline = model::Discipline::by_domain; }
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

void store_once_visible(void* worker) {
    smp::write_once(*static_cast<Worker*>(worker)->word, 1u);
    smp::smp_mb();
    store_forever(worker);
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

void read_and_leave(void* worker) { smp::read_once(*static_cast<Worker*>(worker)->word); }

void change_when_all_have_read(void* worker) {
    Worker& self = *static_cast<Worker*>(worker);
    for (std::uint32_t value = 1;; ++value, ++self.units) {
        smp::write_once(*self.word, value);
        model::current->spend(model::cycles(400 + 20 * self.cpus));
    }
}

void read_changes(void* worker) {
    std::uint32_t seen = 0;
    for (;;) {
        seen = smp::smp_cond_load_acquire(*static_cast<Worker*>(worker)->word,
                                          [seen](std::uint32_t value) { return value != seen; });
    }
}

namespace {

model::Machine::Options options(const Load::Plan& plan) {
    model::Machine::Options options;
    options.spin_elision = plan.spin_elision;
    options.contexts = 0;
    for (const Load::Group& group : plan.groups) { options.contexts += static_cast<std::size_t>(group.cpus); }
    return options;
}

}  // namespace

Load::Load(const Plan& plan, const Effort& effort)
    : machine_(plan.machine, options(plan)), workers_(options(plan).contexts) {
    model::Arena& arena = machine_.arena();
    auto& shared = arena.make<smp::Atomic<std::uint32_t>>("word");
    auto& another = arena.make<smp::Atomic<std::uint32_t>>("another");
    auto& lock = arena.make<locks::TicketSpinlock>("lock");
    std::int32_t cpu = 0;
    for (const Group& group : plan.groups) {
        for (const std::int32_t end = cpu + group.cpus; cpu < end; ++cpu) {
            Worker& worker = workers_[static_cast<std::size_t>(cpu)];
            worker.word = group.on_another_line ? &another : &shared;
            worker.cpus = static_cast<std::int32_t>(workers_.size());
            worker.lock = &lock;
            machine_.add_context(cpu, fmt::format("worker.{}", cpu), group.body, &worker, picoseconds(1300) * cpu);
        }
    }
    warm_up(effort);
}

void Load::Counts::add(const Counts& later, const Counts& earlier) {
    for (const auto count :
         {&Counts::units, &Counts::events, &Counts::steps, &Counts::switches, &Counts::accesses, &Counts::transfers}) {
        this->*count += later.*count - earlier.*count;
    }
}

void Load::warm_up(const Effort& effort) {
    constexpr std::uint64_t units_in_a_sample = 10;
    const sim::Time everybody_is_at_work = nanoseconds(200) * static_cast<std::int64_t>(workers_.size());
    for (;;) {
        Counts counts;
        const bool long_enough = slice(counts) >= effort.sample_ns && counts.units >= units_in_a_sample;
        if (until_ < everybody_is_at_work) { continue; }
        if (long_enough) { return; }
        slice_ = slice_ * 2;
    }
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
    total.add(after, before);
    return took;
}

double Load::sample(std::uint64_t Counts::*unit) {
    const std::uint64_t before = counts_.*unit;
    const double took = slice(counts_);
    return took / static_cast<double>(counts_.*unit - before);
}

}  // namespace bench
