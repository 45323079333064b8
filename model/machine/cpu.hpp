#pragma once
// A simulated CPU: its clock, what its instructions cost at that clock, and where its time went.

#include <array>
#include <cstdint>

#include "model/machine/clock.hpp"
#include "model/machine/config.hpp"
#include "model/machine/reservation.hpp"
#include "model/machine/topology.hpp"
#include "sim/observer.hpp"

namespace model {

/// What a CPU's time is spent on. Stall counts beside the rest: waiting for a line, whatever the code was doing.
enum class Activity : std::uint8_t { work, critical, spin, stall, interrupt, preempted, halted, switching, idle };
inline constexpr std::size_t activities = 9;
constexpr const char* to_string(Activity activity) {
    constexpr const char* names[] = {"work",      "critical", "spin",      "stall", "interrupt",
                                     "preempted", "halted",   "switching", "idle"};
    return names[static_cast<std::size_t>(activity)];
}

/// A cost, and its length at the present clock.
struct Cost {
    Span span;
    FineTime length;
};

class Context;
class StoreBuffer;

class Cpu {
public:
    Cpu(std::int32_t number, const Topology& topology, const CoreConfig& core, std::int64_t request_path_cycles)
        : hit{core.hit, {}},
          rmw{core.rmw, {}},
          fence{core.fence, {}},
          relax{core.relax, {}},
          loop{core.loop, {}},
          wfe_wake{core.wfe_wake, {}},
          ll_to_sc{core.ll_to_sc, {}},
          request_path{cycles(request_path_cycles), {}},
          number_(number),
          core_(topology.core_of(number)),
          domain_(topology.domain_of(number)),
          node_(topology.node_of(number)),
          clock_(core.frequency) {
        set_frequency(core.frequency);
    }

    Cost hit, rmw, fence, relax, loop, wfe_wake, ll_to_sc, request_path;
    Reservation reservation;
    bool event_register = false;           ///< of WFE: set by SEV, SEVL and exception returns
    std::uint64_t* relax_calls = nullptr;  ///< in the arena, for cpu_relax = "wfe_after": (calls in a row, place)
    sim::Observer* observer = nullptr;
    StoreBuffer* store_buffer = nullptr;  ///< of every CPU that may prefetch, with room for no store where depth is 0
    Context* waiting = nullptr;           ///< the context whose named wait is the innermost one here
    std::int32_t stores = 0;              ///< in its store buffer
    std::int32_t fetches = 0;  ///< requests of its own that no instruction waits for: buffered stores, prefetches
    bool shares_core = false;  ///< with siblings
    /// Also for what the accounts do not tell apart: asleep in a WFE, where time counts as spin.
    void observe(Activity activity, sim::Time at) const {
        if (observer != nullptr) [[unlikely]] { observer->on_activity(number_, to_string(activity), at); }
    }

    std::int32_t number() const { return number_; }
    std::int32_t core() const { return core_; }  ///< whose cache it uses; siblings have the same
    std::int32_t domain() const { return domain_; }
    std::int32_t node() const { return node_; }
    const Clock& clock() const { return clock_; }

    void set_frequency(Frequency f) {
        clock_ = Clock(f);
        for (Cost* cost : {&hit, &rmw, &fence, &relax, &loop, &wfe_wake, &ll_to_sc, &request_path}) {
            cost->length = clock_.length(cost->span);
        }
    }

    /// From now on time counts as `activity`. Returns what it counted as before.
    Activity become(Activity activity, sim::Time now) {
        spent_[static_cast<std::size_t>(activity_)] += now - since_;
        since_ = now;
        const Activity before = activity_;
        activity_ = activity;
        if (activity != before) { observe(activity, since_); }
        return before;
    }

    /// The time from `from` to now was a stall, whatever it counts as otherwise.
    void stalled(sim::Time from, sim::Time now) {
        spent_[static_cast<std::size_t>(activity_)] += from - since_;
        spent_[static_cast<std::size_t>(Activity::stall)] += now - from;
        since_ = now;
    }

    Activity activity() const { return activity_; }
    const std::array<sim::Time, activities>& spent() const { return spent_; }
    void forget_time(sim::Time now) {
        spent_ = {};
        since_ = now;
    }

private:
    std::int32_t number_;
    std::int32_t core_;
    std::int32_t domain_;
    std::int32_t node_;
    Clock clock_;
    Activity activity_ = Activity::idle;
    sim::Time since_{};
    std::array<sim::Time, activities> spent_{};
};

}  // namespace model
