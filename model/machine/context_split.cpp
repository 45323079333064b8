// Atomic operations on a word that may lie across two cache lines.

#include "model/machine/context.hpp"
#include "model/machine/machine.hpp"

namespace model {

void Context::change_split() {
    CacheLine* line = line_of(access_.address);
    if (line == nullptr) {  // private memory
        bool changed = false;
        access_.result = apply(access_, changed);
        advance(cpu_.rmw);
        return;
    }
    if (cpu_.stores != 0) { drain(); }
    const auto* last = static_cast<const std::byte*>(access_.address) + access_.size - 1;
    if (line_of(last) == line) {
        change_prepared(*line, cpu_.rmw);
        return;
    }
    stall_begin_ = position_.time();
    stall_counted_ = false;
    if (observed_) [[unlikely]] { count_stall(); }
    cost_after_miss_ = nullptr;
    state_ = State::draining;
    memory_.bus_lock().perform(*this);
    suspend();
}

void Context::change_under_bus_lock(CacheLine* const (&lines)[2]) {
    bool changed = false;
    access_.result = apply(access_, changed);
    note_change(changed);
    if (!changed) { return; }
    for (CacheLine* line : lines) { memory_.written_by_own_core(*line, *this); }
}

}  // namespace model
