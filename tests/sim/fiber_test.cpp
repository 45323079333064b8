// Fibers: direct switches, and what becomes of those that are left behind.
#include "sim/fiber.hpp"

#include <vector>

#include "sim/stack_pool.hpp"
#include "tests/catch.hpp"
#include "tests/sim/fibers.hpp"

using namespace sim;
using namespace sim::test;

namespace {

struct Ring {
    Fiber main;
    std::vector<Fiber*> fibers;
    std::vector<int> log;
};
struct Member {
    Ring* ring;
    int index;
};

void pass_on(void* argument) {
    auto& [ring, index] = *static_cast<Member*>(argument);
    const auto next = static_cast<std::size_t>(index) + 1;
    for (;;) {
        ring->log.push_back(index);
        Fiber& to = next < ring->fibers.size() ? *ring->fibers[next] : ring->main;
        Fiber::switch_to(*ring->fibers[static_cast<std::size_t>(index)], to);
    }
}

struct TellsItsEnd {
    bool& ended;
    ~TellsItsEnd() { ended = true; }
};
struct Abandoned {
    Fiber main;
    Fiber* self = nullptr;
    bool unwound = false;
};

void never_comes_back(void* argument) {
    auto& state = *static_cast<Abandoned*>(argument);
    const TellsItsEnd witness{state.unwound};
    for (;;) { Fiber::switch_to(*state.self, state.main); }
}

}  // namespace

TEST_CASE("fibers switch to one another in a ring and keep their place", "[unit]") {
    const StackPool stacks(stacks_address, 3);
    Ring ring;
    Member members[] = {{&ring, 0}, {&ring, 1}, {&ring, 2}};
    Fiber a(stacks.stack(0), pass_on, &members[0]);
    Fiber b(stacks.stack(1), pass_on, &members[1]);
    Fiber c(stacks.stack(2), pass_on, &members[2]);
    ring.fibers = {&a, &b, &c};
    for (int round = 0; round < 3; ++round) { Fiber::switch_to(ring.main, a); }
    CHECK(ring.log == std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2});
}

TEST_CASE("a fiber that is left behind is not unwound", "[unit]") {
    const StackPool stacks(stacks_address, 1);
    Abandoned state;
    {
        Fiber fiber(stacks.stack(0), never_comes_back, &state);
        state.self = &fiber;
        Fiber::switch_to(state.main, fiber);
    }
    CHECK_FALSE(state.unwound);
}

TEST_CASE("many simulations with fibers left in mid-flight can follow one another", "[unit]") {
    // With the address sanitizer this also shows that abandoned fibers leak nothing and confuse no stack bookkeeping.
    for (int round = 0; round < 200; ++round) {
        Rig rig;
        for (std::uint64_t number = 1; number <= 8; ++number) {
            rig.runner(number, {}, [&](Runner& self) {
                for (;;) { self.go_on_to(rig.engine.now() + picoseconds(static_cast<std::int64_t>(self.number()))); }
            });
        }
        REQUIRE(rig.engine.run(picoseconds(50)) == Ending::time_up);
    }
}

TEST_CASE("a fiber that was never switched to can be forgotten", "[unit]") {
    Rig rig;
    rig.runner(1, picoseconds(10), [](Runner&) {});
    CHECK(rig.engine.run(picoseconds(5)) == Ending::time_up);
}
