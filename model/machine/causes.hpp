#pragma once
// Who took what from whom: kept only for an observer, so that a step can name the step that delayed it or made it fail.
// Memory tells of grants, completions and reservations; Context asks when it describes a step.

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "model/machine/cache_line.hpp"
#include "model/machine/reservation.hpp"
#include "sim/observer.hpp"

namespace model {

class Causes {
public:
    Causes(std::int32_t cpus, std::int32_t cores);

    // A request takes its course. `number` is the line's.
    void requested(std::uint64_t number, const CacheLine& line, const LineRequest& request, sim::Time now);
    /// `told`: the requester's step, as it will be told to those who lose by it.
    void granted(std::uint64_t number, const CacheLine& line, const LineRequest& request, const sim::Cause& told);
    /// Before the line forgets who had copies.
    void completes(std::uint64_t number, const CacheLine& line, const LineRequest& request, sim::Time now);

    // A CPU's reservation.
    void armed(std::int32_t cpu, sim::Time now);
    void overtaken(std::int32_t cpu, std::uint64_t number, sim::Time at);  // by the line's last request that took it
    void dropped(std::int32_t cpu, ReservationLoss why, sim::Time now);

    /// Of the miss that this request is: the state of the CPU's copy when it was made, and why it missed.
    char state_before(const LineRequest& request) const { return miss_of(request).state; }
    sim::Cause of_miss(const LineRequest& request) const { return cause(miss_of(request).loss, request.cpu); }
    /// Its number if it was exclusive; 0 where it was only a read.
    std::uint64_t number_of(const LineRequest& request) const { return miss_of(request).number; }
    sim::Cause of_failed_store(std::int32_t cpu) const { return cause(reservations_[index(cpu)], cpu); }

    static char state_of(const CacheLine& line, std::int32_t core, sim::Time now);

private:
    using Taker = std::shared_ptr<sim::Cause>;  ///< a granted request; filled in further when its data is there
    /// Something that a CPU has lost.
    struct Loss {
        const char* kind = "";
        Taker taker = nullptr;
        sim::Time at = sim::Time::max();
        sim::Time armed_at = sim::Time::max();
    };
    struct Miss {
        char state = '-';
        Loss loss;
        std::uint64_t number = 0;
    };
    struct Line {
        Taker last_taker;           // of the only copy
        Taker last_reader;          // that took the right to write from the owner
        std::int32_t demoted = -1;  // the owner that lost it
        std::vector<Loss> losses;   // by core: what happened last to its copy
    };

    static std::size_t index(std::int32_t cpu) { return static_cast<std::size_t>(cpu); }
    static sim::Cause cause(const Loss& loss, std::int32_t cpu);
    Line& line(std::uint64_t number);
    const Miss& miss_of(const LineRequest& request) const { return misses_.find(&request)->second; }
    static Loss why_missed(const Line& known, const CacheLine& line, std::int32_t core, sim::Time now);

    std::int32_t cores_;
    std::vector<Line> lines_;
    std::vector<Loss> reservations_;
    std::map<const LineRequest*, Miss> misses_;  // every context has one request; never iterated
    std::uint64_t requests_ = 0;
};

}  // namespace model
