#pragma once
// The store buffer of a CPU (hardware thread): stores that miss wait here for their line while the CPU goes on. They
// become visible in the order of the program (total store order); each asks for its line as soon as
// it enters, or in its turn (`store_fetch`). Own
// loads are answered from here; what must not pass a store (read-modify-writes, full fences) waits until the buffer is
// empty. A prefetch for writing is a request of the same kind that stores nothing.
//
// STATE of a slot   free -> requesting -> fetching -> ready -> free
//   requesting  its request travels to the line         following  behind another request of its core for that line
//   fetching    queued at the line, or on its way       ready      the core had the line then; it commits when the
//                                                                  stores before it have, and asks again if the line
//                                                                  was taken meanwhile
// NOT HERE  Coalescing of stores, weaker orders (stores that pass stores).

#include <cstdint>
#include <deque>

#include "model/machine/access.hpp"
#include "model/machine/cache_line.hpp"
#include "model/machine/clock.hpp"
#include "sim/engine.hpp"

namespace model {

class Cpu;
class Memory;

class StoreBuffer {
public:
    /// One store on its way, or one prefetch. `number` orders its events.
    struct Slot final : sim::Actor {
        enum class State : std::uint8_t { free, requesting, following, fetching, ready };
        Slot(StoreBuffer& b, std::uint64_t number) : Actor(number, fire), buffer(b) {}
        static sim::Fiber* fire(sim::Actor& actor);

        StoreBuffer& buffer;
        State state = State::free;
        bool prefetch = false;
        CacheLine* line = nullptr;
        Access access;
        LineRequest request;
        sim::Time not_before{};  // of its commit
        const char* label = "";
        bool has_turn = false;  // the line is kept for its commit now: a sibling's operations come before and after
    };

    StoreBuffer(sim::Engine& engine, Memory& memory, Cpu& cpu, const MachineConfig& config, std::uint64_t first_number);

    bool full() const { return stores_ == depth_; }
    std::int32_t stores() const { return stores_; }

    /// A store of this context that cannot commit at once. The buffer must not be full.
    void enter(Context& context, CacheLine& line, const Access& access, FineTime now);
    /// The youngest store that overlaps these bytes; null: there is none.
    const Slot* youngest(const void* address, std::size_t size) const;
    /// Does the store give all these bytes? Then `value` is what a load of them sees.
    static bool forwards(const Slot& slot, const void* address, std::size_t size, std::uint64_t& value);

    /// Asks for the line, without waiting; nothing happens where too many prefetches are under way.
    void prefetch(Context& context, CacheLine& line, void* word, FineTime now);

    /// The context goes on when the buffer is empty, or not full any more.
    void wait_until_empty(Context& context);
    void wait_for_room(Context& context);

    // For Memory.
    /// The slot's line is there. Commits if it is the store's turn; returns until when the line is in use.
    sim::Time line_came(Slot& slot);

    static constexpr std::int32_t prefetches = 4;  // that one CPU may have under way

private:
    void request(Slot& slot, FineTime begin);
    void try_commit(Slot& slot);
    void commit(Slot& slot);
    Slot& head() { return slots_[static_cast<std::size_t>(first_)]; }
    void release(Context*& waiter);

    sim::Engine& engine_;
    Memory& memory_;
    Cpu& cpu_;
    std::int32_t depth_;
    bool early_;
    sim::Time drain_min_;
    std::deque<Slot> slots_;  // a ring of stores
    std::deque<Slot> prefetches_;
    std::int32_t first_ = 0;  // the oldest store
    std::int32_t stores_ = 0;
    Context* waits_for_empty_ = nullptr;  // lists of contexts of this CPU: a thread and the handlers that interrupt it
    Context* waits_for_room_ = nullptr;
};

}  // namespace model
