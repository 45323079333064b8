// See bus_lock.hpp.

#include "model/machine/bus_lock.hpp"

#include <algorithm>
#include <utility>

#include "model/machine/cache_line_serving.hpp"
#include "model/machine/context.hpp"
#include "model/machine/machine.hpp"

namespace model {

using sim::Time;

void BusLock::perform(Context& context) {
    if (owner_ == nullptr) {
        begin(context);
        return;
    }
    Context** end = &first_waiting_;
    while (*end != nullptr) { end = &(*end)->next_drained_; }
    *end = &context;
    context.next_drained_ = nullptr;
}

void BusLock::begin(Context& context) {
    owner_ = &context;
    const Access& access = context.access_;
    const std::uint64_t offset = Arena::offset(access.address);
    lines_[0] = &memory_.line_of(offset);
    lines_[1] = &memory_.line_of(offset + access.size - 1);
    const Cpu& cpu = context.cpu();
    request_.context = &context;
    request_.cpu = cpu.number();
    request_.core = cpu.core();
    request_.domain = cpu.domain();
    go_on();
}

void BusLock::go_on() {
    const Time now = engine_.now();
    const Cpu& cpu = owner_->cpu();
    for (CacheLine* line : lines_) {
        if (!line->writable(cpu.core(), now)) {
            request(*line);
            return;
        }
    }
    // After what its core has under way on the lines: a sibling's operation, which has had its effect.
    const Time begin = std::max({now, lines_[0]->busy_until(), lines_[1]->busy_until()});
    const Time end = (FineTime(begin) + cpu.rmw.length).time() + length_;
    for (CacheLine* line : lines_) {
        if (const Time late = line->hold_until(end); late.ps != 0) { memory_.delay(*line, late); }
    }
    owner_->change_under_bus_lock(lines_);
    state_ = State::holding;
    engine_.schedule(*this, end);
}

void BusLock::request(CacheLine& line) {
    memory_.attach(line);
    line_ = &line;
    granted_ = false;
    if (memory_.causes() != nullptr) [[unlikely]] {
        memory_.causes()->requested(memory_.number_of(line), line, request_, engine_.now());
    }
    state_ = State::requesting;
    engine_.schedule(*this, (FineTime(engine_.now()) + owner_->cpu().request_path.length).time());
}

sim::Fiber* BusLock::fire(sim::Actor& actor) {
    auto& self = static_cast<BusLock&>(actor);
    switch (self.state_) {
        case State::requesting:
            self.state_ = State::fetching;
            self.memory_.arrive(self.request_, *self.line_);
            break;
        case State::fetching:
            self.memory_.complete(self.request_, *self.line_);
            self.go_on();
            break;
        case State::holding: self.finish(); break;
        case State::idle: break;
    }
    return nullptr;
}

void BusLock::put_off(CacheLine& line) {
    if (std::find(put_off_.begin(), put_off_.end(), &line) == put_off_.end()) { put_off_.push_back(&line); }
}

void BusLock::finish() {
    state_ = State::idle;
    std::exchange(owner_, nullptr)->drained();
    for (CacheLine* line : std::exchange(put_off_, {})) { memory_.ask_again(*line); }
    if (Context* next = first_waiting_; next != nullptr) {
        first_waiting_ = next->next_drained_;
        begin(*next);
    }
}

}  // namespace model
