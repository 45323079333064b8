// The arena: named slots, one line or more each, at a fixed place.
#include "model/machine/arena.hpp"

#include <cstring>

#include "sim/failure.hpp"
#include "tests/catch.hpp"

using namespace model;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("slots begin on lines of their own, the first line stays free", "[unit]") {
    Arena arena(64);
    CHECK(Arena::offset(arena.allocate("a", 4)) == 64);
    CHECK(Arena::offset(arena.allocate("b", 64)) == 128);
    CHECK(Arena::offset(arena.allocate("c", 65)) == 192);
    CHECK(Arena::offset(arena.allocate("d", 0)) == 320);
    CHECK(Arena::offset(arena.allocate("e", 1)) == 384);
    CHECK(reinterpret_cast<std::uintptr_t>(arena.allocate("f", 1)) == Arena::base + 448);
}

TEST_CASE("lines of 128 bytes keep slots further apart", "[unit]") {
    Arena arena(128);
    CHECK(Arena::offset(arena.allocate("a", 4)) == 128);
    CHECK(Arena::offset(arena.allocate("b", 4)) == 256);
}

TEST_CASE("addresses have the names of their slots", "[unit]") {
    Arena arena(64);
    arena.allocate("timers", 8);
    arena.allocate("node", 100);
    CHECK(arena.name_of(64) == "timers");
    CHECK(arena.name_of(68) == "timers+4");
    CHECK(arena.name_of(72) == "");  // behind the slot, on its line
    CHECK(arena.name_of(128) == "node");
    CHECK(arena.name_of(227) == "node+99");
    CHECK(arena.name_of(228) == "");
    CHECK(arena.name_of(0) == "");
    CHECK(arena.slot_at(63) == nullptr);
}

TEST_CASE("what lies outside the arena is private", "[unit]") {
    const Arena arena(64);
    const int local = 0;
    CHECK_FALSE(Arena::contains(&local));
    CHECK(Arena::contains(reinterpret_cast<void*>(Arena::base)));
    CHECK(Arena::contains(reinterpret_cast<void*>(Arena::base + Arena::bytes - 1)));
    CHECK_FALSE(Arena::contains(reinterpret_cast<void*>(Arena::base + Arena::bytes)));
    CHECK_FALSE(Arena::contains(reinterpret_cast<void*>(Arena::base - 1)));
}

TEST_CASE("memory is zeroed, also in the next simulation", "[unit]") {
    for (int round = 0; round < 2; ++round) {
        Arena arena(64);
        auto* bytes = static_cast<unsigned char*>(arena.allocate("a", 1'000));
        for (int i = 0; i < 1'000; ++i) { REQUIRE(bytes[i] == 0); }
        std::memset(bytes, 0xAB, 1'000);
    }
}

TEST_CASE("a full arena says for what there was no room, one line more or less matters", "[unit]") {
    Arena arena(64);
    arena.allocate("everything else", Arena::bytes - 128);
    CHECK_NOTHROW(arena.allocate("the last line", 64));
    CHECK_THROWS_WITH(arena.allocate("one more", 1),
                      ContainsSubstring("the arena (256 MiB) is full: no room for one more"));
}

TEST_CASE("there is one arena at a time", "[unit]") {
    const Arena arena(64);
    CHECK_THROWS_AS(Arena(64), sim::InternalError);
}

TEST_CASE("slots are charged to the account that is open", "[unit]") {
    Arena arena(64);
    arena.allocate("nobody's", 1);
    const std::uint16_t lock = arena.open_account("lock");
    arena.allocate("word", 1);
    arena.close_account();
    arena.allocate("shared", 1);
    arena.resume_account(lock);
    arena.allocate("node", 1);
    CHECK(lock == 1);
    CHECK(arena.slots()[0].account == 0);
    CHECK(arena.slots()[1].account == lock);
    CHECK(arena.slots()[2].account == 0);
    CHECK(arena.slots()[3].account == lock);
}
