// See lock_monitor.hpp.

#include "model/metrics/lock_monitor.hpp"

namespace model {

using sim::Time;

double jain_index(const std::vector<std::uint64_t>& counts) {
    double sum = 0;
    double squares = 0;
    for (const std::uint64_t x : counts) {
        sum += static_cast<double>(x);
        squares += static_cast<double>(x) * static_cast<double>(x);
    }
    return squares == 0 ? 1.0 : sum * sum / (static_cast<double>(counts.size()) * squares);
}

LockMonitor::LockMonitor(std::size_t threads) : users_(threads) {
    for (std::size_t i = 0; i < threads; ++i) { users_[i].thread = static_cast<std::int32_t>(i); }
}

bool LockMonitor::begin_acquire(std::int32_t thread, Time now) {
    LockUser& u = user(thread);
    if (!u.ever) {
        u.ever = true;
        ++user_count_;
    }
    u.contended = owner_ >= 0 || first_waiter_ != nullptr;
    u.waiting = true;
    u.since = now;
    u.acquisitions_at_arrival = total_;
    u.earlier = last_waiter_;
    u.later = nullptr;
    if (last_waiter_ == nullptr) {
        first_waiter_ = &u;
    } else {
        last_waiter_->later = &u;
    }
    last_waiter_ = &u;
    return u.contended;
}

void LockMonitor::leave_queue(LockUser& u) {
    if (u.earlier == nullptr) {
        first_waiter_ = u.later;
    } else {
        u.earlier->later = u.later;
    }
    if (u.later == nullptr) {
        last_waiter_ = u.earlier;
    } else {
        u.later->earlier = u.earlier;
    }
    u.waiting = false;
}

void LockMonitor::give_up_acquire(std::int32_t thread) {
    ++failed_tries_;
    leave_queue(user(thread));
}

WaitRecord LockMonitor::wait_of(const LockUser& u, Time now) const {
    return {now - u.since, u.since, total_ - u.acquisitions_at_arrival, u.thread, owner_};
}

bool LockMonitor::end_acquire(std::int32_t thread, Time now) {
    LockUser& u = user(thread);
    const WaitRecord wait = wait_of(u, now);
    if (first_waiter_ != &u) { ++steals_; }
    leave_queue(u);
    const bool exclusive = owner_ < 0;

    if (released_ && u.since <= released_at_) { handover_.add((now - released_at_).ps); }
    released_ = false;
    wait_.add(wait.length.ps);
    if (u.contended) {
        ++contended_;
        contended_wait_.add(wait.length.ps);
    }
    longest_bypass_ = std::max(longest_bypass_, wait.bypassed);
    if (longest_wait_.thread < 0 || wait.length > longest_wait_.length) {
        longest_wait_ = wait;
        longest_wait_.holder = previous_owner_;
    }
    if (overtaken(wait) && wait.length > worst_overtaken_.length) { worst_overtaken_ = wait; }

    ++total_;
    ++acquisitions_;
    if (u.acquired_number != 0) { reacquire_.add(static_cast<std::int64_t>(total_ - u.acquired_number - 1)); }
    u.acquired_number = total_;
    ++u.acquisitions;
    streak_ = previous_owner_ == thread ? streak_ + 1 : 1;
    longest_streak_ = std::max(longest_streak_, streak_);
    count_in_millisecond(u, now);

    owner_ = previous_owner_ = thread;
    held_since_ = now;
    return exclusive;
}

bool LockMonitor::begin_release(std::int32_t thread, Time now) {
    if (owner_ != thread) { return false; }
    hold_.add((now - held_since_).ps);
    owner_ = -1;
    released_at_ = now;
    released_ = true;
    return true;
}

void LockMonitor::count_in_millisecond(LockUser& u, Time now) {
    const std::int64_t ms = now / sim::milliseconds(1);
    if (ms != millisecond_) {
        close_millisecond();
        millisecond_ = ms;
    }
    if (u.window_id != ms) {
        u.window_id = ms;
        u.in_window = 0;
    }
    squares_ += 2 * u.in_window + 1;  // (x + 1)^2 - x^2
    ++u.in_window;
    ++in_millisecond_;
}

void LockMonitor::close_millisecond() {
    if (millisecond_ >= 0 && squares_ != 0) {
        const double sum = static_cast<double>(in_millisecond_);
        const double jain = sum * sum / (static_cast<double>(user_count_) * static_cast<double>(squares_));
        jain_sum_ += jain;
        jain_min_ = std::min(jain_min_, jain);
        ++jain_windows_;
    }
    in_millisecond_ = squares_ = 0;
}

void LockMonitor::begin_window(Time now) {
    window_begin_ = now;
    acquisitions_ = contended_ = failed_tries_ = steals_ = 0;
    streak_ = longest_streak_ = longest_bypass_ = 0;
    for (Histogram* h : {&wait_, &contended_wait_, &hold_, &handover_, &reacquire_}) { h->clear(); }
    longest_wait_ = WaitRecord{};
    millisecond_ = -1;
    in_millisecond_ = squares_ = jain_windows_ = 0;
    jain_sum_ = 0;
    jain_min_ = 2;
    for (LockUser& u : users_) {
        u.acquisitions = 0;
        u.window_id = -1;
    }
}

WaitRecord LockMonitor::wait_under_way(std::int32_t thread, Time now) const {
    const LockUser& u = users_[static_cast<std::size_t>(thread)];
    return u.waiting ? wait_of(u, now) : WaitRecord{};
}

WaitRecord LockMonitor::longest_overtaken(Time now) const {
    WaitRecord worst = worst_overtaken_;
    for (const LockUser* u = first_waiter_; u != nullptr; u = u->later) {
        const WaitRecord wait = wait_of(*u, now);
        if (overtaken(wait) && wait.length > worst.length) { worst = wait; }
    }
    return worst;
}

LockResult LockMonitor::result(Time now, const std::vector<std::string>& thread_names) const {
    LockResult r;
    r.acquisitions = acquisitions_;
    r.contended = contended_;
    r.failed_tries = failed_tries_;
    r.steals = steals_;
    const double window_s = sim::to_nanoseconds(now - window_begin_) / 1e9;
    r.throughput_per_s = window_s > 0 ? static_cast<double>(acquisitions_) / window_s : 0;
    r.wait_ns = wait_.summary(1e3);
    r.contended_wait_ns = contended_wait_.summary(1e3);
    r.hold_ns = hold_.summary(1e3);
    r.handover_ns = handover_.summary(1e3);
    r.longest_streak = longest_streak_;
    r.longest_bypass = longest_bypass_;
    r.reacquire_samples = reacquire_.samples();
    r.reacquire_p50 = static_cast<double>(reacquire_.percentile(500));
    r.reacquire_p99 = static_cast<double>(reacquire_.percentile(990));

    WaitRecord longest = longest_wait_;
    std::vector<std::uint64_t> shares;
    for (const LockUser& u : users_) {
        if (u.ever) { shares.push_back(u.acquisitions); }
        if (!u.waiting) { continue; }
        const WaitRecord wait = wait_of(u, now);
        r.longest_bypass = std::max(r.longest_bypass, wait.bypassed);
        if (longest.thread < 0 || wait.length > longest.length) { longest = wait; }
    }
    if (acquisitions_ > 0) { r.jain = jain_index(shares); }
    if (jain_windows_ > 0) {
        r.jain_1ms_min = jain_min_;
        r.jain_1ms_mean = jain_sum_ / static_cast<double>(jain_windows_);
    }
    if (longest.thread >= 0) {
        const auto name = [&](std::int32_t t) {
            return t < 0 ? std::string() : thread_names[static_cast<std::size_t>(t)];
        };
        r.longest_wait = LongestWait{name(longest.thread), longest.holder == longest.thread ? "" : name(longest.holder),
                                     sim::to_nanoseconds(longest.since)};
    }
    return r;
}

}  // namespace model
