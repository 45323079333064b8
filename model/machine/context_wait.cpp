// The named waits: a context that spins on its own copy of a line produces no traffic, so its polls need no events. It
// parks; when the line grants someone who will take the copy, the first poll that misses is computed, in the phase it
// would have had. Polls and their judgement happen in events: the fiber is resumed only when its wait is over.
//
// One period of a spin is  hit (the poll) | relax | loop.  With elision off the fiber walks from poll to poll itself,
// or even from piece to piece; every event that matters happens at the same time and in the same order, which the
// digest proves. What interrupts a spin or changes its clock makes it walk piece by piece up to its next poll: which
// piece has ended when both fall on one instant is then settled as everything is, by the order of events.

#include "model/machine/context.hpp"
#include "model/machine/machine.hpp"

namespace model {

using sim::Time;

std::uint64_t Context::wait(const WaitRequest& request) {
    access_.where = request.where;
    if (cpu_.stores != 0) [[unlikely]] { drain_overlapping(request.word, request.size); }
    line_ = line_of(request.word);
    wait_.request = &request;
    wait_.polls = wait_.skipped = 0;
    wait_.must_look = look_again_ = false;
    prepare(request.word, request.size, Operation::load, 0, 0);
    hash(static_cast<std::uint32_t>(Hashed::wait_begin), Arena::offset(request.word), 0);
    if (observed_) [[unlikely]] { observe_wait("wait_begin", 0); }
    Context* const outer = std::exchange(cpu_.waiting, this);
    if (line_ != nullptr && (machine_.options().spin_elision || waits_by_wfe_)) {
        parked_wait_ = true;
        if (!poll()) { suspend(); }
        parked_wait_ = false;
    } else {
        wait_by_polling();
    }
    cpu_.waiting = outer;
    advance(cpu_.hit);
    hash(static_cast<std::uint32_t>(Hashed::wait_end), Arena::offset(request.word), wait_.polls);
    if (observed_) [[unlikely]] { observe_wait("wait_end", wait_.value); }
    return wait_.value;
}

[[gnu::always_inline]] inline void Context::walk_to_next_poll() {
    if (machine_.options().walk_in_pieces) {
        for (const Cost* piece : {&cpu_.hit, &cpu_.relax, &cpu_.loop}) { advance(*piece); }
        return;
    }
    position_ = position_ + period();
    if (engine_.run_ahead(*this, position_.time())) { return; }
    wait_.walking = true;
    wait_.next_poll = position_;
    schedule_end_of({});
    suspend();
    wait_.walking = false;
    while (wait_.piece >= 0 && !walk_on()) {
        state_ = State::advancing;
        suspend();
    }
}

void Context::wait_by_polling() {
    for (;;) {
        ++accesses_;
        if (line_ != nullptr && !line_->readable(cpu_.core(), engine_.now())) {
            stop_watching();
            miss(*line_, Want::read, nullptr);
        } else {
            bool changed = false;
            access_.result = apply(access_, changed);
        }
        if (judge(access_.result)) { break; }
        if (!std::exchange(look_again_, false)) { watch_copy(); }
        if (machine_.stopping()) { engine_.stop(); }
        walk_to_next_poll();
    }
}

bool Context::poll() {
    ++accesses_;
    wait_.must_look = false;
    if (!line_->readable(cpu_.core(), engine_.now())) {
        stop_watching();
        request_line(*line_, Want::read);
        return false;
    }
    bool changed = false;
    if (judge(apply(access_, changed))) { return true; }
    watch_copy();
    park();
    return false;
}

bool Context::judge(std::uint64_t value) {
    ++wait_.polls;
    wait_.value = value;
    const WaitRequest& request = *wait_.request;
    const bool over = request.holds(request.predicate, value) || wait_.polls == request.max_polls;
    if (over) { stop_watching(); }
    return over;
}

void Context::watch_copy() {
    if (line_ == nullptr || wait_.watching) { return; }
    if (!line_->readable(cpu_.core(), engine_.now()) || line_->lose_at() != Time::max()) { return; }
    wait_.watching = true;
    wait_.previous = nullptr;
    wait_.next = line_->waiters;
    if (wait_.next != nullptr) { wait_.next->wait_.previous = this; }
    line_->waiters = this;
    if (wait_.request->max_polls == 0) {
        wait_.settled = true;
        settle();
    }
}

void Context::settle() {
    if (!handler_) {
        machine_.context_settled();
    } else {
        machine_.handler_settled();
    }
}

void Context::unsettle() {
    if (!handler_) { machine_.context_unsettled(); }
}

void Context::stop_watching() {
    if (!wait_.watching) { return; }
    wait_.watching = false;
    if (wait_.next != nullptr) { wait_.next->wait_.previous = wait_.previous; }
    if (wait_.previous != nullptr) {
        wait_.previous->wait_.next = wait_.next;
    } else {
        line_->waiters = wait_.next;
    }
    if (wait_.settled) {
        wait_.settled = false;
        unsettle();
    }
}

void Context::copy_will_be_lost() {
    stop_watching();
    if (!parked_wait_ || frozen_ || wait_.piece >= 0) { return; }  // its next poll is a real one
    if (waits_by_wfe_) {
        wake_up(line_->lose_at());
    } else {
        schedule_poll();
    }
}

void Context::copy_was_written() {
    stop_watching();
    if (!parked_wait_ || state_ != State::polling || frozen_ || wait_.piece >= 0) { return; }
    if (waits_by_wfe_) {
        wake_up(engine_.now());
        return;
    }
    wait_.must_look = true;
    schedule_poll();
}

void Context::park() {
    if (waits_by_wfe_) {
        sleep_until_event();
        return;
    }
    state_ = State::polling;
    wait_.next_poll = position_ + period();
    schedule_poll();
}

void Context::schedule_poll() {
    wait_.skipped = 0;
    wait_.misses = false;
    const Time now = engine_.now();
    const bool readable = line_->readable(cpu_.core(), now);
    const std::uint64_t bound = wait_.request->max_polls;
    const Time lost = readable ? line_->lose_at() : now;
    std::uint64_t skip = lost == Time::max() ? ~std::uint64_t{0} : polls_until(lost);
    bool misses = lost != Time::max();
    if (bound != 0 && bound - wait_.polls - 1 < skip) {
        skip = bound - wait_.polls - 1;
        misses = false;
    }
    if (wait_.must_look) {
        skip = polls_until(now);
        misses = false;
    }
    if (skip == ~std::uint64_t{0}) { return; }  // nobody takes the copy, nothing bounds the spin
    wait_.skipped = skip;
    // Nobody gives the copy back before this CPU asks for it: the poll needs no event, only its request's arrival does.
    wait_.misses = misses && !observed_ && cpu_.fetches == 0 && !cpu_.shares_core;
    const FineTime poll = wait_.next_poll + period() * skip;
    engine_.schedule(*this, (wait_.misses ? poll + cpu_.request_path.length : poll).time());
}

sim::Fiber* Context::poll_after_skipped() {
    if (wait_.piece >= 0) [[unlikely]] { return walk_on() && poll() ? &fiber_ : nullptr; }
    if (wait_.misses) [[likely]] {
        begin_request_of_poll();
        state_ = State::fetching;
        memory_.arrive(request_, *line_);
        return nullptr;
    }
    wait_.polls += wait_.skipped;
    accesses_ += wait_.skipped;
    position_ = wait_.next_poll + period() * wait_.skipped;
    wait_.skipped = 0;
    if (waits_by_wfe_) { cpu_.observe(cpu_.activity(), engine_.now()); }
    return poll() ? &fiber_ : nullptr;
}

void Context::begin_request_of_poll() {
    wait_.polls += wait_.skipped;
    accesses_ += wait_.skipped + 1;
    begin_request(wait_.next_poll + period() * wait_.skipped, Want::read);
    if (memory_.merges()) [[unlikely]] { memory_.follow(request_, *line_); }  // never: its core has no other
    wait_.skipped = 0;
    wait_.misses = false;
}

void Context::note_request_begun() {
    if (state_ != State::polling || !wait_.misses) { return; }
    if (!engine_.has_passed(*this, (wait_.next_poll + period() * wait_.skipped).time())) { return; }
    begin_request_of_poll();
    state_ = State::requesting;
}

std::uint64_t Context::polls_until(Time at) const {
    const Time now = engine_.now();
    const FineTime from(std::max(at, now));
    std::uint64_t n = 0;
    if (wait_.next_poll < from) {
        const FineTime::Raw gap = (from - wait_.next_poll).raw();
        const FineTime::Raw each = period().raw();
        for (FineTime::Raw reached = 0; n < 4 && reached < gap; ++n) { reached += each; }
        if (n == 4 && each * 4 < gap) { n = static_cast<std::uint64_t>((gap + each - 1) / each); }
    }
    const Time first = (wait_.next_poll + period() * n).time();
    if (first == now && engine_.has_passed(*this, now)) { ++n; }
    return n;
}

std::uint64_t Context::polls_begun(FineTime period) const {
    const Time now = engine_.now();
    const FineTime at(now);
    const std::uint64_t before =
        wait_.next_poll < at ? static_cast<std::uint64_t>(((at - wait_.next_poll).raw() - 1) / period.raw()) + 1 : 0;
    const bool one_now = (wait_.next_poll + period * before).time() == now && engine_.has_passed(*this, now);
    const std::uint64_t begun = one_now ? before + 1 : before;
    return wait_.misses ? std::min(begun, wait_.skipped + 1) : begun;
}

namespace {

constexpr Cost Cpu::*pieces[] = {&Cpu::hit, &Cpu::relax, &Cpu::loop};  // of a period

}  // namespace

void Context::walk(const Cpu& costs) {
    if (wait_.piece >= 0) { return; }
    wait_.misses = false;
    const FineTime each = costs.hit.length + costs.relax.length + costs.loop.length;
    const std::uint64_t passed = polls_begun(each);
    wait_.polls += passed;
    accesses_ += passed;
    wait_.skipped = 0;
    position_ = wait_.next_poll + each * passed - each;  // the poll that began last
    do { enter_piece(costs); } while (wait_.piece < 2 && engine_.has_passed(*this, position_.time()));
    engine_.schedule(*this, position_.time());
}

void Context::enter_piece(const Cpu& costs) {
    const Cost& piece = costs.*pieces[++wait_.piece];
    cycles_begin_ = position_;
    cycles_ = piece.span;
    position_ = position_ + piece.length;
}

bool Context::walk_on() {
    if (wait_.piece == 2) {
        wait_.piece = -1;
        return true;
    }
    enter_piece(cpu_);
    engine_.schedule(*this, position_.time());
    return false;
}

}  // namespace model
