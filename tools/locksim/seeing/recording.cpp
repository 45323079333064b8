#include "tools/locksim/seeing/recording.hpp"

#include <algorithm>
#include <iterator>

namespace locksim {

using sim::Time;

namespace {

constexpr std::uint64_t line_bytes = 64;  // a lock's first line is the one whose owner is charted

}  // namespace

/// False: this record has no place. Times of kept records and the window agree: it shrinks where something is left out.
template <class Record>
bool Recording::make_room(std::deque<Record>& records) {
    if (records.size() < most_) { return true; }
    if (keep_ == Keep::first) {
        window_.to = std::min(window_.to, records.back().at);
        return false;
    }
    window_.from = std::max(window_.from, records.front().at);
    return true;
}

// Steps
// ---------------------------------------------------------------------------------------------------------

sim::Step Recording::kept(const sim::Step& step) {
    sim::Step copy = step;
    for (const char** text : {&copy.thread, &copy.label, &copy.variable, &copy.cause.thread, &copy.cause.label}) {
        *text = names_.keep(*text);
    }
    copy.where = names_.keep(copy.where);
    copy.cause.where = names_.keep(copy.cause.where);
    return copy;
}

/// The store that took a line often has its data only after the step that failed by it.
void Recording::complete_causes(const sim::Step& step) {
    if (step.request == 0 || causes_under_way_.empty()) { return; }
    const auto waiting = causes_under_way_.find(step.request);
    if (waiting == causes_under_way_.end()) { return; }
    for (const std::uint64_t number : waiting->second) {
        if (number >= steps_dropped_) { steps_[number - steps_dropped_].cause.at = step.at; }
    }
    causes_under_way_.erase(waiting);
}

void Recording::note_line(const sim::Step& step) {
    if (step.offset >= line_bytes || *step.variable == '\0') { return; }
    LineState& line = lines_before_[step.variable];
    if (line.cpu < 0) { line.variable = step.variable; }
    line.cpu = step.cpu;
    line.state = step.line_after;
}

void Recording::on_step(const sim::Step& step) {
    complete_causes(step);
    if (step.at < window_.from) { return note_line(step); }
    if (!asked_.contains(step.at)) { return; }
    ++steps_seen_;
    if (!window_.contains(step.at) || !make_room(steps_)) { return; }
    if (steps_.size() >= most_) {
        steps_.pop_front();
        ++steps_dropped_;
    }
    steps_.push_back(kept(step));
    if (step.cause.request != 0 && step.cause.at == Time::max()) {
        causes_under_way_[step.cause.request].push_back(steps_dropped_ + steps_.size() - 1);
    }
}

const LineState* Recording::line_before(const std::string& variable) const {
    const auto found = std::find_if(lines_before_.begin(), lines_before_.end(),
                                    [&variable](const auto& line) { return line.second.variable == variable; });
    return found == lines_before_.end() ? nullptr : &found->second;
}

// What the CPUs do
// ----------------------------------------------------------------------------------------------

void Recording::on_activity(std::int32_t cpu, const char* activity, Time at) {
    if (only_steps_) { return; }
    const ActivityChange change{cpu, activity, at};
    if (at <= window_.from) {
        activities_before_[cpu] = change;
        return;
    }
    if (at > window_.to || !make_room(activities_)) { return; }
    if (activities_.size() >= most_) {
        activities_before_[activities_.front().cpu] = activities_.front();
        activities_.pop_front();
    }
    activities_.push_back(change);
}

std::vector<ActivityChange> Recording::activities_of(std::int32_t cpu) const {
    std::vector<ActivityChange> changes;
    if (const auto before = activities_before_.find(cpu); before != activities_before_.end()) {
        changes.push_back(before->second);
    }
    std::copy_if(activities_.begin(), activities_.end(), std::back_inserter(changes),
                 [cpu](const ActivityChange& change) { return change.cpu == cpu; });
    std::stable_sort(changes.begin(), changes.end(),
                     [](const ActivityChange& a, const ActivityChange& b) { return a.at < b.at; });
    return changes;
}

// Locks
// ---------------------------------------------------------------------------------------------------------

LockState& Recording::state_of(const char* lock) {
    const auto found =
        std::find_if(locks_before_.begin(), locks_before_.end(), [lock](const auto& l) { return l.first == lock; });
    return found != locks_before_.end() ? found->second : locks_before_.emplace_back(lock, LockState{}).second;
}

void apply_to(LockState& state, const sim::LockStep& step) {
    switch (step.kind) {
        case sim::LockStep::Kind::request:
            ++state.waiters;
            if (step.contended) { state.contending.push_back(step.thread); }
            return;
        case sim::LockStep::Kind::gave_up:
            --state.waiters;
            std::erase(state.contending, step.thread);
            return;
        case sim::LockStep::Kind::acquired:
            --state.waiters;
            std::erase(state.contending, step.thread);
            state.owner_cpu = step.cpu;
            state.owner = step.thread;
            return;
        case sim::LockStep::Kind::release:
            state.owner_cpu = -1;
            state.owner = "";
            return;
    }
}

void Recording::apply(const sim::LockStep& step) { apply_to(state_of(step.lock), step); }

void Recording::on_lock(const sim::LockStep& step) {
    if (only_steps_ || step.at > window_.to) { return; }
    sim::LockStep copy = step;
    copy.thread = names_.keep(step.thread);
    copy.lock = names_.keep(step.lock);
    if (step.at < window_.from) { return apply(copy); }
    state_of(copy.lock);  // so that it has its place
    if (!make_room(locks_)) { return; }
    if (locks_.size() >= most_) {
        apply(locks_.front());
        locks_.pop_front();
    }
    locks_.push_back(copy);
}

}  // namespace locksim
