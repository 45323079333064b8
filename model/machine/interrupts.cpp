// See interrupts.hpp.

#include "model/machine/interrupts.hpp"

#include <algorithm>

#include "model/machine/machine.hpp"
#include "sim/failure.hpp"

namespace model {

using sim::Time;

Interrupts::Interrupts(Machine& machine, Cpu& cpu, std::uint64_t number)
    : Actor(number, fire), machine_(machine), cpu_(cpu) {}

Interrupts::Source& Interrupts::add_source() {
    if (sources_.size() + 1 == numbers) { throw sim::InternalError("too many sources of interrupts on one CPU"); }
    return sources_.emplace_back(*this, number() + 1 + sources_.size());
}

sim::Fiber* Interrupts::Source::fire(sim::Actor& actor) {
    auto& self = static_cast<Source&>(actor);
    self.owner_.raise(self);
    return nullptr;
}

sim::Fiber* Interrupts::fire(sim::Actor& actor) {
    auto& self = static_cast<Interrupts&>(actor);
    const bool timed = self.busy() && self.frames_.back().source->handler == nullptr;
    if (timed) {
        self.end();
    } else {
        self.take_pending();
    }
    return nullptr;
}

void Interrupts::raise(Source& source) {
    source.pending_ = true;
    take_pending();
}

void Interrupts::raise_at(Source& source, Time at) {
    if (source.pending() && source.pending_at() <= at) { return; }
    machine_.engine().schedule(source, at);
}

void Interrupts::unmask() {
    masked_ = false;
    for (const Source& source : sources_) {
        if (!source.pending_) { continue; }
        machine_.engine().schedule(*this, machine_.engine().now());  // not on the fiber that it will freeze
        return;
    }
}

void Interrupts::take_pending() {
    for (Source& source : sources_) {
        if (masked_) { return; }
        if (source.pending_ && !source.active_) { begin(source); }
    }
}

Context* Interrupts::running() const {
    if (busy()) { return frames_.back().source->handler; }
    return thread_ != nullptr && thread_->alive() ? thread_ : nullptr;
}

Context* Interrupts::code() const {
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
        if (frame->source->handler != nullptr) { return frame->source->handler; }
    }
    return thread_ != nullptr && thread_->alive() ? thread_ : nullptr;
}

bool Interrupts::will_run_code() const {
    const bool timed = busy() && frames_.back().source->handler == nullptr;
    if (timed ? frames_.back().masked : masked_) { return false; }
    return std::any_of(sources_.begin(), sources_.end(),
                       [](const Source& source) { return source.handler != nullptr && comes(source); });
}

bool Interrupts::will_come() const { return !masked_ && std::any_of(sources_.begin(), sources_.end(), comes); }

bool Interrupts::comes(const Source& source) {
    return (source.recurs || source.pending_ || source.pending()) && !source.active_;
}

void Interrupts::begin(Source& source) {
    sim::Engine& engine = machine_.engine();
    Context* interrupted = running();
    source.pending_ = false;
    source.active_ = true;
    if (interrupted != nullptr) { interrupted->freeze(); }
    const Activity now_doing = source.stands_still ? Activity::halted : Activity::interrupt;
    frames_.push_back({&source, interrupted, cpu_.become(now_doing, engine.now()), masked_});
    masked_ = !source.nests;
    if (!source.stands_still) {
        forget_reservation();
        engine.digest().add(static_cast<std::uint32_t>(Hashed::interrupt_begin),
                            static_cast<std::uint32_t>(source.number()), engine.now().ps, 0, 0);
        machine_.observe_event("interrupt_begin", cpu_.number(), 0, 0, source.name);
    }
    if (source.handler != nullptr) {
        source.handler->run_as_handler();
    } else {
        engine.schedule(*this, engine.now() + source.length);
    }
}

void Interrupts::end() {
    sim::Engine& engine = machine_.engine();
    const Frame frame = frames_.back();
    frames_.pop_back();
    frame.source->active_ = false;
    masked_ = frame.masked;
    const bool killed = frame.interrupted != nullptr && !frame.interrupted->alive();
    cpu_.become(killed ? Activity::idle : frame.activity, engine.now());
    if (!frame.source->stands_still) {
        forget_reservation();
        cpu_.event_register = true;
        engine.digest().add(static_cast<std::uint32_t>(Hashed::interrupt_end),
                            static_cast<std::uint32_t>(frame.source->number()), engine.now().ps, 0, 0);
        machine_.observe_event("interrupt_end", cpu_.number(), 0, 0, frame.source->name);
    }
    if (frame.interrupted != nullptr) { frame.interrupted->thaw(!frame.source->stands_still); }
    if (!busy() && deferred_) { machine_.set_frequency(cpu_.number(), *std::exchange(deferred_, std::nullopt)); }
    take_pending();
    // Others may have been waiting for this handler alone; a thread that goes on will look itself.
    if (frame.source->handler != nullptr && code() == nullptr) { machine_.handler_settled(); }
}

void Interrupts::forget_reservation() { machine_.memory().drop_reservation(cpu_, ReservationLoss::interrupt); }

}  // namespace model
