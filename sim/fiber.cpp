// See fiber.hpp.

#include "sim/fiber.hpp"

#include <cstdlib>

#include <boost/context/preallocated.hpp>

namespace sim {

namespace {

/// The stack belongs to the pool: Boost.Context must neither allocate nor free it.
struct BorrowedStack {
    boost::context::stack_context allocate() { std::abort(); }
    void deallocate(boost::context::stack_context&) {}
};

}  // namespace

Fiber::Fiber(std::span<std::byte> stack, Entry entry, void* argument)
    : entry_(entry), argument_(argument), stack_(stack) {
    boost::context::stack_context context;
    context.size = stack.size();
    context.sp = stack.data() + stack.size();
    keep(boost::context::fiber(std::allocator_arg, boost::context::preallocated(context.sp, context.size, context),
                               BorrowedStack{},
                               [this](boost::context::fiber&& suspended) { return enter(std::move(suspended)); }));
}

boost::context::fiber Fiber::enter(boost::context::fiber&& suspended) {
#ifdef LOCKSIM_ASAN
    arrived(nullptr);
#endif
    previous_->keep(std::move(suspended));
    entry_(argument_);
    std::abort();  // a fiber's entry never returns
}

#ifdef LOCKSIM_ASAN
void Fiber::arrived(void* fake_stack) {
    const void* bottom = nullptr;
    std::size_t size = 0;
    __sanitizer_finish_switch_fiber(fake_stack, &bottom, &size);
    if (previous_->stack_.empty()) {  // the host's own stack
        previous_->stack_ = {const_cast<std::byte*>(static_cast<const std::byte*>(bottom)), size};
    }
}
#endif

}  // namespace sim
