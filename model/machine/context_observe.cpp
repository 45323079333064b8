// What a context tells an observer of its steps. Reached through the one branch on `observed_`.

#include "model/machine/context.hpp"
#include "model/machine/machine.hpp"

namespace model {

/// The instruction of the access under way.
const char* Context::instruction() const {
    if (!by_llsc_) { return to_string(access_.operation); }
    return access_.operation == Operation::load ? "load_exclusive" : "store_exclusive";
}

sim::Step Context::step(const char* operation, std::uint64_t before, std::uint64_t after) const {
    sim::Step step;
    step.at = engine_.now();
    step.cpu = cpu_.number();
    step.thread = name_.c_str();
    step.label = label_;
    step.operation = operation;
    step.where = access_.where;
    step.address = Arena::offset(access_.address);
    step.old_value = before;
    step.new_value = after;
    if (!Arena::contains(access_.address)) { return step; }
    if (const Arena::Slot* slot = machine_.arena().slot_at(step.address)) {
        step.variable = slot->name.c_str();
        step.offset = step.address - slot->offset;
    }
    step.line_before = step.line_after = Causes::state_of(memory_.line_of(step.address), cpu_.core(), engine_.now());
    if (state_ != State::fetching) { return step; }
    step.instruction = operation == instruction() ? "" : instruction();
    step.line_before = memory_.causes()->state_before(request_);
    step.request = memory_.causes()->number_of(request_);
    step.cause = memory_.causes()->of_miss(request_);
    return step;
}

void Context::observe_change(bool changed) {
    if (!changed && access_.operation == Operation::load) { return; }  // its fetch says all
    std::uint64_t after = access_.result;
    if (changed) { std::memcpy(&after, access_.address, access_.size); }
    machine_.options().observer->on_step(step(instruction(), access_.result, after));
}

void Context::observe_fetch() { machine_.options().observer->on_step(step("fetch", access_.result, access_.result)); }

sim::Step Context::step_of(const StoreBuffer::Slot& slot, const char* operation, std::uint64_t before,
                           std::uint64_t after) {
    sim::Step told = step(operation, before, after);
    told.label = slot.label;
    told.where = slot.access.where;
    told.address = Arena::offset(slot.access.address);
    told.variable = "";
    if (const Arena::Slot* named = machine_.arena().slot_at(told.address)) {
        told.variable = named->name.c_str();
        told.offset = told.address - named->offset;
    }
    told.instruction = "";
    told.line_before = told.line_after = Causes::state_of(*slot.line, cpu_.core(), engine_.now());
    return told;
}

void Context::observe_commit(const StoreBuffer::Slot& slot) {
    machine_.options().observer->on_step(step_of(slot, "store", access_.result, slot.access.operand));
}

void Context::observe_fetch_of(const StoreBuffer::Slot& slot) {
    sim::Step told = step_of(slot, "fetch", 0, 0);
    std::memcpy(&told.old_value, slot.access.address, slot.access.size);
    told.new_value = told.old_value;
    told.instruction = "store";
    told.line_before = memory_.causes()->state_before(slot.request);
    told.request = memory_.causes()->number_of(slot.request);
    told.cause = memory_.causes()->of_miss(slot.request);
    machine_.options().observer->on_step(told);
}

void Context::observe_failed_store() {
    std::uint64_t present = 0;
    std::memcpy(&present, access_.address, access_.size);
    sim::Step failed = step("store_exclusive_failed", present, present);
    failed.cause = memory_.causes()->of_failed_store(cpu_.number());
    machine_.options().observer->on_step(failed);
}

void Context::observe_wait(const char* operation, std::uint64_t value) {
    sim::Step told = step(operation, value, value);
    told.polls = wait_.polls;
    machine_.options().observer->on_step(told);
}

void Context::observe_event(const char* operation) {
    sim::Step event;
    event.at = engine_.now();
    event.cpu = cpu_.number();
    event.thread = name_.c_str();
    event.operation = operation;
    machine_.options().observer->on_step(event);
}

void Context::observe_request(CacheLine& line) {
    memory_.causes()->requested(memory_.number_of(line), line, request_, engine_.now());
}

sim::Cause Context::as_cause(const LineRequest& request) const {
    sim::Cause cause;
    cause.cpu = cpu_.number();
    cause.thread = name_.c_str();
    cause.label = label_;
    cause.operation = request.buffered ? "store" : instruction();
    cause.where = request.buffered ? request.where : access_.where;
    return cause;
}

}  // namespace model
