// Fiber stacks: where they are, and whose guard page an address is in.
#include "sim/stack_pool.hpp"

#include <set>

#include "sim/failure.hpp"
#include "tests/catch.hpp"
#include "tests/sim/fibers.hpp"

using namespace sim;
using sim::test::stacks_address;

TEST_CASE("stacks lie in their slots, above the guard page, with staggered tops", "[unit]") {
    const StackPool pool(stacks_address, 200);
    std::set<std::uintptr_t> tops_in_slot;
    for (std::size_t i = 0; i < 200; ++i) {
        const auto stack = pool.stack(i);
        const auto low = reinterpret_cast<std::uintptr_t>(stack.data());
        const std::uintptr_t high = low + stack.size();
        const std::uintptr_t slot = stacks_address + i * StackPool::slot_bytes;
        REQUIRE(low == slot + StackPool::guard_bytes);
        REQUIRE(high <= slot + StackPool::slot_bytes);
        REQUIRE(stack.size() >= 48 * 1024);
        REQUIRE(high % 64 == 0);
        tops_in_slot.insert(high - slot);
    }
    CHECK(tops_in_slot.size() == 128);
}

TEST_CASE("an address in a guard page is known by its stack, one byte around it is not", "[unit]") {
    const StackPool pool(stacks_address, 3);
    for (std::size_t i = 0; i < 3; ++i) {
        const std::uintptr_t guard = stacks_address + i * StackPool::slot_bytes;
        CHECK(pool.guard_hit(guard) == static_cast<long>(i));
        CHECK(pool.guard_hit(guard + StackPool::guard_bytes - 1) == static_cast<long>(i));
        CHECK(pool.guard_hit(guard + StackPool::guard_bytes) == -1);
        CHECK(pool.guard_hit(guard - 1) == -1);
    }
    CHECK(pool.guard_hit(stacks_address + 3 * StackPool::slot_bytes) == -1);
}

TEST_CASE("a pool whose place is taken says so, and a freed place can be used again", "[unit]") {
    {
        const StackPool first(stacks_address, 4);
        CHECK_THROWS_AS(StackPool(stacks_address + StackPool::slot_bytes, 1), InternalError);
    }
    CHECK_NOTHROW(StackPool(stacks_address, 4));
}
