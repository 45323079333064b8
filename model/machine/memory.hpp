#pragma once
// Brings accesses and lines together: finds the line of an address, queues misses, schedules their completions, applies
// them, and tells spinning contexts when their copy is taken away.

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "model/machine/arena.hpp"
#include "model/machine/bus_lock.hpp"
#include "model/machine/cache_line.hpp"
#include "model/machine/causes.hpp"
#include "model/machine/coherence_costs.hpp"
#include "model/machine/store_buffer.hpp"
#include "sim/engine.hpp"

namespace model {

class Context;
class Cpu;
struct Cost;

class Memory {
public:
    /// `noise_seed` is that of the latency noise alone.
    Memory(sim::Engine& engine, const Arena& arena, const CoherenceCosts& costs, std::uint64_t seed,
           std::uint64_t noise_seed);
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// The address must lie in the arena.
    CacheLine& line_of(std::uint64_t offset) { return lines_[offset >> line_shift_]; }
    std::uint64_t number_of(const CacheLine& line) const { return static_cast<std::uint64_t>(&line - lines_); }

    /// Puts the lines of a slot into this CPU's cache, as if it had written them last.
    void place(const Arena::Slot& slot, std::int32_t cpu);

    /// The request has reached its line.
    void arrive(LineRequest& request, CacheLine& line);
    /// The data of the context's pending access is there (near), or it is executed at the home (far): the fiber to
    /// resume, if it is to go on now.
    sim::Fiber* complete(Context& context);
    void complete(StoreBuffer::Slot& slot);  ///< the line of a buffered store or a prefetch is there

    BusLock& bus_lock() { return bus_lock_; }
    void complete(LineRequest& request, CacheLine& line);  ///< the line of the bus lock's request is there
    /// Grants what the bus lock has put off.
    void ask_again(CacheLine& line) {
        if (line.granted() == nullptr) { grant(line, false); }
    }

    // A core may have several requests under way: of hardware threads, buffered stores, prefetches.
    /// From now on requests of one core for one line merge.
    void start_merging() { merges_ = true; }
    bool merges() const { return merges_; }
    /// A request is about to be made. True: another one of this core for this line is under way, and when it has ended
    /// the request's actor is told, to try again.
    bool follow(LineRequest& request, CacheLine& line);
    /// A write that hit in this core's cache: what else the core runs may be spinning on the line, or have reserved it.
    void written_by_own_core(CacheLine& line, const Context& writer);
    /// The line is in use by an operation of the own core: it is kept for one of this cost after that. Returns when
    /// that one begins.
    sim::Time take_turn(CacheLine& line, const Cost& cost);
    void store_entered() { ++stores_under_way_; }
    void store_committed(const Context& context);
    std::int64_t stores_under_way() const { return stores_under_way_; }
    /// Arms the CPU's reservation on the granule of the context's access: from now until someone takes it.
    void reserve(Context& context);
    void drop_reservation(Cpu& cpu, ReservationLoss why);
    /// The owner's operation has made a snoop wait.
    void delay(CacheLine& line, sim::Time by);
    void attach(CacheLine& line) {
        if (!line.attached()) [[unlikely]] { attach_first_time(line); }
    }

    /// For an observer: from now on it is remembered who took what from whom.
    void remember_causes() { causes_ = std::make_unique<Causes>(costs_.topology().cpus(), costs_.topology().cores()); }
    Causes* causes() { return causes_.get(); }  ///< null: nobody observes

    /// Transfers so far, charged to this account of the arena: from memory, then by distance class.
    std::span<const std::uint64_t> transfers(std::uint16_t account);
    void forget_transfers();

private:
    struct Server;  // the line's own actor: fires when a read server is free again
    void attach_first_time(CacheLine& line);
    void grant(CacheLine& line, bool forwarded);  // what can be granted now; nothing is on its way
    void serve(CacheLine& line, bool forwarded);  // the same, inline where a hand-over completes
    void serve_under_bus_lock(CacheLine& line, bool forwarded);
    void begin_transfer(CacheLine& line, const Grant& granted);
    void end_of_request(LineRequest& request, CacheLine& line, sim::Time free_at);
    void complete_other(Context& context, CacheLine& line, bool& changed);
    std::vector<std::uint64_t>& counters(std::uint16_t account);
    void lose_reservations(CacheLine& line, std::int32_t to_cpu);
    void lose_to_sibling(CacheLine& line, std::int32_t cpu);
    CacheLine& first_line_of_granule(std::uint64_t offset);
    std::uint64_t granule_bytes() const;
    Server& server_of(CacheLine& line) const;

    sim::Engine& engine_;
    const Arena& arena_;
    const CoherenceCosts& costs_;
    std::uint64_t seed_;
    CacheLine* lines_ = nullptr;  // as many as the arena has lines; untouched ones cost the host nothing
    std::size_t lines_bytes_ = 0;
    unsigned line_shift_ = 6;
    sim::RandomStream latency_noise_;
    std::size_t classes_;
    std::deque<std::vector<std::uint64_t>> transfers_;  // by account; lines point to them
    std::int32_t reservations_listed_ = 0;
    bool merges_ = false;
    std::vector<LineRequest*> of_core_;  // requests under way, where they merge
    std::int64_t stores_under_way_ = 0;  // buffered ones, of all CPUs
    BusLock bus_lock_;
    std::unique_ptr<Causes> causes_;
    std::vector<std::unique_ptr<std::byte[]>> extra_blocks_;
    std::size_t extra_left_ = 0;  // in the last block
};

}  // namespace model
