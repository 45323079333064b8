#pragma once
// Boost.Context fibers with direct switches: whoever must wait resumes the next one itself; there is no trampoline
// through a main fiber. Fibers are abandoned at the end, never unwound: nothing on a fiber stack may own host memory,
// and no exception crosses a switch. The address sanitizer is told of every switch.

#include <cstddef>
#include <new>
#include <span>
#include <utility>

#include <boost/context/fiber.hpp>

#include "sim/sanitizer.hpp"

namespace sim {

class Fiber {
public:
    using Entry = void (*)(void* argument);  ///< must never return

    /// The host's own stack, as a fiber that others can switch back to.
    Fiber() = default;
    /// A fiber that will call entry(argument) when it is first switched to.
    Fiber(std::span<std::byte> stack, Entry entry, void* argument);
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// Suspends `from`, which must be the running fiber, and runs `to`. Returns when someone switches back.
    [[gnu::always_inline]] static void switch_to(Fiber& from, Fiber& to) {
        previous_ = &from;
#ifdef LOCKSIM_ASAN
        void* fake_stack = nullptr;
        __sanitizer_start_switch_fiber(&fake_stack, to.stack_.data(), to.stack_.size());
#endif
        boost::context::fiber suspended = std::move(to.context()).resume();
#ifdef LOCKSIM_ASAN
        from.arrived(fake_stack);
#endif
        previous_->keep(std::move(suspended));
    }

private:
    // The destructor of boost::context::fiber unwinds the stack; a fiber kept in raw storage is simply forgotten.
    boost::context::fiber& context() { return *std::launder(reinterpret_cast<boost::context::fiber*>(storage_)); }
    void keep(boost::context::fiber&& suspended) { new (storage_) boost::context::fiber(std::move(suspended)); }
#ifdef LOCKSIM_ASAN
    void arrived(void* fake_stack);
#endif
    boost::context::fiber enter(boost::context::fiber&& suspended);

    alignas(boost::context::fiber) std::byte storage_[sizeof(boost::context::fiber)];
    Entry entry_ = nullptr;
    void* argument_ = nullptr;
    std::span<std::byte> stack_;  // known to the address sanitizer; the main fiber's is learnt at its first switch

    static inline Fiber* previous_ = nullptr;  // who switched last: its context is kept on arrival
};

}  // namespace sim
