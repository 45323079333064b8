// See spin_stage.hpp.

#include "tests/model/spin_stage.hpp"

#include <algorithm>
#include <set>

namespace model::test {

using namespace smp;

namespace {

constexpr auto five = [](auto v) { return v == 5; };

/// A spin loop by hand.
void look_and_relax(Stage& s) {
    while (read_once(s.words.word) != 5) { cpu_relax(); }
}

}  // namespace

const std::vector<Spin>& spins() {
    using Runs = Spin::Runs;
    static constexpr auto acquire = [](Stage& s) { s.note(smp_cond_load_acquire(s.words.word, five)); };
    static constexpr auto by_wfe = [](MachineConfig& m) { m.waiting = Waiting::wfe; };
    static constexpr auto by_wfe_and_stream = [](MachineConfig& m) {
        m.waiting = Waiting::wfe;
        m.event_stream = nanoseconds(60);
    };
    static const std::vector<Spin> all{
        {"smp_cond_load_acquire", acquire},
        {"smp_cond_load_relaxed", [](Stage& s) { s.note(smp_cond_load_relaxed(s.words.word, five)); }},
        {"smp_cond_load_acquire of half a word",
         [](Stage& s) { s.note(smp_cond_load_acquire(low_half(s.words.word), five)); }},
        {"smp_cond_load_acquire of a byte",
         [](Stage& s) { s.note(smp_cond_load_acquire(byte_of(s.words.word, 0), five)); }},
        {"smp_cond_load_bounded that sees the store",
         [](Stage& s) { s.note(smp_cond_load_bounded(s.words.word, 100'000, five)); }},
        {"smp_cond_load_bounded that gives up",
         [](Stage& s) {
             for (const std::uint64_t polls : {1u, 2u, 3u, 7u}) {
                 s.note(smp_cond_load_bounded(s.words.word, polls, five));
             }
         }},
        {"smp_cond_load_bounded with a back-off, again and again",
         [](Stage& s) {
             for (std::uint64_t round = 1; smp_cond_load_bounded(s.words.word, round, five) != 5; ++round) {
                 delay(span(nanoseconds(3)));
                 s.note(round);
             }
         }},
        {"two waits in a row",
         [](Stage& s) {
             smp_cond_load_acquire(s.words.word, [](auto v) { return v == 0; });
             acquire(s);
         }},
        {"a wait of a CPU that owns the line",
         [](Stage& s) {
             write_once(s.words.beside, 7u);
             acquire(s);
         }},
        {"a wait with own stores on their way, elsewhere and to the word",
         [](Stage& s) {
             write_once(s.words.elsewhere, 3u);
             write_once(s.words.word, 4u);
             acquire(s);
             s.note(read_once(s.words.elsewhere));
         }},
        {"a wait with an own store on its way beside the word, line asked for before",
         [](Stage& s) {
             prefetchw(s.words.elsewhere);
             write_once(s.words.elsewhere, 3u);
             write_once(s.words.beside, 7u);
             s.note(smp_cond_load_bounded(s.words.word, 100'000, five));
             s.note(xchg(s.words.elsewhere, 9u));
         }},
        {"a wait with a reservation on its line",
         [](Stage& s) {
             ldxr(s.words.word);
             acquire(s);
             s.note(stxr(s.words.beside, 1u));
         }},
        {"a wait with a reservation elsewhere",
         [](Stage& s) {
             ldxr(s.words.elsewhere);
             acquire(s);
             s.note(stxr(s.words.elsewhere, 1u));
         }},
        {"a wait with interrupts masked", acquire, nullptr, Runs::masked},
        {"a wait in a handler", acquire, nullptr, Runs::in_handler},
        {"a wait in a handler and in the thread that it interrupts", acquire, nullptr, Runs::in_both},
        {"read_once and cpu_relax", look_and_relax},
        {"read_once alone", look_and_relax, [](MachineConfig& m) { m.cpu_relax = CpuRelax::none; }},
        {"read_once and udelay", look_and_relax,
         [](MachineConfig& m) {
             m.cpu_relax = CpuRelax::udelay;
             m.cpu_relax_delay = nanoseconds(9);
         }},
        {"read_once, cpu_relax and a WFE now and then", look_and_relax,
         [](MachineConfig& m) {
             m.cpu_relax = CpuRelax::wfe_after;
             m.cpu_relax_threshold = 2;
             m.event_stream = nanoseconds(60);
         }},
        {"tries by compare-and-swap with a delay between",
         [](Stage& s) {
             while (!try_cmpxchg(s.words.word, 5u, 6u)) { delay(span(nanoseconds(11))); }
         }},
        {"a look, then a try by exchange, again and again",
         [](Stage& s) {
             do { smp_cond_load_relaxed(s.words.word, five); } while (xchg(s.words.word, 6u) != 5);
         }},
        {"LDXR and WFE",
         [](Stage& s) {
             while (ldxr(s.words.word) != 5) { wfe(); }
         }},
        {"LDXR and WFE with an event stream",
         [](Stage& s) {
             while (ldxr(s.words.word) != 5) { wfe(); }
         },
         [](MachineConfig& m) { m.event_stream = nanoseconds(60); }},
        {"smp_cond_load_acquire by WFE", acquire, by_wfe},
        {"smp_cond_load_acquire by WFE with an event stream", acquire, by_wfe_and_stream},
        {"smp_cond_load_bounded by WFE with an event stream",
         [](Stage& s) { s.note(smp_cond_load_bounded(s.words.word, 4, five)); }, by_wfe_and_stream},
        {"a wait by WFE in a handler and in the thread that it interrupts", acquire, by_wfe_and_stream, Runs::in_both},
    };
    return all;
}

const std::vector<StageMachine>& stage_machines() {
    static const std::vector<StageMachine> all = [] {
        // Every time is a whole nanosecond: much happens at once.
        StageMachine round{"round", round_machine(), nanoseconds(400)};
        // No time is a whole picosecond; a part of the period is given in time.
        StageMachine odd{"odd", round_machine(), nanoseconds(600)};
        odd.config.clusters[0].second.core = {.frequency = mhz(700),
                                              .hit = cycles(1),
                                              .rmw = cycles(5),
                                              .fence = cycles(2),
                                              .relax = span(picoseconds(2'700)),
                                              .loop = cycles(2)};
        // LL/SC, and a line that its reader takes exclusive and holds for a while.
        StageMachine llsc{"ll/sc", round_machine(), nanoseconds(400)};
        llsc.config.rmw_by = RmwBy::llsc;
        llsc.config.load_exclusive = LoadExclusive::exclusive;
        llsc.config.llsc_hold_cycles = 7;
        llsc.config.reservation_granule = 128;
        // Far atomics in two clusters; a failing store-exclusive takes the line.
        StageMachine far{"far", clustered_machine(2, 2), nanoseconds(900)};
        far.config.atomics = Atomics::far;
        far.config.sc_upgrade = ScUpgrade::unconditional;
        far.config.cas_failure = CasFailure::shared;
        // Lines move in no time.
        StageMachine ideal{"ideal", ideal_machine(4), nanoseconds(20)};
        // Stores are buffered; on one of them they are slow to become visible, and there is room for two only.
        StageMachine buffered = round;
        buffered.name = "buffered";
        buffered.config.store_buffer = 8;
        buffered.config.bus_lock = nanoseconds(50);
        StageMachine slow = odd;
        slow.name = "slow buffer";
        slow.config.store_buffer = 2;
        slow.config.store_drain_min = picoseconds(77'700);
        return std::vector<StageMachine>{round, odd, llsc, far, ideal, buffered, slow};
    }();
    return all;
}

Seen see(const StageMachine& on, const Spin& spin, const Disturbance* disturbance, Time when, const Ties& ties,
         Walk walk, Time ends_at, sim::Observer* observer) {
    MachineConfig config = on.config;
    if (spin.adapt != nullptr) { spin.adapt(config); }
    Machine::Options options;
    options.spin_elision = walk == Walk::parked;
    options.walk_in_pieces = walk == Walk::in_pieces;
    options.seeded_ties = ties.seeded;
    options.seed = ties.seed;
    options.contexts = 8;
    options.observer = observer;
    Stage stage(config, options);
    stage.add(
        Stage::storer, [&](Context&) { write_once(stage.words.word, 5u); }, on.set_at);
    const auto spins = [&] {
        current->cpu().become(Activity::spin, stage.now());
        spin.wait(stage);
        stage.note(0);
    };
    stage.add(Stage::waiter, [&](Context& self) {
        switch (spin.runs) {
            case Spin::Runs::masked:
                local_irq_disable();
                spins();
                local_irq_enable();
                break;
            case Spin::Runs::in_handler: self.spend(span(on.set_at * 2)); break;
            case Spin::Runs::as_thread:
            case Spin::Runs::in_both: spins(); break;
        }
        self.spend(span(nanoseconds(5)));
    });
    if (spin.runs == Spin::Runs::in_handler || spin.runs == Spin::Runs::in_both) {
        Interrupts::Source& source = stage.interrupt(Stage::waiter, spins);
        source.nests = true;
        stage.raise(source, on.set_at / 20);
    }
    if (disturbance != nullptr) { disturbance->arrange(stage, when); }
    return stage.run_and_see(ends_at);
}

namespace {

class Times final : public sim::Observer {
public:
    void on_step(const sim::Step& step) override {
        times.insert(step.at.ps);
        for (const Time t : {step.cause.lost_at, step.cause.at}) {
            if (t != Time::max()) { times.insert(t.ps); }
        }
    }
    std::set<std::int64_t> times;
};

}  // namespace

std::vector<Time> instants(const StageMachine& on, const Spin& spin) {
    Times seen;
    see(on, spin, nullptr, {}, {}, Walk::in_pieces, on.set_at * 4, &seen);
    const CoreConfig& core = on.config.clusters[0].second.core;
    const Clock clock(core.frequency);
    std::set<std::int64_t> borders;
    // In the steady spin: two periods from some poll on. Its phase is that of the last step before the store.
    FineTime border(Time{*std::prev(seen.times.lower_bound(on.set_at.ps))});
    for (int period = 0; period < 2; ++period) {
        for (const Span piece : {core.hit, core.relax, core.loop}) {
            const std::int64_t begin = border.time().ps;
            border = border + clock.length(piece);
            borders.insert({begin, border.time().ps, (begin + border.time().ps) / 2});
        }
    }
    // What was seen, and what a request or an instruction later is at a line or done.
    const std::int64_t request = clock.cycles(on.config.request_path_cycles).time().ps;
    const std::int64_t hit = clock.length(core.hit).time().ps;
    for (const std::int64_t at : seen.times) { borders.insert({at, at + request, at + hit}); }
    std::set<std::int64_t> all;
    for (const std::int64_t at : borders) { all.insert({std::max<std::int64_t>(at - 1, 0), at, at + 1}); }
    std::vector<Time> result;
    result.reserve(all.size());
    for (const std::int64_t at : all) { result.push_back({at}); }
    return result;
}

}  // namespace model::test
