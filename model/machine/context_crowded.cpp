// Accesses of a context whose core may have other requests or operations under way: stores in its CPU's buffer, a
// sibling's instructions.

#include "model/machine/cache_line_serving.hpp"
#include "model/machine/context.hpp"
#include "model/machine/machine.hpp"

namespace model {

using sim::Time;

void Context::change_crowded(CacheLine& line, const Cost& cost) {
    if (access_.operation != Operation::store) {
        if (cpu_.stores != 0) { drain(); }
        change_prepared(line, cost);
        return;
    }
    memory_.attach(line);
    StoreBuffer* buffer = cpu_.store_buffer;
    if (!buffers_stores_) {
        change_prepared(line, cost);
        return;
    }
    const bool busy = cpu_.shares_core && line.busy_until() > engine_.now();
    if (cpu_.stores == 0 && !busy && line.writable(cpu_.core(), engine_.now())) {
        change_prepared(line, cost);
        return;
    }
    while (buffer->full()) { wait_for_stores(false); }  // a handler may have filled it again
    buffer->enter(*this, line, access_, position_);
    advance(cost);
}

/// Of the access prepared, when it may go to the cache.
void Context::change_prepared(CacheLine& line, const Cost& cost) {
    const bool far = access_.operation != Operation::store && always_far_;
    bool here = !far && line.writable(cpu_.core(), engine_.now());
    if (cpu_.shares_core && here && line.busy_until() > engine_.now()) {
        // No turn is kept against a snoop that comes before it: siblings would never let the line go.
        here = line.writable(cpu_.core(), line.busy_until());
        if (here) {
            wait_for_turn(memory_.take_turn(line, cost));
            here = line.writable(cpu_.core(), engine_.now());  // an interrupt may have come meanwhile
        }
    }
    if (here) {
        const FineTime end = position_ + cost.length;
        const Time until = std::max(end.time(), line.busy_until());  // who has taken a turn after this one keeps it
        if (const Time late = line.hold_until(until); late.ps != 0) { memory_.delay(line, late); }
        bool changed = false;
        access_.result = apply(access_, changed);
        note_change(changed);
        if (changed) { memory_.written_by_own_core(line, *this); }
        advance_to(end, cost);
    } else if (access_.operation != Operation::compare_exchange || !cas_reads_first_) {
        miss(line, access_.operation == Operation::store ? Want::own : want_of_rmw_, &cost);
    } else {
        compare_by_reading(line);
        advance(cost);
    }
}

/// Until a sibling's operation on the line has ended.
void Context::wait_for_turn(Time at) {
    position_ = FineTime(at);
    if (engine_.run_ahead(*this, at)) { return; }
    schedule_end_of({});
    suspend();
}

/// What it followed has ended. Either its core has what it needs now, or it asks itself.
sim::Fiber* Context::follow_on() {
    const Time now = engine_.now();
    CacheLine& line = *line_;
    const bool reads = request_.want == Want::read;
    if (reads ? !line.readable(cpu_.core(), now) : !line.writable(cpu_.core(), now)) {
        const Time stall_begin = stall_begin_;
        const bool counted = stall_counted_;
        const Time arrival = begin_request(FineTime(now), request_.want).time();
        stall_begin_ = stall_begin;
        stall_counted_ = counted;
        if (memory_.follow(request_, line)) { return nullptr; }
        state_ = State::requesting;
        engine_.schedule(*this, arrival);
        return nullptr;
    }
    bool changed = false;
    access_.result = apply(access_, changed);
    if (!reads) {
        const bool plain = access_.operation == Operation::store;
        const Time end = (FineTime(now) + (plain ? cpu_.hit : cpu_.rmw).length).time();
        // The line has been kept for this turn, and for those that come after it.
        const Time late = line.hold_until(std::max(end, line.busy_until()));
        if (late.ps != 0) { memory_.delay(line, late); }
    }
    note_fetch(changed);
    if (changed) { memory_.written_by_own_core(line, *this); }
    return after_fetch(now);
}

// --- the store buffer ---------------------------------------------------------------------------------------------

bool Context::load_past_stores(const void* word, std::size_t size) {
    const StoreBuffer::Slot* slot = cpu_.store_buffer->youngest(word, size);
    if (slot == nullptr) { return false; }
    if (StoreBuffer::forwards(*slot, word, size, access_.result)) {
        advance(cpu_.hit);
        return true;
    }
    drain_overlapping(word, size);
    return false;
}

void Context::drain_overlapping(const void* word, std::size_t size) {
    while (cpu_.store_buffer->youngest(word, size) != nullptr) { wait_for_stores(true); }
}

void Context::drain() {
    while (cpu_.stores != 0) { wait_for_stores(true); }  // a handler may have stored since
}

void Context::wait_for_stores(bool all) {
    stall_begin_ = position_.time();
    stall_counted_ = false;
    if (observed_) [[unlikely]] { count_stall(); }
    cost_after_miss_ = nullptr;
    state_ = State::draining;
    if (all) {
        cpu_.store_buffer->wait_until_empty(*this);
    } else {
        cpu_.store_buffer->wait_for_room(*this);
    }
    suspend();
}

void Context::drained() {
    state_ = State::returning;
    engine_.schedule(*this, engine_.now());
}

void Context::commit(StoreBuffer::Slot& slot) {
    const Access under_way = access_;
    access_ = slot.access;
    bool changed = false;
    access_.result = apply(access_, changed);
    hash(what_changed(access_), Arena::offset(access_.address), how_changed(access_));
    if (observed_) [[unlikely]] { observe_commit(slot); }
    access_ = under_way;
}

void Context::note_fetch_of(StoreBuffer::Slot& slot) {
    hash(static_cast<std::uint32_t>(Hashed::fetch) + static_cast<std::uint32_t>(Want::own),
         Arena::offset(slot.access.address), 1);
    if (observed_) [[unlikely]] { observe_fetch_of(slot); }
}

void Context::prefetch_for_write(void* word, sim::CallSite where) {
    access_.where = where;
    if (CacheLine* line = line_of(word); line != nullptr) {
        memory_.start_merging();
        cpu_.store_buffer->prefetch(*this, *line, word, position_);
    }
    advance(cpu_.hit);
}

}  // namespace model
