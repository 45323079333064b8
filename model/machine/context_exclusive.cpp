// Load-exclusive and store-exclusive, and WFE: what the reservation and the event register of a CPU do.

#include "model/machine/context.hpp"
#include "model/machine/machine.hpp"

namespace model {

using sim::Time;

namespace {

constexpr FineTime never(Time::max());

}  // namespace

void Context::load_exclusive() {
    ++accesses_;
    if (cpu_.stores != 0) [[unlikely]] { drain_overlapping(access_.address, access_.size); }
    by_llsc_ = true;
    CacheLine* line = line_of(access_.address);
    bool changed = false;
    if (line == nullptr) {  // private memory: nobody can take it
        access_.result = apply(access_, changed);
        cpu_.reservation.lost_at = Time::max();
        by_llsc_ = false;
        return;
    }
    const bool exclusive = machine_.config().load_exclusive == LoadExclusive::exclusive;
    const std::int32_t core = cpu_.core();
    if (exclusive ? line->writable(core, engine_.now()) : line->readable(core, engine_.now())) {
        access_.result = apply(access_, changed);
    } else {
        miss(*line, exclusive ? Want::own : Want::read, nullptr);
    }
    by_llsc_ = false;
    memory_.reserve(*this);
    if (const std::int64_t hold = machine_.config().llsc_hold_cycles; hold > 0 && line->writable(core, engine_.now())) {
        const Time end = (position_ + cpu_.clock().cycles(hold)).time();
        if (const Time late = line->hold_until(end); late.ps != 0) { memory_.delay(*line, late); }
    }
}

bool Context::store_exclusive() {
    if (cpu_.ll_to_sc.length != FineTime()) { advance(cpu_.ll_to_sc); }
    ++accesses_;
    if (cpu_.stores != 0) [[unlikely]] { drain(); }
    by_llsc_ = true;
    CacheLine* line = line_of(access_.address);
    Reservation& reservation = cpu_.reservation;
    bool stored = reservation.holds(engine_.now());
    if (stored && line == nullptr) {
        bool changed = false;
        access_.result = apply(access_, changed);
    } else if (stored && line->writable(cpu_.core(), engine_.now())) {
        const Time end = (position_ + cpu_.hit.length).time();
        if (const Time late = line->hold_until(end); late.ps != 0) { memory_.delay(*line, late); }
        bool changed = false;
        access_.result = apply(access_, changed);
        note_change(changed);
        if (cpu_.shares_core) [[unlikely]] { memory_.written_by_own_core(*line, *this); }
    } else if (stored) {
        exclusive_store_ = true;
        refused_ = false;
        request_.condition = machine_.config().sc_upgrade == ScUpgrade::checked ? &reservation : nullptr;
        miss(*line, Want::own, nullptr);
        stored = !refused_;
        refused_ = exclusive_store_ = false;
        request_.condition = nullptr;
    }
    ++(stored ? sc_successes_ : sc_failures_);
    if (!stored) {
        hash(static_cast<std::uint32_t>(Hashed::sc_fail), Arena::offset(access_.address), 0);
        if (observed_) [[unlikely]] { observe_failed_store(); }
    }
    by_llsc_ = false;
    memory_.drop_reservation(cpu_, ReservationLoss::used);
    return stored;
}

// --- WFE ----------------------------------------------------------------------------------------------------------

/// The reservation's loss if it is known, and the event stream's next event.
FineTime Context::next_event(FineTime from) const {
    FineTime event = never;
    const Reservation& reservation = cpu_.reservation;
    if (reservation.lost_at != Time::max() && reservation.loss == ReservationLoss::taken) {
        event = std::max(from, FineTime(reservation.lost_at));
    }
    if (const Time period = machine_.config().event_stream; period.ps > 0) {
        event = std::min(event, FineTime(period * (from.time() / period + 1)));
    }
    return event;
}

/// The load that was in vain was a load-exclusive; the WFE comes when it is done.
void Context::sleep_until_event() {
    state_ = State::polling;
    memory_.reserve(*this);
    wait_.wfe_at = position_ + cpu_.hit.length;
    wait_.skipped = 0;
    FineTime event = next_event(wait_.wfe_at);
    if (cpu_.event_register) {
        cpu_.event_register = false;
        event = wait_.wfe_at;
    }
    wait_.next_poll = event == never ? never : event + cpu_.wfe_wake.length;
    if (event != never) { engine_.schedule(*this, wait_.next_poll.time()); }
    cpu_.observe(Activity::halted, wait_.wfe_at.time());
}

void Context::wait_for_event(sim::CallSite where) {
    access_.where = where;
    advance(cpu_.relax);
    if (cpu_.event_register) {
        cpu_.event_register = false;
        return;
    }
    const FineTime event = next_event(position_);
    wait_.wfe_at = position_;
    state_ = State::sleeping;
    cpu_.reservation.sleeper = this;
    position_ = event == never ? never : event + cpu_.wfe_wake.length;
    if (event != never) {
        engine_.schedule(*this, position_.time());
    } else if (!interrupts().will_come()) {
        asleep_ = true;
        settle();
    }
    cpu_.observe(Activity::halted, wait_.wfe_at.time());
    suspend();
    cpu_.observe(cpu_.activity(), engine_.now());
    cpu_.reservation.sleeper = nullptr;
}

void Context::wake_up(Time at) {
    if (frozen_) {
        cpu_.event_register = true;  // it will see it when it goes on
        return;
    }
    if (std::exchange(asleep_, false)) { unsettle(); }
    const FineTime next = std::max(FineTime(at), wait_.wfe_at) + cpu_.wfe_wake.length;
    FineTime& planned = state_ == State::sleeping ? position_ : wait_.next_poll;
    if (pending() && planned <= next) { return; }
    planned = next;
    engine_.schedule(*this, next.time());
}

void Context::send_event(sim::CallSite where) {
    access_.where = where;
    for (Context& other : machine_.contexts()) {
        const bool asleep = other.state_ == State::sleeping || (other.state_ == State::polling && other.waits_by_wfe_);
        if (asleep) {
            other.wake_up(engine_.now());
        } else {
            other.cpu_.event_register = true;
        }
    }
    advance(cpu_.relax);
}

}  // namespace model
