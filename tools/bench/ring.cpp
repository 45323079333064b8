// See ring.hpp.

#include "tools/bench/ring.hpp"

#include <cstdlib>
#include <utility>

#include <boost/context/preallocated.hpp>

#include "model/machine/arena.hpp"

namespace bench {

using boost::context::fiber;

namespace {

constexpr std::uintptr_t stacks_address = model::Arena::stacks_base + (std::uintptr_t{1} << 40);  // beside a machine's

struct BorrowedStack {
    boost::context::stack_context allocate() { std::abort(); }
    void deallocate(boost::context::stack_context&) {}
};

template <class Body>
fiber make_fiber(std::span<std::byte> stack, Body body) {
    boost::context::stack_context context;
    context.size = stack.size();
    context.sp = stack.data() + stack.size();
    return fiber(std::allocator_arg, boost::context::preallocated(context.sp, context.size, context), BorrowedStack{},
                 body);
}

}  // namespace

Ring::Ring(std::int32_t fibers, const Effort& effort)
    : stacks_(stacks_address, static_cast<std::size_t>(fibers)), ring_(static_cast<std::size_t>(fibers)) {
    for (std::size_t i = 1; i < ring_.size(); ++i) {
        ring_[i] = make_fiber(stacks_.stack(i), [this, i](fiber&& from) { return pass_on(i, std::move(from)); });
    }
    while (ns_per_switch(rounds_) * static_cast<double>(rounds_ * fibers) < effort.sample_ns) { rounds_ *= 2; }
}

double Ring::ns_per_switch(std::int64_t rounds) {
    fiber& first = ring_[1];
    fiber& last = ring_.back();
    const double begin = cpu_time_ns();
    for (std::int64_t n = 0; n < rounds; ++n) {
        // NOLINTNEXTLINE(bugprone-use-after-move): its successor in the ring has put it back (pass_on)
        fiber from = std::move(first).resume();
        last = std::move(from);
    }
    return (cpu_time_ns() - begin) / static_cast<double>(rounds * fibers());
}

fiber Ring::pass_on(std::size_t own, fiber&& arrived) {
    fiber& previous = ring_[own - 1];
    fiber& next = ring_[(own + 1) % ring_.size()];
    previous = std::move(arrived);
    for (;;) {
        // NOLINTNEXTLINE(bugprone-use-after-move): as above
        fiber from = std::move(next).resume();
        previous = std::move(from);
    }
}

}  // namespace bench
