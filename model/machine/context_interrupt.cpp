// A context whose CPU is taken away: by an interrupt, which gives it back, or for good.

#include "model/machine/context.hpp"
#include "model/machine/machine.hpp"

namespace model {

using sim::Time;

namespace {

/// What a store-exclusive depends on whose reservation was lost on the way, whatever has been reserved since.
constexpr Reservation lost{};

}  // namespace

void Context::freeze() {
    frozen_ = true;
    frozen_at_ = engine_.now();
    note_request_begun();
    if (exclusive_store_ && request_.condition != nullptr) { request_.condition = &lost; }
    switch (state_) {
        case State::advancing:
            if (wait_.walking) { walk(cpu_); }
            engine_.cancel(*this);
            return;
        case State::polling:
            if (!waits_by_wfe_) { walk(cpu_); }
            engine_.cancel(*this);
            return;
        case State::sleeping:
            cpu_.reservation.sleeper = nullptr;
            engine_.cancel(*this);
            return;
        case State::requesting:  // on its way, whatever the CPU does
        case State::following:
        case State::draining:
        case State::fetching:
        case State::returning: count_stall(); return;
        case State::running:
        case State::idle:
        case State::finished: return;
    }
}

void Context::thaw(bool woken) {
    if (killed_) { return; }
    frozen_ = false;
    if (woken) { stop_watching(); }  // code of its own CPU has run: it must look before it settles again
    const Time now = engine_.now();
    const FineTime lost_time(now - frozen_at_);
    switch (state_) {
        case State::polling:
            if (waits_by_wfe_) {
                thaw_sleep(wait_.next_poll, woken);
                return;
            }
            [[fallthrough]];
        case State::advancing:
            position_ = position_ + lost_time;
            cycles_begin_ = cycles_begin_ + lost_time;
            engine_.schedule(*this, position_.time());
            return;
        case State::sleeping:
            cpu_.reservation.sleeper = this;
            thaw_sleep(position_, woken);
            return;
        case State::returning:
            if (std::exchange(held_, false)) {
                // A standstill may follow at once; where requests merge, a store of its own core may have committed.
                look_again_ = look_again_ || woken || memory_.merges();
                position_ = FineTime(now);
                engine_.schedule(*this, now);
            }
            return;
        case State::requesting:
        case State::following:
        case State::draining:
        case State::fetching:
        case State::running:
        case State::idle:
        case State::finished: return;
    }
}

void Context::thaw_sleep(FineTime& wake_at, bool woken) {
    const FineTime now(engine_.now());
    FineTime event = now;
    if (!woken && !std::exchange(cpu_.event_register, false)) { event = std::max(now, next_event(wait_.wfe_at)); }
    if (event != FineTime(Time::max()) && std::exchange(asleep_, false)) { unsettle(); }
    wake_at = event == FineTime(Time::max()) ? event : event + cpu_.wfe_wake.length;
    if (wake_at.time() < Time::max()) { engine_.schedule(*this, wake_at.time()); }
}

void Context::run_as_handler() {
    position_ = FineTime(engine_.now());
    cycles_begin_ = position_;
    cycles_ = {};
    state_ = State::advancing;
    engine_.schedule(*this, engine_.now());
}

void Context::kill() {
    if (!alive()) { return; }
    stop_watching();
    if (std::exchange(asleep_, false)) { unsettle(); }
    if (!frozen_) {
        freeze();
        cpu_.become(Activity::idle, engine_.now());
    }
    hash(static_cast<std::uint32_t>(Hashed::thread_end), 1, 0);
    if (observed_) [[unlikely]] { observe_event("thread_killed"); }
    killed_ = true;
    machine_.context_finished();
}

}  // namespace model
