#pragma once
// What an observer remembers of a window of a run: steps, what the CPUs did, who waited for and held the locks. Also
// how things stood when the window began, so that charts need not begin empty.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/observer.hpp"
#include "tools/locksim/seeing/names.hpp"
#include "tools/locksim/seeing/window.hpp"

namespace locksim {

struct ActivityChange {
    std::int32_t cpu = -1;
    const char* activity = "";
    sim::Time at{};
};

/// How a lock stands.
struct LockState {
    std::int32_t owner_cpu = -1;  ///< -1: free
    const char* owner = "";
    std::int64_t waiters = 0;
    std::vector<const char*> contending;  ///< threads whose acquire began while others held it or waited
};

void apply_to(LockState& state, const sim::LockStep& step);

/// Who has the first line of a variable, as the last step on it showed.
struct LineState {
    std::string variable;
    std::int32_t cpu = -1;
    char state = '-';  ///< of its copy: M owned, S shared, I none
};

class Recording final : public sim::Observer {
public:
    /// What to do with more than `most` records of one kind.
    enum class Keep { first, last };

    /// `only_steps`: neither activities nor locks.
    Recording(Window window, std::size_t most, Keep keep, bool only_steps = false)
        : asked_(window), window_(window), most_(most), keep_(keep), only_steps_(only_steps) {}

    void on_step(const sim::Step& step) override;
    void on_activity(std::int32_t cpu, const char* activity, sim::Time at) override;
    void on_lock(const sim::LockStep& step) override;

    /// Less than what was asked for where records had to be left out.
    const Window& window() const { return window_; }
    const std::deque<sim::Step>& steps() const { return steps_; }
    std::uint64_t steps_seen() const { return steps_seen_; }  ///< in the window that was asked for, kept or not
    const std::deque<sim::LockStep>& locks() const { return locks_; }
    /// Of one CPU, in order of time; the first one may lie before the window.
    std::vector<ActivityChange> activities_of(std::int32_t cpu) const;
    /// When the window began: by lock, in the order of their first use.
    const std::vector<std::pair<std::string, LockState>>& locks_before() const { return locks_before_; }
    /// Who had the first line of this variable when the window began; null: nobody had used it.
    const LineState* line_before(const std::string& variable) const;
    Keep keep() const { return keep_; }

private:
    template <class Record>
    bool make_room(std::deque<Record>& records);
    sim::Step kept(const sim::Step& step);
    void complete_causes(const sim::Step& step);
    void note_line(const sim::Step& step);
    LockState& state_of(const char* lock);
    void apply(const sim::LockStep& step);

    Window asked_, window_;
    std::size_t most_;
    Keep keep_;
    bool only_steps_;
    Names names_;
    std::deque<sim::Step> steps_;
    std::uint64_t steps_seen_ = 0;
    std::uint64_t steps_dropped_ = 0;                                                 // from the front
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> causes_under_way_;  // by request: numbers of steps
    std::deque<sim::LockStep> locks_;
    std::vector<std::pair<std::string, LockState>> locks_before_;
    std::deque<ActivityChange> activities_;
    std::map<std::int32_t, ActivityChange> activities_before_;
    std::unordered_map<const char*, LineState> lines_before_;  // by the simulation's name for the variable
};

/// Passes on to several observers.
class Observers final : public sim::Observer {
public:
    void add(sim::Observer& observer) { all_.push_back(&observer); }
    bool empty() const { return all_.empty(); }
    void on_step(const sim::Step& step) override {
        for (sim::Observer* each : all_) { each->on_step(step); }
    }
    void on_activity(std::int32_t cpu, const char* activity, sim::Time at) override {
        for (sim::Observer* each : all_) { each->on_activity(cpu, activity, at); }
    }
    void on_lock(const sim::LockStep& step) override {
        for (sim::Observer* each : all_) { each->on_lock(step); }
    }

private:
    std::vector<sim::Observer*> all_;
};

}  // namespace locksim
