// See context.hpp. The named waits are in context_wait.cpp.

#include "model/machine/context.hpp"

#include "model/machine/cache_line_serving.hpp"
#include "model/machine/machine.hpp"

namespace model {

using sim::Time;

Context::Context(Machine& machine, Cpu& cpu, std::uint64_t number, std::size_t stack, std::string name, Body body,
                 void* argument)
    : Actor(number, fire),
      engine_(machine.engine()),
      memory_(machine.memory()),
      cpu_(cpu),
      always_far_(machine.config().atomics == Atomics::far),
      cas_reads_first_(machine.config().atomics == Atomics::near && machine.config().cas_failure == CasFailure::shared),
      want_of_rmw_(machine.config().atomics == Atomics::near ? Want::own : Want::far),
      observed_(machine.options().observer != nullptr),
      rmw_by_llsc_(machine.config().rmw_by == RmwBy::llsc),
      waits_by_wfe_(machine.config().waiting == Waiting::wfe),
      buffers_stores_(machine.config().store_buffer > 0),
      machine_(machine),
      fiber_(machine.stacks_.stack(stack), enter, this),
      name_(std::move(name)),
      body_(body),
      argument_(argument) {
    request_.context = this;
    request_.actor = this;
    request_.cpu = cpu.number();
    request_.core = cpu.core();
    request_.domain = cpu.domain();
}

Interrupts& Context::interrupts() { return machine_.interrupts(cpu_.number()); }

void Context::start(Time at) {
    position_ = FineTime(at);
    cycles_begin_ = position_;
    state_ = State::advancing;
    engine_.schedule(*this, at);
}

void Context::enter(void* self) {
    auto& context = *static_cast<Context*>(self);
    current = &context;
    context.state_ = State::running;
    while (context.handler_) {
        context.body_(context.argument_);
        context.state_ = State::idle;
        context.interrupts().end_of_handler();
        context.suspend();
    }
    context.hash(static_cast<std::uint32_t>(Hashed::thread_begin), static_cast<std::uint64_t>(context.cpu_.number()),
                 0);
    if (context.observed_) [[unlikely]] { context.observe_event("thread_begin"); }
    context.body_(context.argument_);
    context.finish();
}

void Context::finish() {
    hash(static_cast<std::uint32_t>(Hashed::thread_end), 0, 0);
    if (observed_) [[unlikely]] { observe_event("thread_end"); }
    state_ = State::finished;
    cpu_.become(Activity::idle, engine_.now());
    machine_.context_finished();
    for (;;) { engine_.wait(); }  // nothing resumes it
}

sim::Fiber* Context::fire(sim::Actor& actor) {
    auto& self = static_cast<Context&>(actor);
    switch (self.state_) {
        case State::advancing: return &self.fiber_;
        case State::requesting:
            self.state_ = State::fetching;
            self.memory_.arrive(self.request_, *self.line_);
            return nullptr;
        case State::following: return self.follow_on();
        case State::fetching: return self.memory_.complete(self);
        case State::returning: return self.after_fetch(self.engine_.now());
        case State::polling: return self.poll_after_skipped();
        case State::sleeping: return &self.fiber_;
        case State::running:
        case State::draining:
        case State::idle:
        case State::finished: break;
    }
    return nullptr;
}

void Context::schedule_end_of(const Cost& cost) {
    cycles_begin_ = position_ - cost.length;
    cycles_ = cost.span;
    state_ = State::advancing;
    engine_.schedule(*this, position_.time());
}

void Context::request_line(CacheLine& line, Want want) {
    memory_.attach(line);
    line_ = &line;
    const Time at = begin_request(position_, want).time();
    if (memory_.merges()) [[unlikely]] {
        state_ = State::following;
        if (memory_.follow(request_, line)) { return; }
    }
    if (!engine_.is_next(*this, at)) {
        state_ = State::requesting;
        engine_.schedule(*this, at);
    } else if (line.granted() != nullptr) {  // it queues, and nothing else happens then
        state_ = State::fetching;
        line.enqueue(request_);
    } else {
        engine_.run_ahead(*this, at);
        state_ = State::fetching;
        memory_.arrive(request_, line);
    }
}

AccessKind Context::kind_of_access(Want want) const {
    if (want == Want::read) { return AccessKind::load; }
    return access_.operation == Operation::store ? AccessKind::store : AccessKind::atomic;
}

/// Returns when the request arrives at the line.
FineTime Context::begin_request(FineTime begin, Want want) {
    request_.want = want;
    request_.kind = kind_of_access(want);
    stall_begin_ = begin.time();
    stall_counted_ = false;
    if (observed_) [[unlikely]] {
        observe_request(*line_);
        count_stall();
    }
    cycles_begin_ = begin;
    cycles_ = cpu_.request_path.span;
    return position_ = begin + cpu_.request_path.length;
}

void Context::count_stall() {
    if (std::exchange(stall_counted_, true)) { return; }
    activity_before_stall_ = cpu_.become(Activity::stall, stall_begin_);
}

sim::Fiber* Context::wait_on() {
    const bool look_again = std::exchange(look_again_, false) && !waits_by_wfe_;
    if (judge(access_.result)) { return &fiber_; }
    if (look_again) {
        wait_.must_look = true;
    } else {
        watch_copy();
    }
    park();
    return nullptr;
}

/// A compare_exchange that fetches a shared copy, and the line only if the comparison holds.
void Context::compare_by_reading(CacheLine& line) {
    const Access access = access_;
    bool changed = false;
    access_.operation = Operation::load;
    if (line.readable(cpu_.core(), engine_.now())) {
        access_.result = apply(access_, changed);
    } else {
        miss(line, Want::read, nullptr);
    }
    const std::uint64_t seen = access_.result;
    access_ = access;
    access_.result = seen;
    if (seen == access.expected) { miss(line, Want::own, nullptr); }
}

void Context::retime(const Cpu& before) {
    const FineTime now(engine_.now());
    switch (state_) {
        case State::polling:
            if (waits_by_wfe_) { return; }  // asleep; a wake-up that is due keeps its time
            walk(before);
            break;
        case State::advancing:
            if (wait_.walking) { walk(before); }
            break;
        case State::requesting: break;
        default: return;  // running at this very instant, or what is under way is not in its cycles
    }
    if (!pending()) { return; }
    if (cycles_.cycles == 0) { return; }
    const FineTime from = std::max(now, cycles_begin_);
    const std::int64_t done = before.clock().whole_cycles(from - cycles_begin_);
    if (done >= cycles_.cycles) {  // already in the part that no clock changes
        cycles_.cycles = 0;
        return;
    }
    cycles_.cycles -= done;
    cycles_begin_ = from;
    position_ = from + cpu_.clock().length(cycles_);
    engine_.schedule(*this, position_.time());
}

}  // namespace model
