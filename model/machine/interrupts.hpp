#pragma once
// The interrupts of one CPU: which are pending, which run, and what they have interrupted.
//
// A source that is raised stays pending until the CPU takes it: at once, or when interrupts are no longer masked. What
// it interrupts is frozen (its request to a cache line goes on; its data waits), and thawed at the return. A source
// either runs code, as a context of its own that may wait for locks, or only takes time. Taking an interrupt and
// returning from it both clear the CPU's reservation; the return sets its event register.
//
// STATE   frames: what is under way, the innermost last. Each has masked interrupts, unless its handler lets others
//         nest; a source never nests in itself.
// NOT HERE  priorities beside the order of the sources, threaded handlers, what enters and leaves a handler costs
//         beside `length`.

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "model/machine/cpu.hpp"
#include "sim/actor.hpp"

namespace model {

class Context;
class Machine;

class Interrupts final : public sim::Actor {
public:
    /// What can interrupt the CPU. It is pending once, however often it is raised before it is taken.
    class Source final : public sim::Actor {
    public:
        Source(Interrupts& owner, std::uint64_t number) : Actor(number, fire), owner_(owner) {}

        Context* handler = nullptr;      ///< its code; null: only `length` passes
        sim::Time length{};              ///< with code: before it
        bool nests = false;              ///< others may interrupt its code
        const char* name = "interrupt";  ///< for observers
        bool recurs = false;             ///< it will be raised again and again
        bool stands_still = false;       ///< no interrupt at all: the CPU's clock stops for `length`
        Interrupts& owner() const { return owner_; }

    private:
        friend class Interrupts;
        static sim::Fiber* fire(sim::Actor& actor);  // it arrives
        Interrupts& owner_;
        bool pending_ = false;
        bool active_ = false;
    };

    static constexpr std::size_t numbers = 64;  ///< of actors, for one CPU: its own, and one a source
    /// `number` orders its own events, `number` + n those of its n-th source.
    Interrupts(Machine& machine, Cpu& cpu, std::uint64_t number);

    /// Throws sim::InternalError when there are too many.
    Source& add_source();
    /// The thread that runs where no interrupt does.
    void set_thread(Context& context) { thread_ = &context; }

    /// In an event. Taken at once, unless masked.
    void raise(Source& source);
    /// From any fiber or event: raised at `at`. Merges with one that is on its way.
    void raise_at(Source& source, sim::Time at);

    /// From the fiber that runs on this CPU. Returns whether they were masked.
    bool mask() { return std::exchange(masked_, true); }
    void unmask();

    bool busy() const { return !frames_.empty(); }
    /// The code that an interrupt of this CPU runs; null: none, or one that only takes time.
    Context* handler() const { return busy() ? frames_.back().source->handler : nullptr; }
    /// The code that runs on this CPU, or will when an interrupt that only takes time is over; null: none is left.
    Context* code() const;
    /// Will an interrupt that runs code be taken, as far as is known, if the code that runs masks and unmasks nothing?
    bool will_run_code() const;
    /// Will any interrupt be taken, as far as is known, with or without code?
    bool will_come() const;
    /// The handler's code has ended. On its fiber.
    void end_of_handler() { end(); }

    /// The clock changes when no interrupt is under way.
    void change_frequency_afterwards(Frequency f) { deferred_ = f; }

private:
    struct Frame {
        Source* source = nullptr;
        Context* interrupted = nullptr;  ///< null: the CPU was idle
        Activity activity = Activity::idle;
        bool masked = false;  ///< before
    };

    static sim::Fiber* fire(sim::Actor& actor);  // time is up for the innermost frame, or interrupts are unmasked
    static bool comes(const Source& source);
    void take_pending();
    void begin(Source& source);
    void end();
    void forget_reservation();
    Context* running() const;

    Machine& machine_;
    Cpu& cpu_;
    Context* thread_ = nullptr;
    std::deque<Source> sources_;
    std::vector<Frame> frames_;
    bool masked_ = false;
    std::optional<Frequency> deferred_;
};

}  // namespace model
