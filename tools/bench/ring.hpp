#pragma once
// The bare thing that everything is measured against: a ring of boost::context::fiber, each resuming the next, nothing
// else. Stacks come from the simulator's pool, so that they fall into the host's caches as the simulator's do.

#include <cstdint>
#include <vector>

#include <boost/context/fiber.hpp>

#include "sim/stack_pool.hpp"
#include "tools/bench/effort.hpp"

namespace bench {

class Ring {
public:
    /// At least 2 fibers, of which the caller's is one. Warms up, and finds out how many rounds make a sample.
    Ring(std::int32_t fibers, const Effort& effort);
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;

    std::int32_t fibers() const { return static_cast<std::int32_t>(ring_.size()); }
    /// One sample: ns per switch.
    double sample() { return ns_per_switch(rounds_); }

private:
    double ns_per_switch(std::int64_t rounds);
    boost::context::fiber pass_on(std::size_t own, boost::context::fiber&& arrived);

    sim::StackPool stacks_;
    std::vector<boost::context::fiber> ring_;  // suspended fibers, main the first; the running one's place is empty
    std::int64_t rounds_ = 1;
};

}  // namespace bench
