// What breaks the host program ends it with status 3 and one line that names the context. Each case runs in a child.
#include "sim/crash_report.hpp"

#include <cstdio>

#include "sim/failure.hpp"
#include "tests/catch.hpp"
#include "tests/sim/child.hpp"
#include "tests/sim/fibers.hpp"

using namespace sim;
using namespace sim::test;
using Catch::Matchers::ContainsSubstring;

namespace {

void describe(const void*, long index, char* out, std::size_t size) {
    std::snprintf(out, size, index < 0 ? "the running context" : "context %ld", index);
}

/// A run in which fiber 2 of 4 does something bad.
template <class Deed>
ChildEnd run_with(const Deed& deed) {
    return in_child([&] {
        Rig rig;
        const CrashReport report(rig.stacks, rig.engine, describe, nullptr);
        for (std::uint64_t number = 1; number <= 4; ++number) {
            rig.runner(number, picoseconds(10), [&](Runner& self) {
                if (self.number() == 3) { deed(); }
            });
        }
        rig.engine.run(seconds(1));
    });
}

volatile int sink = 0;
volatile std::uintptr_t nowhere = 64;  // volatile: compilers object to a constant

__attribute__((noinline)) int recurse(int depth) {
    volatile char frame[256];
    frame[depth % 256] = static_cast<char>(depth);
    if (depth == 1'000'000) { return sink; }
    return recurse(depth + 1) + frame[depth % 256];
}

}  // namespace

TEST_CASE("a stack overflow ends the process with status 3 and names the context by its guard page", "[unit]") {
    const ChildEnd end = run_with([] { sink = recurse(1); });
    CHECK(end.exit_status == 3);
    CHECK(end.said == "locksim: stack overflow in context 2\n");
}

TEST_CASE("an invalid access ends the process with status 3", "[unit]") {
    const ChildEnd end = run_with([] { *reinterpret_cast<volatile int*>(nowhere) = 1; });
    CHECK(end.exit_status == 3);
    CHECK(end.said == "locksim: invalid memory access in the running context\n");
}

TEST_CASE("a run without bad deeds is left alone", "[unit]") {
    const ChildEnd end = run_with([] {});
    CHECK(end.exit_status == 0);
    CHECK(end.said.empty());
}

TEST_CASE("ten seconds of host time without a step end the process with status 3", "[unit][slow]") {
    const ChildEnd end = run_with([] {
        for (;;) { sink = sink + 1; }
    });
    CHECK(end.exit_status == 3);
    CHECK(end.said == "locksim: 10 s without a step in the running context\n");
}

TEST_CASE("a second simulation at a time is refused, one after the other is not", "[unit]") {
    Rig rig;
    {
        const CrashReport report(rig.stacks, rig.engine, describe, nullptr);
        CHECK_THROWS_WITH(CrashReport(rig.stacks, rig.engine, describe, nullptr),
                          ContainsSubstring("two simulations at a time"));
    }
    CHECK_NOTHROW(CrashReport(rig.stacks, rig.engine, describe, nullptr));
}
