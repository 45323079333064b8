// Litmus tests of the memory order: what several CPUs may see of each other's stores. With a store buffer the machine
// is TSO: a load may pass an earlier store to elsewhere, and nothing else is reordered (P. Sewell et al., "x86-TSO",
// CACM 53(7), 2010, has these programs and what may come out). Without one it is sequentially consistent.
//
// Each program runs on many machines and in many phases. "Seen" is only asked where some phase must show it.
#include <array>
#include <set>

#include "tests/catch.hpp"
#include "tests/model/machines.hpp"

using namespace model;
using namespace model::test;
using namespace smp;

namespace {

using Outcome = std::vector<std::uint64_t>;  // the registers, then x and y at the end

struct Room {
    Atomic<std::uint64_t>& x;
    Atomic<std::uint64_t>& y;
    std::array<std::uint64_t, 4> r;
};
using Code = void (*)(Room&);

struct Program {
    const char* name;
    std::vector<Code> cpus;
    Outcome weak;  ///< what sequential consistency forbids; the last two only where they are not ~0
};

constexpr std::uint64_t any = ~std::uint64_t{0};

const Program store_load{"SB: each stores and then looks at the other's word",
                         {[](Room& m) {
                              write_once(m.x, 1u);
                              m.r[0] = read_once(m.y);
                          },
                          [](Room& m) {
                              write_once(m.y, 1u);
                              m.r[1] = read_once(m.x);
                          }},
                         {0, 0, any, any, any, any}};

const Program store_load_fenced{"SB with a full fence between",
                                {[](Room& m) {
                                     write_once(m.x, 1u);
                                     smp_mb();
                                     m.r[0] = read_once(m.y);
                                 },
                                 [](Room& m) {
                                     write_once(m.y, 1u);
                                     smp_mb();
                                     m.r[1] = read_once(m.x);
                                 }},
                                {0, 0, any, any, any, any}};

const Program store_load_half_fenced{
    "SB with a fence on one side only", {store_load_fenced.cpus[0], store_load.cpus[1]}, {0, 0, any, any, any, any}};

const Program store_by_exchange{"SB where an exchange stores",
                                {[](Room& m) {
                                     xchg(m.x, 1u);
                                     m.r[0] = read_once(m.y);
                                 },
                                 [](Room& m) {
                                     xchg(m.y, 1u);
                                     m.r[1] = read_once(m.x);
                                 }},
                                {0, 0, any, any, any, any}};

const Program store_load_prefetched{"SB whose lines were asked for before",
                                    {[](Room& m) {
                                         prefetchw(m.x);
                                         write_once(m.x, 1u);
                                         m.r[0] = read_once(m.y);
                                     },
                                     [](Room& m) {
                                         prefetchw(m.y);
                                         write_once(m.y, 1u);
                                         m.r[1] = read_once(m.x);
                                     }},
                                    {0, 0, any, any, any, any}};

const Program message_passing{"MP: data, then a flag; the reader looks at the flag first",
                              {[](Room& m) {
                                   write_once(m.x, 1u);
                                   write_once(m.y, 1u);
                               },
                               [](Room& m) {
                                   m.r[0] = read_once(m.y);
                                   m.r[1] = read_once(m.x);
                               }},
                              {1, 0, any, any, any, any}};

const Program load_buffering{"LB: each looks, then stores to the other's word",
                             {[](Room& m) {
                                  m.r[0] = read_once(m.x);
                                  write_once(m.y, 1u);
                              },
                              [](Room& m) {
                                  m.r[1] = read_once(m.y);
                                  write_once(m.x, 1u);
                              }},
                             {1, 1, any, any, any, any}};

const Program two_two_writes{"2+2W: two stores each, in opposite order",
                             {[](Room& m) {
                                  write_once(m.x, 1u);
                                  write_once(m.y, 2u);
                              },
                              [](Room& m) {
                                  write_once(m.y, 1u);
                                  write_once(m.x, 2u);
                              }},
                             {any, any, any, any, 1, 1}};

const Program forwarded{"n6: the own store is seen before it is visible",
                        {[](Room& m) {
                             write_once(m.x, 1u);
                             m.r[0] = read_once(m.x);
                             m.r[1] = read_once(m.y);
                         },
                         [](Room& m) {
                             write_once(m.y, 2u);
                             write_once(m.x, 2u);
                         }},
                        {1, 0, any, any, 1, 2}};

const Program independent_reads{"IRIW: two readers see two stores in different order",
                                {[](Room& m) { write_once(m.x, 1u); }, [](Room& m) { write_once(m.y, 1u); },
                                 [](Room& m) {
                                     m.r[0] = read_once(m.x);
                                     m.r[1] = read_once(m.y);
                                 },
                                 [](Room& m) {
                                     m.r[2] = read_once(m.y);
                                     m.r[3] = read_once(m.x);
                                 }},
                                {1, 0, 1, 0, any, any}};

const Program read_twice{"CoRR: who has seen a store still sees it",
                         {[](Room& m) { write_once(m.x, 1u); },
                          [](Room& m) {
                              m.r[0] = read_once(m.x);
                              m.r[1] = read_once(m.x);
                          }},
                         {1, 0, any, any, any, any}};

const std::vector<const Program*> all{
    &store_load,      &store_load_fenced, &store_load_half_fenced, &store_by_exchange, &store_load_prefetched,
    &message_passing, &load_buffering,    &two_two_writes,         &forwarded,         &independent_reads,
    &read_twice};

bool is(const Outcome& outcome, const Outcome& pattern) {
    for (std::size_t i = 0; i < outcome.size(); ++i) {
        if (pattern[i] != any && outcome[i] != pattern[i]) { return false; }
    }
    return true;
}

/// One run. The words lie with CPU `x_at` and `y_at` (-1: in memory), all CPUs begin within `spread`.
Outcome outcome_of(const Program& program, const MachineConfig& config, sim::RandomStream& random, Time spread) {
    Machine::Options options;
    options.seed = random.below(1'000'000);
    options.seeded_ties = random.below(2) == 0;
    options.spin_elision = random.below(2) == 0;
    Cpus cpus(config, options);
    const std::int32_t count = cpus.machine.topology().cpus();
    const auto place = [&](const char* name) -> Atomic<std::uint64_t>& {
        const auto at = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(count) + 1)) - 1;
        return at < 0 ? cpus.word(name) : cpus.word_of(at, name);
    };
    auto& x = place("x");
    auto& y = place("y");
    Room room{x, y, {}};
    for (std::size_t i = 0; i < program.cpus.size(); ++i) {
        const bool warm_x = random.below(3) == 0;  // a copy of its own first
        const bool warm_y = random.below(3) == 0;
        const Time pause = {random.uniform(0, spread.ps)};
        cpus.add(static_cast<std::int32_t>(i), [&, i, warm_x, warm_y, pause](Context& self) {
            if (warm_x) { read_once(x); }
            if (warm_y) { read_once(y); }
            if (const Time from = nanoseconds(2'000) + pause; self.busy_until() < from) {
                self.spend(span(from - self.busy_until()));
            }
            program.cpus[i](room);
        });
    }
    cpus.run();
    Outcome outcome(room.r.begin(), room.r.end());
    outcome.push_back(*x.word());
    outcome.push_back(*y.word());
    return outcome;
}

/// How often the weak outcome came, in `runs` phases on the round machine and as many on machines of any kind.
int weak_outcomes(const Program& program, std::int32_t depth, int runs) {
    sim::RandomStream random(7, program.name);
    int weak = 0;
    for (int run = 0; run < 2 * runs; ++run) {
        MachineConfig m = run % 2 == 0 ? round_machine() : random_machine(random, 4);
        m.tick = {};
        m.store_buffer = depth;
        if (depth > 0 && random.below(3) == 0) { m.store_drain_min = {random.uniform(0, 300'000)}; }
        weak += is(outcome_of(program, m, random, nanoseconds(run % 4 < 2 ? 20 : 400)), program.weak) ? 1 : 0;
    }
    return weak;
}

}  // namespace

TEST_CASE("without a store buffer every CPU sees all stores in one order", "[unit]") {
    for (const Program* program : all) {
        INFO(program->name);
        CHECK(weak_outcomes(*program, 0, 300) == 0);
    }
}

TEST_CASE("with a store buffer a load passes an earlier store to another word", "[unit]") {
    for (const Program* program : {&store_load, &store_load_half_fenced, &store_load_prefetched, &forwarded}) {
        INFO(program->name);
        CHECK(weak_outcomes(*program, 8, 300) > 0);
        CHECK(weak_outcomes(*program, 1, 300) > 0);
    }
}

TEST_CASE("with a store buffer nothing else is reordered, and a fence or an exchange keeps that order, too", "[unit]") {
    for (const Program* program : {&store_load_fenced, &store_by_exchange, &message_passing, &load_buffering,
                                   &two_two_writes, &independent_reads, &read_twice}) {
        for (const std::int32_t depth : {1, 2, 8}) {
            INFO(program->name << ", depth " << depth);
            CHECK(weak_outcomes(*program, depth, 300) == 0);
        }
    }
}
