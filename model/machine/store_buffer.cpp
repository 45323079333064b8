// See store_buffer.hpp.

#include "model/machine/store_buffer.hpp"

#include <algorithm>

#include "model/machine/cache_line_serving.hpp"
#include "model/machine/context.hpp"
#include "model/machine/machine.hpp"

namespace model {

using sim::Time;

StoreBuffer::StoreBuffer(sim::Engine& engine, Memory& memory, Cpu& cpu, const MachineConfig& config,
                         std::uint64_t first_number)
    : engine_(engine),
      memory_(memory),
      cpu_(cpu),
      depth_(config.store_buffer),
      early_(config.store_fetch == StoreFetch::early),
      drain_min_(config.store_drain_min) {
    std::uint64_t number = first_number;
    for (std::int32_t n = 0; n < prefetches; ++n) { prefetches_.emplace_back(*this, number++).prefetch = true; }
    for (std::int32_t n = 0; n < depth_; ++n) { slots_.emplace_back(*this, number++); }
    for (std::deque<Slot>* slots : {&slots_, &prefetches_}) {
        for (Slot& slot : *slots) {
            slot.request.actor = &slot;
            slot.request.buffered = true;
            slot.request.cpu = cpu.number();
            slot.request.core = cpu.core();
            slot.request.domain = cpu.domain();
            slot.request.want = Want::own;
            slot.request.kind = AccessKind::store;
        }
    }
}

sim::Fiber* StoreBuffer::Slot::fire(sim::Actor& actor) {
    auto& slot = static_cast<Slot&>(actor);
    switch (slot.state) {
        case State::requesting:
            slot.state = State::fetching;
            slot.buffer.memory_.arrive(slot.request, *slot.line);
            break;
        case State::fetching: slot.buffer.memory_.complete(slot); break;
        case State::following:
            slot.state = State::ready;
            slot.has_turn = true;
            if (slot.prefetch) {
                slot.state = State::free;
                --slot.buffer.cpu_.fetches;
                break;
            }
            [[fallthrough]];
        case State::ready: slot.buffer.try_commit(slot); break;
        case State::free: break;
    }
    return nullptr;
}

void StoreBuffer::enter(Context& context, CacheLine& line, const Access& access, FineTime now) {
    Slot& slot = slots_[static_cast<std::size_t>((first_ + stores_) % depth_)];
    ++stores_;
    ++cpu_.stores;
    ++cpu_.fetches;
    memory_.store_entered();
    slot.access = access;
    slot.line = &line;
    slot.request.context = &context;
    slot.request.where = access.where;
    slot.label = context.label_;
    slot.not_before = now.time() + drain_min_;
    if (line.writable(cpu_.core(), engine_.now())) {  // it only waits for those before it
        slot.state = Slot::State::ready;
        if (stores_ == 1) { engine_.schedule(slot, slot.not_before); }
    } else if (stores_ > 1 && !early_) {
        slot.state = Slot::State::ready;
    } else {
        request(slot, now);
    }
}

void StoreBuffer::prefetch(Context& context, CacheLine& line, void* word, FineTime now) {
    if (line.writable(cpu_.core(), engine_.now())) { return; }
    for (Slot& slot : prefetches_) {
        if (slot.state != Slot::State::free) { continue; }
        slot.access = {.address = word, .operation = Operation::store, .where = context.last_site()};
        slot.line = &line;
        slot.request.context = &context;
        slot.request.where = slot.access.where;
        slot.label = context.label_;
        ++cpu_.fetches;
        request(slot, now);
        return;
    }
}

void StoreBuffer::request(Slot& slot, FineTime begin) {
    slot.has_turn = false;
    memory_.attach(*slot.line);
    if (memory_.causes() != nullptr) [[unlikely]] {
        memory_.causes()->requested(memory_.number_of(*slot.line), *slot.line, slot.request, engine_.now());
    }
    if (memory_.follow(slot.request, *slot.line)) {
        slot.state = Slot::State::following;
        return;
    }
    slot.state = Slot::State::requesting;
    engine_.schedule(slot, (begin + cpu_.request_path.length).time());
}

Time StoreBuffer::line_came(Slot& slot) {
    if (slot.prefetch) {
        slot.state = Slot::State::free;
        --cpu_.fetches;
        return engine_.now();
    }
    slot.state = Slot::State::ready;
    if (&slot != &head()) { return engine_.now(); }
    if (slot.not_before > engine_.now()) {
        engine_.schedule(slot, slot.not_before);
        return engine_.now();
    }
    commit(slot);
    return engine_.now() + cpu_.hit.length.time();
}

void StoreBuffer::try_commit(Slot& slot) {
    if (&slot != &head()) {  // its turn will come
        slot.has_turn = false;
        return;
    }
    if (slot.not_before > engine_.now()) {
        engine_.schedule(slot, slot.not_before);
    } else if (!slot.line->writable(cpu_.core(), engine_.now())) {
        request(slot, FineTime(engine_.now()));
    } else if (cpu_.shares_core && !slot.has_turn && slot.line->busy_until() > engine_.now()) {
        if (slot.line->writable(cpu_.core(), slot.line->busy_until())) {
            slot.has_turn = true;
            engine_.schedule(slot, memory_.take_turn(*slot.line, cpu_.hit));
        } else {  // a snoop comes first
            request(slot, FineTime(engine_.now()));
        }
    } else {
        commit(slot);
    }
}

void StoreBuffer::commit(Slot& slot) {
    const Time now = engine_.now();
    const Time end = (FineTime(now) + cpu_.hit.length).time();
    slot.has_turn = false;
    if (const Time late = slot.line->hold_until(std::max(end, slot.line->busy_until())); late.ps != 0) {
        memory_.delay(*slot.line, late);
    }
    slot.request.context->commit(slot);
    memory_.written_by_own_core(*slot.line, *slot.request.context);
    slot.state = Slot::State::free;
    first_ = (first_ + 1) % depth_;
    --stores_;
    --cpu_.stores;
    --cpu_.fetches;
    if (stores_ != 0 && head().state == Slot::State::ready) { engine_.schedule(head(), end); }
    release(waits_for_room_);
    if (stores_ == 0) { release(waits_for_empty_); }
    memory_.store_committed(*slot.request.context);
}

const StoreBuffer::Slot* StoreBuffer::youngest(const void* address, std::size_t size) const {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    for (std::int32_t n = stores_ - 1; n >= 0; --n) {
        const Slot& slot = slots_[static_cast<std::size_t>((first_ + n) % depth_)];
        const auto stored = reinterpret_cast<std::uintptr_t>(slot.access.address);
        if (begin < stored + slot.access.size && stored < begin + size) { return &slot; }
    }
    return nullptr;
}

bool StoreBuffer::forwards(const Slot& slot, const void* address, std::size_t size, std::uint64_t& value) {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    const auto stored = reinterpret_cast<std::uintptr_t>(slot.access.address);
    if (begin < stored || begin + size > stored + slot.access.size) { return false; }
    value = slot.access.operand >> (8 * (begin - stored));
    if (size < 8) { value &= (std::uint64_t{1} << (8 * size)) - 1; }
    return true;
}

void StoreBuffer::wait_until_empty(Context& context) {
    context.next_drained_ = waits_for_empty_;
    waits_for_empty_ = &context;
}

void StoreBuffer::wait_for_room(Context& context) {
    context.next_drained_ = waits_for_room_;
    waits_for_room_ = &context;
}

void StoreBuffer::release(Context*& waiter) {
    while (waiter != nullptr) {
        Context& context = *waiter;
        waiter = context.next_drained_;
        context.drained();
    }
}

}  // namespace model
