#pragma once
// Any scenario: a random machine, locks of the catalogue, programs with interrupts, tries and data, and [[events]], all
// from one seed. Half of them on machines whose times are whole nanoseconds, where much happens at one instant. Each
// can be printed as a file that runs.

#include "tests/locks/scenarios.hpp"

namespace model::test {

class RandomScenario {
public:
    explicit RandomScenario(std::uint64_t seed) : random_(seed, "any scenario"), round_(random_.below(2) == 0) {
        s.seed = seed;
        s.title = fmt::format("random scenario {}", seed);
        s.tie_break = random_.below(2) == 0 ? TieBreak::actor : TieBreak::seeded;
        s.duration = time(5'000, 30'000);
        if (one_in(3)) { s.warmup = s.duration / 4; }
        cpus_ = static_cast<std::int32_t>(random_.uniform(1, one_in(4) ? 12 : 6));
        make_machine();
        buffer_stores();
        pair_cpus();
        make_data();
        make_groups();
        for (auto left = random_.below(6); left > 0; --left) { s.events.push_back(event()); }
        if (round_ || one_in(3)) { s.noise.start_phase = constant(Time{}); }
        if (!round_ && one_in(2)) { s.noise.work = s.noise.latency = {20'000}; }
    }

    Scenario s;

private:
    bool one_in(std::uint64_t n) { return random_.below(n) == 0; }
    /// In nanoseconds; whole ones on a round machine.
    Time time(std::int64_t low, std::int64_t high) {
        return round_ ? nanoseconds(random_.uniform(low, high))
                      : picoseconds(random_.uniform(low * 1'000, high * 1'000));
    }
    Frequency frequency() {
        if (round_) { return mhz(one_in(2) ? 1'000 : 250 * random_.uniform(1, 8)); }
        return {random_.uniform(50'000'000, 4'000'000'000)};
    }
    Distribution amount(std::int64_t high = 600) {
        if (!round_ && one_in(3)) { return exponential(time(1, high)); }
        return one_in(2) ? constant(cycles(random_.uniform(1, high))) : constant(time(1, high));
    }
    template <class T>
    T one_of(std::initializer_list<T> values) {
        return values.begin()[random_.below(values.size())];
    }

    void make_machine() {
        MachineConfig& m = s.machine;
        if (!round_) {
            m = random_machine(random_, cpus_);
        } else {
            const bool clustered = cpus_ % 2 == 0 && one_in(2);
            m = clustered ? clustered_machine(2, cpus_ / 2) : one_in(4) ? ideal_machine(cpus_) : round_machine(cpus_);
            m.discipline =
                one_of({Discipline::by_domain, Discipline::fifo, Discipline::nearest_first, Discipline::random});
            m.atomics = one_in(4) ? one_of({Atomics::far, Atomics::far_unless_unique}) : Atomics::near;
            m.cas_failure = one_of({CasFailure::exclusive, CasFailure::shared});
            m.rmw_by = one_in(3) ? RmwBy::llsc : RmwBy::instruction;
            m.load_exclusive = one_of({LoadExclusive::shared, LoadExclusive::exclusive});
            m.llsc_hold_cycles = one_in(3) ? random_.uniform(1, 20) : 0;
            m.waiting = one_in(4) ? Waiting::wfe : Waiting::poll;
            if (one_in(2)) { m.event_stream = time(100, 5'000); }
            if (one_in(2)) { m.tick = {.period = time(500, 5'000), .length = time(0, 300), .skew = time(0, 400)}; }
            if (one_in(3)) { m.clusters[0].second.core.loop = cycles(random_.uniform(1, 6)); }
        }
        m.sc_upgrade = one_in(3) ? ScUpgrade::unconditional : ScUpgrade::checked;
        m.reservation_granule = one_of({0, 0, 16, 128, 256});
        m.cpu_relax = one_of({CpuRelax::yield, CpuRelax::yield, CpuRelax::none, CpuRelax::udelay, CpuRelax::wfe_after});
        m.cpu_relax_delay = time(1, 300);
        m.cpu_relax_threshold = random_.uniform(1, 30);
        m.ipi.latency = one_in(3) ? Time{} : time(0, 900);
        for (std::int32_t cpu = 0; cpu < cpus_; ++cpu) {
            if (one_in(3)) { m.cpus[cpu].frequency = frequency(); }
            if (one_in(6)) { m.cpus[cpu].relax = cycles(random_.uniform(0, 9)); }
            if (one_in(6)) { m.cpus[cpu].ll_to_sc = cycles(random_.uniform(1, 30)); }
            if (m.tick.period.ps != 0 && one_in(4)) { m.cpus[cpu].tick_offset = time(0, 2'000); }
        }
        name_as_a_preset_does();
    }

    /// Of a stream of its own: the same seed is the same scenario with and without.
    void buffer_stores() {
        sim::RandomStream random(s.seed, "store buffer");
        if (random.below(2) == 0) { return; }
        MachineConfig& m = s.machine;
        m.store_buffer = static_cast<std::int32_t>(random.below(3) == 0 ? random.uniform(1, 3) : random.uniform(4, 60));
        if (random.below(4) == 0) { m.store_drain_min = nanoseconds(random.uniform(1, 300)); }
    }

    /// The same for hardware threads that share a core.
    void pair_cpus() {
        sim::RandomStream random(s.seed, "siblings");
        for (auto& [name, cluster] : s.machine.clusters) {
            if (cluster.cpus % 2 == 0 && random.below(3) == 0) { cluster.threads = 2; }
        }
    }

    /// A printed file changes the numbers of a preset, and adds no cluster: one or two, and its names.
    void name_as_a_preset_does() {
        MachineConfig& m = s.machine;
        const auto distance = [&](const std::string& name) {
            for (const auto& [known, config] : m.distances) {
                if (known == name) { return config; }
            }
            return DistanceConfig{};
        };
        auto& clusters = m.clusters;
        if (clusters.size() > 2) {
            clusters[1].second.cpus += clusters[2].second.cpus;
            clusters.pop_back();
        }
        const bool two = clusters.size() == 2;
        const DistanceConfig inside = distance(clusters[0].second.distance);
        if (two) {
            m.distances = {
                {"little", inside}, {"big", distance(clusters[1].second.distance)}, {"cross", distance(m.across)}};
        } else {
            m.distances = {{"none", inside}};
        }
        for (std::size_t n = 0; n < clusters.size(); ++n) {
            clusters[n].first = two ? m.distances[n].first : "cpus";
            clusters[n].second.distance = m.distances[n].first;
        }
        Time paths{};  // they are a part of every transfer
        for (const auto& [name, cluster] : clusters) {
            const Clock clock(cluster.core.frequency);
            const auto sum = m.request_path_cycles + m.snoop_path_cycles + m.response_path_cycles;
            paths = std::max(paths, clock.cycles(sum).time() + nanoseconds(sum == 0 ? 0 : 1));
        }
        for (auto& [name, each] : m.distances) {
            each.transfer = std::max(each.transfer, paths);
            each.forward = std::min(each.forward, each.transfer);
        }
        m.memory = std::max(m.memory, paths);
        m.preset = two ? "a53-a73" : "ideal";
        m.across = m.distances.back().first;
    }

    void make_data() {
        for (auto n = random_.uniform(1, 3); n > 0; --n) {
            const auto types = lock_types();
            const std::string& type = types[random_.below(types.size())];
            LockConfig lock = lock_config(fmt::format("lock{}", s.locks.size()), type, locks::catalogue());
            if (type == "ticket-llsc" && one_in(2)) {
                lock.parameters["retry_after"] = random_.uniform(1, 4);
                lock.parameters["retry_relaxes"] = random_.uniform(0, 9);
                lock.parameters["retry_doubling"] = one_in(2);
            }
            if (type == "ticket-backoff") { lock.parameters["prefetchw"] = s.seed % 2 == 0; }
            if (type == "spin-debug") { lock.parameters["tries"] = random_.uniform(0, 5); }
            if (lock.parameters.count("pending_polls") != 0) {
                lock.parameters["pending_polls"] = random_.uniform(0, 3);
            }
            if (lock.parameters.count("emulated") != 0) { lock.parameters["emulated"] = one_in(2); }
            if (type == "osq" && one_in(2)) { lock.parameters["patience"] = random_.uniform(1, 20); }
            if (lock.parameters.count("bound") != 0) { lock.parameters["bound"] = random_.uniform(0, 5); }
            s.locks.push_back(lock);
        }
        s.lines = {{"data", 128, -1}};
        s.flags = {{"flag", 0}};
    }

    std::string lock_from(std::size_t first) { return s.locks[first + random_.below(s.locks.size() - first)].name; }

    /// Held: work, data, perhaps another lock, of a higher number: no circle by the program's order.
    void add_section(std::vector<Step>& out, bool in_handler, std::size_t first = 0) {
        const std::string lock = lock_from(first);
        const auto number = static_cast<std::size_t>(lock.back() - '0');
        const bool may_try = locks::catalogue().find_lock(s.locks[number].type)->has_try_lock;
        const bool masked = !in_handler && one_in(3);
        if (masked) { out.push_back(step(Step::Kind::irq, "off")); }
        if (may_try && (in_handler || one_in(3))) {
            out.push_back(try_acquire(random_.uniform(1, 4), constant(time(1, 200)), lock));
        } else {
            out.push_back(acquire(lock));
        }
        out.push_back(work(amount(300)));
        if (one_in(3)) { out.push_back(step(one_in(2) ? Step::Kind::read : Step::Kind::write, "data")); }
        if (number + 1 < s.locks.size() && one_in(3)) { add_section(out, in_handler, number + 1); }
        out.back().label = "inside";
        out.push_back(release(lock));
        if (masked) { out.push_back(step(Step::Kind::irq, "on")); }
    }

    std::vector<Step> program(bool in_handler) {
        std::vector<Step> steps{one_in(2) ? think(amount()) : work(amount())};
        for (auto left = random_.uniform(in_handler ? 0 : 1, 3); left > 0; --left) {
            switch (random_.below(in_handler ? 4 : 9)) {
                case 0: steps.push_back(delay(constant(time(1, 300)))); break;
                case 1: steps.push_back(step(one_in(2) ? Step::Kind::read : Step::Kind::write, "data")); break;
                case 2: steps.push_back(set("flag", random_.uniform(0, 1))); break;
                case 3:
                    steps.push_back(step(Step::Kind::relax, one_in(2) ? "cpu_relax" : "yield"));
                    steps.back().times = random_.uniform(1, 4);
                    break;
                case 4: steps.push_back(wait("flag", random_.uniform(0, 1))); break;
                default: add_section(steps, in_handler);
            }
        }
        if (!in_handler || one_in(3)) { add_section(steps, in_handler); }
        if (has_ipi_ && !in_handler && one_in(2)) {
            Step call = step(Step::Kind::ipi, "called");
            call.value = -1;
            steps.push_back(call);
        }
        return steps;
    }

    void add_handlers(const std::string& name, InterruptKind kind) {
        GroupConfig g = group(name, {}, program(true));
        g.interrupt = kind;
        g.nests = one_in(2);
        for (std::int32_t cpu = 0; cpu < cpus_; ++cpu) {
            if (one_in(2)) { g.cpus.push_back(cpu); }
        }
        if (g.cpus.empty()) { g.cpus.push_back(0); }
        s.groups.push_back(g);
    }

    void make_groups() {
        has_ipi_ = one_in(2);
        for (std::int32_t first = 0; first < cpus_;) {
            const auto count = static_cast<std::int32_t>(random_.uniform(1, cpus_ - first));
            const std::string name = fmt::format("group{}", s.groups.size());
            if (one_in(8)) {
                s.groups.push_back(workload(name, cpus(first, count), "atomic-counter", locks::catalogue()));
                s.groups.back().parameters["by"] = std::string(one_in(2) ? "cas" : "add");
                s.groups.back().parameters["outside"] = amount();
            } else {
                s.groups.push_back(group(name, cpus(first, count), program(false), one_in(4) ? 20 : 0));
            }
            first += count;
        }
        if (has_ipi_) { add_handlers("called", InterruptKind::ipi); }
        if (s.machine.tick.period.ps != 0 && one_in(2)) { add_handlers("timer", InterruptKind::tick); }
    }

    EventConfig event() {
        EventConfig e;
        const auto cpu = static_cast<std::int32_t>(random_.below(static_cast<std::uint64_t>(cpus_)));
        const bool labelled = labels() && one_in(3);
        if (labelled) {
            e.on = "inside";
            e.nth = random_.uniform(1, 20);
        } else {
            e.at = time(0, s.duration.ps / 1'000);
        }
        switch (random_.below(7)) {
            case 0: e.kill = true; break;
            case 1:
            case 2:
            case 3: e.frequency = frequency(); break;
            default: e.stall = time(1, 1'500);
        }
        if (e.kill) {
            const GroupConfig& victims = s.groups[0];
            e.thread = thread_name(victims, random_.below(victims.cpus.size()));
        } else if (!labelled || one_in(2)) {
            e.cpu = cpu;
        }
        return e;
    }
    bool labels() const {
        for (const GroupConfig& g : s.groups) {
            for (const Step& each : g.program) {
                if (each.label == "inside") { return true; }
            }
        }
        return false;
    }

    sim::RandomStream random_;
    bool round_;
    std::int32_t cpus_ = 1;
    bool has_ipi_ = false;
};

}  // namespace model::test
