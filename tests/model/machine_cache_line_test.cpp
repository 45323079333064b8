// A cache line as a queueing server: exact times of every kind of transfer, who is served next, and who may still use
// the line while it is on its way. On the round machine a transfer is 100 ns: 10 request, then, from the arrival at the
// line, 40 to the snoop and 50 from there to the data.
#include "model/machine/cache_line_serving.hpp"

#include <algorithm>
#include <map>

#include "tests/catch.hpp"
#include "tests/model/line_server.hpp"

using namespace model;
using namespace model::test;

namespace {

constexpr Time ns(std::int64_t n) { return nanoseconds(n); }

MachineConfig with(Discipline discipline, std::int32_t clusters, std::int32_t cpus_each) {
    MachineConfig config = clustered_machine(clusters, cpus_each);
    config.discipline = discipline;
    return config;
}

}  // namespace

// --- one transfer -----------------------------------------------------------------------------------------------

TEST_CASE("an isolated exclusive transfer takes 90 ns from its arrival, and the owner loses the line after 40",
          "[timing]") {
    LineServer s(round_machine());
    s.place(0);
    auto& own = s.ask(1, Want::own, ns(1'000));
    s.run_until(ns(1'000));
    CHECK(own.done_at == ns(1'090));
    CHECK(own.distance == 0);
    CHECK(s.line.lose_at() == ns(1'040));
    CHECK(s.line.readable(0, ns(1'039)));
    CHECK(s.line.writable(0, ns(1'039)));
    CHECK_FALSE(s.line.readable(0, ns(1'040)));
    CHECK_FALSE(s.line.writable(0, ns(1'040)));
    CHECK_FALSE(s.line.readable(1, ns(1'089)));
    s.run();
    CHECK(s.line.owner() == 1);
    CHECK(s.line.writable(1, ns(1'090)));
    CHECK_FALSE(s.line.has_copy(0));
}

TEST_CASE("a line that no cache has comes from memory", "[timing]") {
    LineServer s(round_machine());
    auto& own = s.ask(1, Want::own, ns(1'000));
    s.run();
    CHECK(own.done_at == ns(1'190));  // 200, of which 10 were the request
    CHECK(own.distance == -1);

    LineServer t(round_machine());
    auto& read = t.ask(1, Want::read, ns(1'000));
    auto& second = t.ask(2, Want::read, ns(5'000));
    t.run();
    CHECK(read.done_at == ns(1'190));
    CHECK(second.done_at == ns(5'090));  // now a cache has it
    CHECK(t.line.owner() == -1);
}

TEST_CASE("who reads a line from memory alone has it exclusive, until another reads it too", "[timing]") {
    LineServer s(round_machine());
    s.ask(1, Want::read, ns(1'000));
    auto& second = s.ask(2, Want::read, ns(1'300));
    s.run_until(ns(1'190));
    CHECK(s.line.owner() == 1);
    CHECK(s.line.writable(1, ns(1'190)));
    s.run();
    CHECK(second.done_at == ns(1'390));
    CHECK(s.line.owner() == -1);
    CHECK(s.line.readable(1, ns(2'000)));
    CHECK(s.line.readable(2, ns(2'000)));
}

namespace {

/// Latencies in cycles of 1 ns; the transfer of 100 ns is what they replace.
MachineConfig with_tables(Protocol protocol) {
    MachineConfig m = clustered_machine(2, 2);
    m.protocol = protocol;
    auto& of = m.distances[0].second.latency.of;
    constexpr auto load = static_cast<std::size_t>(AccessKind::load);
    constexpr auto atomic = static_cast<std::size_t>(AccessKind::atomic);
    for (std::size_t state = 0; state < line_states; ++state) {
        const auto extra = static_cast<std::int64_t>(state) * 20;
        of[load][state] = cycles(101 + extra);    // a hit is 1: 100, 120, 140, 160; from memory 180
        of[atomic][state] = cycles(115 + extra);  // an rmw is 5: 110, 130, 150, 170; from memory 190
    }
    return m;
}

Time fetched_after(LineServer& s, std::int32_t cpu, Want want) {
    const Time begin = s.now + ns(10'000);
    const auto& asked = s.ask(cpu, want, begin);
    s.run();
    return asked.done_at - begin + ns(10);  // the request before it
}

}  // namespace

TEST_CASE("a latency table tells apart how the line stands and what the instruction is", "[timing]") {
    LineServer s(with_tables(Protocol::mesi));
    CHECK(fetched_after(s, 0, Want::read) == ns(180));  // memory
    CHECK(fetched_after(s, 1, Want::own) == ns(150));   // exclusive
    s.line.hold_until(s.now);                           // it writes
    CHECK(fetched_after(s, 0, Want::own) == ns(110));   // modified
    s.line.hold_until(s.now);
    CHECK(fetched_after(s, 1, Want::read) == ns(100));  // modified, a load
    CHECK(fetched_after(s, 0, Want::own) == ns(170));   // shared

    LineServer o(with_tables(Protocol::moesi));
    o.place(0);
    CHECK(fetched_after(o, 1, Want::read) == ns(100));
    CHECK(fetched_after(o, 0, Want::own) == ns(130));  // its own copy is the owned one, another has it shared
    LineServer far(with_tables(Protocol::moesi));
    far.place(0);
    CHECK(fetched_after(far, 2, Want::own) == ns(300));  // no table for this distance
}

TEST_CASE("a forwarded transfer keeps only what the line's state adds", "[timing]") {
    LineServer s(with_tables(Protocol::mesi));
    s.place(0);
    s.line.hold_until(ns(0));
    s.ask(1, Want::read, ns(1'000));
    auto& own = s.ask(0, Want::own, ns(1'001));
    s.run();
    CHECK(own.done_at == ns(1'090 + 40 + 60));  // retention 0, forward 40, shared costs 60 more than modified
}

TEST_CASE("memory is as far as the line's home, which is where it was first asked for", "[timing]") {
    MachineConfig m = with_tables(Protocol::mesi);
    m.distances[1].second.latency.of[0][4] = cycles(301);
    LineServer local(m);
    CHECK(fetched_after(local, 2, Want::read) == ns(180));
    LineServer remote(m);
    remote.line.set_home(0);
    CHECK(fetched_after(remote, 2, Want::read) == ns(300));
}

TEST_CASE("a read from the owner takes an isolated transfer and leaves both with a copy", "[timing]") {
    LineServer s(round_machine());
    s.place(0);
    auto& read = s.ask(1, Want::read, ns(1'000));
    s.run_until(ns(1'050));
    CHECK(read.done_at == ns(1'090));
    CHECK(s.line.writable(0, ns(1'039)));  // until the snoop
    CHECK_FALSE(s.line.writable(0, ns(1'040)));
    CHECK(s.line.readable(0, ns(1'060)));  // it keeps a copy
    s.run();
    CHECK(s.line.owner() == -1);
    CHECK(s.line.readable(0, ns(2'000)));
    CHECK(s.line.readable(1, ns(2'000)));
    CHECK_FALSE(s.line.writable(0, ns(2'000)));
}

TEST_CASE("exclusive transfers of requests that already wait follow each other by retention and forward", "[timing]") {
    MachineConfig config = round_machine(8);
    config.retention = ns(6);
    LineServer s(config);
    s.place(0);
    std::vector<LineServer::Asked*> asked;
    for (std::int32_t cpu = 1; cpu < 8; ++cpu) { asked.push_back(&s.ask(cpu, Want::own, ns(1'000 + cpu))); }
    s.run();
    for (std::size_t k = 0; k < asked.size(); ++k) {
        CHECK(asked[k]->done_at == ns(1'001 + 90) + static_cast<std::int64_t>(k) * ns(6 + 40));
    }
}

TEST_CASE("a request that arrives with its predecessor's completion is forwarded, one that comes later is not",
          "[timing]") {
    LineServer s(round_machine());
    s.place(0);
    s.ask(1, Want::own, ns(1'000));  // done at 1090
    auto& just = s.ask(2, Want::own, ns(1'089));
    s.run();
    CHECK(just.done_at == ns(1'130));
    auto& late = s.ask(3, Want::own, ns(1'131));
    s.run();
    CHECK(late.done_at == ns(1'221));
}

// --- readers of a shared line -----------------------------------------------------------------------------------

TEST_CASE("n simultaneous readers of a shared line overlap, each c after the one before", "[timing]") {
    // A server with service time c: the k-th is through after k c, the mean after c (n + 1) / 2, the last after c n.
    // The data is there one latency after a reader's service began.
    const std::int32_t n = GENERATE(1, 2, 7, 40);
    const std::int64_t c = 10;
    LineServer s(round_machine(64));
    s.share({0, 1});
    std::vector<LineServer::Asked*> readers;
    readers.reserve(static_cast<std::size_t>(n));
    for (std::int32_t k = 0; k < n; ++k) { readers.push_back(&s.ask(2 + k, Want::read, ns(1'000))); }
    auto& writer = s.ask(60, Want::own, ns(1'000));
    s.run();
    Time sum{};
    for (std::int32_t k = 0; k < n; ++k) {
        CHECK(readers[static_cast<std::size_t>(k)]->done_at == ns(1'000 + 90 + c * k));
        sum += readers[static_cast<std::size_t>(k)]->done_at - ns(1'000 + 90 - c);
    }
    CHECK(2 * sum == n * ns(c * (n + 1)));
    CHECK(writer.granted_at == ns(1'000 + c * n));  // who writes waits for all of them to be served
}

TEST_CASE("each domain serves its own readers", "[timing]") {
    LineServer s(clustered_machine(2, 4));
    s.share({0, 4});  // copies in both domains
    auto& a = s.ask(1, Want::read, ns(1'000));
    auto& b = s.ask(5, Want::read, ns(1'000));
    auto& c = s.ask(6, Want::read, ns(1'000));
    s.run();
    CHECK(a.done_at == ns(1'090));
    CHECK(b.done_at == ns(1'090));
    CHECK(c.done_at == ns(1'100));
}

TEST_CASE("the first reader of a domain pays the distance, its neighbours the local cache", "[timing]") {
    LineServer s(clustered_machine(2, 4));
    s.share({0, 1});
    auto& first = s.ask(4, Want::read, ns(1'000));
    s.run();
    CHECK(first.done_at == ns(1'290));
    CHECK(first.distance == 1);
    auto& second = s.ask(5, Want::read, ns(2'000));
    s.run();
    CHECK(second.done_at == ns(2'090));
    CHECK(second.distance == 0);
}

TEST_CASE("a reader overtaken by an exclusive grant uses its data once and keeps no copy", "[timing]") {
    // The reader is served at 1000 and has its data at 1090. The writer's snoop passes 40 ns after its arrival.
    const std::int64_t arrives = GENERATE(1'010, 1'049, 1'050, 1'051);
    LineServer s(round_machine());
    s.share({0, 1});
    auto& reader = s.ask(2, Want::read, ns(1'000));
    s.ask(3, Want::own, ns(arrives));
    s.run_until(ns(1'090));
    CHECK(reader.done);
    CHECK(s.line.readable(2, ns(1'090)) ==
          (arrives + 40 > 1'090));  // only a snoop that is still to come finds the copy
    s.run();
    CHECK(s.line.owner() == 3);
    CHECK_FALSE(s.line.has_copy(2));
}

TEST_CASE("a reader overtaken by two exclusive grants keeps no copy either", "[timing]") {
    LineServer s(clustered_machine(2, 4));  // the reader is far away: 290 ns
    s.share({0, 1});
    auto& reader = s.ask(4, Want::read, ns(1'000));  // occupies the server until 1050
    s.ask(2, Want::own, ns(1'010));
    s.ask(3, Want::own, ns(1'020));
    s.run();
    CHECK(reader.done_at == ns(1'290));
    CHECK(s.line.owner() == 3);
    CHECK_FALSE(s.line.has_copy(4));
}

// --- stores to a shared line ------------------------------------------------------------------------------------

TEST_CASE("a store to a shared line is one broadcast, with 2 sharers and with 48", "[timing]") {
    const std::int32_t sharers = GENERATE(2, 3, 48);
    LineServer s(round_machine(64));
    std::vector<std::int32_t> cpus;
    cpus.reserve(static_cast<std::size_t>(sharers));
    for (std::int32_t cpu = 0; cpu < sharers; ++cpu) { cpus.push_back(cpu); }
    s.share(cpus);
    auto& store = s.ask(63, Want::own, ns(1'000));
    s.run_until(ns(1'000));
    CHECK(store.done_at == ns(1'090));
    for (const std::int32_t cpu : cpus) {
        CHECK(s.line.readable(cpu, ns(1'039)));
        CHECK_FALSE(s.line.readable(cpu, ns(1'040)));
    }
    s.run();
    for (const std::int32_t cpu : cpus) { CHECK_FALSE(s.line.has_copy(cpu)); }
}

TEST_CASE("a store to a line shared across clusters pays the farthest", "[timing]") {
    LineServer s(clustered_machine(2, 4));
    s.share({0, 4});
    auto& store = s.ask(1, Want::own, ns(1'000));
    s.run();
    CHECK(store.done_at == ns(1'290));
    CHECK(store.distance == 1);
}

TEST_CASE("an upgrade of one's own shared copy costs a transfer, and the copy stays readable until the snoop",
          "[timing]") {
    LineServer s(round_machine());
    s.share({0, 1});
    auto& upgrade = s.ask(0, Want::own, ns(1'000));
    s.run_until(ns(1'000));
    CHECK(upgrade.done_at == ns(1'090));
    CHECK(s.line.readable(0, ns(1'039)));
    CHECK_FALSE(s.line.writable(0, ns(1'039)));
    s.run();
    CHECK(s.line.owner() == 0);
    CHECK_FALSE(s.line.has_copy(1));
}

// --- the owner's window -----------------------------------------------------------------------------------------

TEST_CASE("an operation that the owner began before the snoop delays it by exactly its rest", "[timing]") {
    const std::int64_t end = GENERATE(1'039, 1'040, 1'041, 1'075);
    LineServer s(round_machine());
    s.place(0);
    auto& own = s.ask(1, Want::own, ns(1'000));
    s.run_until(ns(1'038));
    s.owner_busy(ns(end));
    const std::int64_t late = std::max<std::int64_t>(0, end - 1'040);
    CHECK(s.line.lose_at() == ns(1'040 + late));
    CHECK(s.line.writable(0, ns(1'039 + late)));
    CHECK_FALSE(s.line.writable(0, ns(1'040 + late)));
    s.run();
    CHECK(own.done_at == ns(1'090 + late));
}

TEST_CASE("an operation that is under way when the request arrives delays the snoop too", "[timing]") {
    const std::int64_t end = GENERATE(1'020, 1'040, 1'100);
    LineServer s(round_machine());
    s.place(0);
    s.line.hold_until(ns(end));
    auto& own = s.ask(1, Want::own, ns(1'000));
    s.run();
    CHECK(own.done_at == ns(std::max<std::int64_t>(1'040, end) + 50));
}

TEST_CASE("an operation of the owner delays a reader's snoop as well", "[timing]") {
    LineServer s(round_machine());
    s.place(0);
    auto& read = s.ask(1, Want::read, ns(1'000));
    s.run_until(ns(1'038));
    s.owner_busy(ns(1'047));
    s.run();
    CHECK(read.done_at == ns(1'097));
}

TEST_CASE("a new owner's first operation is finished before the next request takes the line", "[timing]") {
    const std::int64_t lasts = GENERATE(0, 5, 200);
    LineServer s(round_machine());
    s.place(0);
    auto& first = s.ask(1, Want::own, ns(1'000));
    s.run_until(ns(1'090));
    REQUIRE(first.done);
    s.owner_busy(ns(1'090 + lasts));
    auto& second = s.ask(2, Want::own, ns(1'091));
    s.run();
    CHECK(second.done_at == ns(std::max<std::int64_t>(1'131, 1'090 + lasts) + 50));
}

TEST_CASE("drawn retention is exponential, one stream a line", "[timing]") {
    MachineConfig config = round_machine();
    config.retention = ns(6);
    config.arbitration = Arbitration::drawn;
    const auto gaps = [&](std::uint64_t seed) {
        LineServer s(config, seed);
        s.place(0);
        std::vector<LineServer::Asked*> asked;
        asked.reserve(2'000);
        for (std::int32_t k = 0; k < 2'000; ++k) { asked.push_back(&s.ask(k % 4, Want::own, ns(1'000))); }
        s.run();
        std::vector<std::int64_t> result;
        for (std::size_t k = 1; k < asked.size(); ++k) {
            result.push_back((asked[k]->done_at - asked[k - 1]->done_at - ns(40)).ps);
        }
        return result;
    };
    const auto once = gaps(1);
    CHECK(once == gaps(1));
    CHECK(once != gaps(2));
    double sum = 0;
    for (const std::int64_t gap : once) {
        REQUIRE(gap >= 0);
        sum += static_cast<double>(gap);
    }
    CHECK(sum / static_cast<double>(once.size()) == Catch::Approx(6'000).epsilon(0.1));  // 4.5 standard errors
}

// --- far operations ---------------------------------------------------------------------------------------------

TEST_CASE("a far operation takes the copies away, is executed at the home, and gives no ownership", "[timing]") {
    LineServer s(round_machine());
    s.place(0);
    auto& far = s.ask(1, Want::far, ns(1'000));
    s.run();
    CHECK(far.done_at == ns(1'000 + 40 + 9));
    CHECK(far.resumed_at == ns(1'049 + 45));
    CHECK(s.line.owner() == -1);
    CHECK_FALSE(s.line.has_copy(0));
    CHECK_FALSE(s.line.has_copy(1));
}

TEST_CASE("far operations on a line at home follow each other by far_occupancy alone", "[timing]") {
    LineServer s(round_machine(16));
    s.ask(0, Want::far, ns(0));
    s.run();
    std::vector<LineServer::Asked*> asked;
    asked.reserve(16);
    for (std::int32_t cpu = 0; cpu < 16; ++cpu) { asked.push_back(&s.ask(cpu, Want::far, ns(1'000))); }
    s.run();
    for (std::size_t k = 0; k < asked.size(); ++k) {
        CHECK(asked[k]->done_at == ns(1'009 + 9 * static_cast<std::int64_t>(k)));
        CHECK(asked[k]->resumed_at == asked[k]->done_at + ns(45));
    }
}

TEST_CASE("the first far operation on a line in memory brings it from there", "[timing]") {
    LineServer s(round_machine());
    auto& far = s.ask(1, Want::far, ns(1'000));
    s.run();
    CHECK(far.done_at == ns(1'000 + 160 + 9));  // memory without request and response
}

// --- who is next ------------------------------------------------------------------------------------------------

TEST_CASE("fifo serves by arrival, wherever the requests come from", "[unit]") {
    LineServer s(with(Discipline::fifo, 3, 4));
    s.place(0);
    const std::vector<std::int32_t> cpus{5, 1, 9, 2, 6, 10, 3, 4};
    for (std::size_t i = 0; i < cpus.size(); ++i) {
        s.ask(cpus[i], Want::own, ns(1'000 + static_cast<std::int64_t>(i)));
    }
    s.run();
    CHECK(s.order == cpus);
}

TEST_CASE("by_domain goes round the domains that have requests, first come first served inside each", "[unit]") {
    LineServer s(with(Discipline::by_domain, 3, 4));
    s.place(0);
    s.ask(11, Want::own, ns(900));  // under way while the others arrive; the next domain is then 0
    for (const std::int32_t cpu : {1, 2, 3, 5, 6, 9}) { s.ask(cpu, Want::own, ns(950)); }
    s.run();
    CHECK(s.order == std::vector<std::int32_t>{11, 1, 5, 9, 2, 6, 3});
}

TEST_CASE("nearest_first serves the present owner's domain while it has requests", "[unit]") {
    LineServer s(with(Discipline::nearest_first, 3, 4));
    s.place(0);
    s.ask(4, Want::own, ns(900));
    for (const std::int32_t cpu : {9, 1, 5, 2, 6}) { s.ask(cpu, Want::own, ns(950)); }
    s.run();
    CHECK(s.order == std::vector<std::int32_t>{4, 5, 6, 9, 1, 2});  // then by arrival among equal distances
}

TEST_CASE("nearest_first lets nobody be overtaken more often than the bound says", "[unit]") {
    MachineConfig config = with(Discipline::nearest_first, 2, 32);
    config.overtake_bound = GENERATE(1, 3, 16);
    LineServer s(config);
    s.place(0);
    s.ask(1, Want::own, ns(900));
    s.ask(40, Want::own, ns(910));
    for (std::int32_t cpu = 2; cpu < 30; ++cpu) { s.ask(cpu, Want::own, ns(920)); }
    s.run();
    const auto place = std::find(s.order.begin(), s.order.end(), 40) - s.order.begin();
    CHECK(place == 1 + config.overtake_bound);
}

TEST_CASE("the bound on overtaking holds for those that wait behind the oldest, too", "[unit]") {
    // Symptom: only the oldest request's overtakers were counted, so that one behind it could be overtaken once more by
    // as many when it had become the oldest itself.
    MachineConfig config = with(Discipline::nearest_first, 3, 16);
    config.overtake_bound = 2;
    sim::RandomStream random(1, "overtaking", static_cast<std::uint64_t>(GENERATE(range(0, 30))));
    LineServer s(config);
    s.place(0);
    std::vector<LineServer::Asked*> asked;
    asked.reserve(48);
    for (std::int32_t cpu = 0; cpu < 48; ++cpu) {
        asked.push_back(&s.ask(static_cast<std::int32_t>(random.below(48)), Want::own, ns(random.uniform(0, 4'000))));
    }
    s.run();
    std::sort(asked.begin(), asked.end(), [](auto* a, auto* b) { return a->request.arrival < b->request.arrival; });
    for (std::size_t i = 0; i < asked.size(); ++i) {
        int overtakers = 0;
        for (std::size_t k = i + 1; k < asked.size(); ++k) {
            overtakers += asked[k]->granted_at < asked[i]->granted_at;
        }
        REQUIRE(overtakers <= config.overtake_bound);
    }
}

TEST_CASE("random service is uniform over those that wait, and the same for the same seed", "[unit]") {
    const auto first_served = [](std::uint64_t seed) {
        LineServer s(with(Discipline::random, 2, 4), seed);
        s.place(0);
        s.ask(0, Want::far, ns(0));
        s.ask(1, Want::own, ns(900));
        for (const std::int32_t cpu : {2, 3, 4, 5, 6}) { s.ask(cpu, Want::own, ns(950)); }
        s.run();
        return s.order[2];
    };
    std::map<std::int32_t, int> count;
    for (std::uint64_t seed = 0; seed < 5'000; ++seed) { ++count[first_served(seed)]; }
    REQUIRE(count.size() == 5);
    for (const auto& [cpu, times] : count) {
        CHECK(times == Catch::Approx(1'000).margin(140));
    }  // five standard deviations
    CHECK(first_served(7) == first_served(7));
}

TEST_CASE("every request is served exactly once under any discipline", "[unit]") {
    const auto discipline =
        GENERATE(Discipline::fifo, Discipline::by_domain, Discipline::nearest_first, Discipline::random);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        sim::RandomStream random(seed, "requests");
        LineServer s(with(discipline, 3, 5), seed);
        std::vector<LineServer::Asked*> asked;
        asked.reserve(60);
        for (int i = 0; i < 60; ++i) {
            asked.push_back(&s.ask(static_cast<std::int32_t>(random.below(15)), static_cast<Want>(random.below(3)),
                                   ns(random.uniform(0, 3'000))));
        }
        s.run();
        REQUIRE(s.order.size() == asked.size());
        for (const auto* a : asked) {
            REQUIRE(a->done);
            REQUIRE(a->granted_at >= a->at);
            REQUIRE(a->done_at >= a->granted_at);
        }
    }
}
