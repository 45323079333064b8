#pragma once
// Watches one lock from outside: who waits, who holds, in what order. Told of every acquire and release by the thread
// that does it; nothing here is simulated. It checks mutual exclusion on every acquisition and keeps the lock's
// measures. Names follow lock_stat and `perf lock contention` where they have one.

#include <cstdint>
#include <string>
#include <vector>

#include "model/metrics/histogram.hpp"
#include "sim/time.hpp"

namespace model {

class LockMonitor;

/// What a lock knows of one thread.
struct LockUser {
    std::int32_t thread = -1;
    std::uint64_t acquisitions = 0;     // in the window
    std::uint64_t acquired_number = 0;  // which of the lock's acquisitions its last one was, from 1
    std::int64_t window_id = -1;        // of `in_window`
    std::uint64_t in_window = 0;        // acquisitions in the present millisecond
    bool ever = false;

    // A wait under way.
    bool waiting = false;
    bool contended = false;
    sim::Time since{};
    std::uint64_t acquisitions_at_arrival = 0;
    LockUser* earlier = nullptr;  // waiters in order of arrival
    LockUser* later = nullptr;
};

/// A wait of one thread, for "the longest".
struct WaitRecord {
    sim::Time length{};
    sim::Time since{};
    std::uint64_t bypassed = 0;  ///< acquisitions by others meanwhile
    std::int32_t thread = -1;
    std::int32_t holder = -1;  ///< who held the lock when it ended
};

class LockMonitor {
public:
    /// `threads`: how many there are in the simulation.
    explicit LockMonitor(std::size_t threads);

    /// Returns whether somebody holds the lock or waits for it.
    bool begin_acquire(std::int32_t thread, sim::Time now);
    /// Returns false if someone else holds the lock: mutual exclusion is broken.
    bool end_acquire(std::int32_t thread, sim::Time now);
    void give_up_acquire(std::int32_t thread);  ///< a try failed
    /// Returns false if this thread does not hold the lock: nothing is noted then.
    bool begin_release(std::int32_t thread, sim::Time now);

    std::int32_t owner() const { return owner_; }  ///< thread, or -1
    bool is_waiting(std::int32_t thread) const { return users_[static_cast<std::size_t>(thread)].waiting; }

    /// Measures begin here; what is under way goes on.
    void begin_window(sim::Time now);
    /// Everything in the window up to `now`, waits that have not ended included.
    LockResult result(sim::Time now, const std::vector<std::string>& thread_names) const;
    std::uint64_t acquisitions_of(std::int32_t thread) const {
        return users_[static_cast<std::size_t>(thread)].acquisitions;
    }
    std::uint64_t acquisitions() const { return acquisitions_; }

    /// For the verdict, over the whole run: the longest wait in which others acquired the lock more often than it has
    /// users (a first-come-first-served lock never does that). thread -1: none.
    WaitRecord longest_overtaken(sim::Time now) const;
    /// The wait under way of this thread; length 0 if there is none.
    WaitRecord wait_under_way(std::int32_t thread, sim::Time now) const;

private:
    LockUser& user(std::int32_t thread) { return users_[static_cast<std::size_t>(thread)]; }
    void leave_queue(LockUser& u);
    void count_in_millisecond(LockUser& u, sim::Time now);
    void close_millisecond();
    WaitRecord wait_of(const LockUser& u, sim::Time now) const;
    bool overtaken(const WaitRecord& wait) const { return wait.bypassed > user_count_; }

    std::vector<LockUser> users_;
    std::uint64_t user_count_ = 0;
    LockUser* first_waiter_ = nullptr;
    LockUser* last_waiter_ = nullptr;
    std::int32_t owner_ = -1;
    std::int32_t previous_owner_ = -1;
    std::uint64_t total_ = 0;  // acquisitions since the run began
    sim::Time held_since_{};
    sim::Time released_at_{};
    bool released_ = false;
    WaitRecord worst_overtaken_;

    // In the window.
    sim::Time window_begin_{};
    std::uint64_t acquisitions_ = 0, contended_ = 0, failed_tries_ = 0, steals_ = 0;
    std::uint64_t streak_ = 0, longest_streak_ = 0, longest_bypass_ = 0;
    Histogram wait_, contended_wait_, hold_, handover_, reacquire_;
    WaitRecord longest_wait_;

    // Jain's index of the present millisecond, kept incrementally.
    std::int64_t millisecond_ = -1;
    std::uint64_t in_millisecond_ = 0;
    std::uint64_t squares_ = 0;
    double jain_sum_ = 0, jain_min_ = 2;
    std::uint64_t jain_windows_ = 0;
};

/// Jain's fairness index (sum x)^2 / (n sum x^2) of counts: 1 for equal shares, 1/n for one taker. Jain, Chiu, Hawe,
/// DEC TR-301, 1984. Empty or all zero: 1.
double jain_index(const std::vector<std::uint64_t>& counts);

}  // namespace model
