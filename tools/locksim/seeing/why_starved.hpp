#pragma once
// Why a thread starved, or lost every race of a livelock, counted while the run is repeated: how often its
// store-exclusive failed during the wait, who took the line each time, and whether a timer tick ended it.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/metrics/run_result.hpp"
#include "sim/observer.hpp"
#include "tools/locksim/seeing/window.hpp"

namespace locksim {

class WhyStarved final : public sim::Observer {
public:
    WhyStarved(std::string thread, Window wait) : thread_(std::move(thread)), wait_(wait) {}

    void on_step(const sim::Step& step) override;

    std::uint64_t failures() const { return failures_; }
    /// "its SC failed 61 204 times in a row: big's release took the line first each time; big's tick at 19.9 ms ended
    /// it (locks/ticket_llsc.hpp:41)", with `whose` for its. Empty: nothing failed, the wait has another reason.
    std::string text(std::string_view whose) const;
    /// When the first store-exclusive succeeded after the last one that failed: in the end the thread got through.
    std::optional<sim::Time> success() const { return failures_ > 0 ? success_ : std::nullopt; }

private:
    /// A thread, and what it did when it took the line first: "release", so many times.
    struct Overtaker {
        std::string thread;
        std::int32_t cpu = -1;
        std::uint64_t times = 0;
        std::map<std::string, std::uint64_t> by_what;
    };
    struct Interrupt {
        std::string name;  ///< "tick"
        std::int32_t cpu = -1;
        sim::Time from{};
        sim::Time to = sim::Time::max();
    };
    void note_interrupt(const sim::Step& step);
    Overtaker most_frequent() const;
    std::string taking(const Overtaker& overtaker) const;
    std::string ending(const Overtaker& overtaker) const;

    std::string thread_;
    Window wait_;
    std::uint64_t failures_ = 0;
    std::uint64_t successes_ = 0;
    sim::Time last_failure_{};
    std::optional<sim::Time> success_;  // of the first one after the last failure
    std::string where_;
    std::map<std::string, Overtaker> overtakers_;  // by thread
    std::vector<Interrupt> interrupts_;            // those that may touch the attempt that succeeds
};

/// The time that a verdict of starvation or livelock is about.
Window wait_of(const model::Verdict& verdict);

}  // namespace locksim
