#pragma once
// One cache line: who has it, who asks for it, and who gets it next and when. Pure: it knows no engine, no fiber and no
// value. The line is a queueing server: requests queue where they arrive, one exclusive transfer at a time, and the
// next is chosen inside its predecessor's completion.
//
// STATE   owner o            one core may write; nobody else has a copy        (MESI M or E)
//         sharers {a, b..}   these cores may read                              (S; O beside S where the protocol is
//         moesi) neither            last-level cache if `cached`, else memory         (I) granted request    is on its
//         way: the present holders still hit until `lose_at` (all of them) and `own_until`
//                            (the owner's writes), nobody does from there to the completion
// Until the snoop reaches them, the holders may use the line; an operation of the owner that began before makes the
// snoop wait. That window is where a real test-and-set lock is released and taken again by its last owner.
//
// All-zero memory is a valid line that no cache has; extra() storage comes with the first miss. Whoever serves lines
// includes cache_line_serving.hpp.

#include <cstdint>

#include "model/machine/coherence_costs.hpp"
#include "model/machine/reservation.hpp"
#include "sim/actor.hpp"
#include "sim/observer.hpp"
#include "sim/random.hpp"
#include "sim/time.hpp"

namespace model {

class Context;

enum class Want : std::uint8_t {
    read,  ///< a copy to read
    own,   ///< the only copy
    far,   ///< an operation executed at the line's home
};

class CacheLine;

/// One core's request, from its arrival at the line to its completion.
struct LineRequest {
    LineRequest* next = nullptr;  ///< in its domain's queue
    Context* context = nullptr;
    std::int32_t cpu = 0;   ///< whose instruction it is
    std::int32_t core = 0;  ///< whose cache it is for
    std::int32_t domain = 0;
    Want want = Want::read;
    AccessKind kind = AccessKind::load;
    std::uint32_t arrival = 0;               ///< running number at the line
    std::uint32_t epoch = 0;                 ///< reads: the line's count of exclusive grants when it was served
    const Reservation* condition = nullptr;  ///< must hold when the request is served, else it is refused
    sim::Actor* actor = nullptr;             ///< whose events are its arrival and its completion
    bool buffered = false;                   ///< of a store buffer: no context waits for it
    sim::Time resume_at{};                   ///< far operations: when the answer is back
    // Where a core may have several (see Memory::follow): its list, and who waits for this one to end.
    CacheLine* line = nullptr;
    LineRequest* next_of_core = nullptr;
    LineRequest* first_follower = nullptr;
    LineRequest* next_follower = nullptr;
    sim::CallSite where{};  ///< buffered: of the store
};

/// What the line decided for the request it serves next.
struct Grant {
    LineRequest* request = nullptr;         ///< null: nothing can be served now
    sim::Time retry_at = sim::Time::max();  ///< then: when to ask again because a read server is busy
    sim::Time effect_at{};                  ///< near: data arrives; far: executed at the home
    sim::Time resume_at{};                  ///< the requester goes on (later than effect_at only for far)
    bool refused = false;       ///< its reservation is gone: nothing happens to the line; resume_at tells when it knows
    bool takes_copies = false;  ///< holders lose the line at lose_at(): spinners must be told
    std::int32_t distance = -1;  ///< class of the transfer; -1: from memory
};

class alignas(64) CacheLine {
public:
    /// Per cache domain, in the line's extra storage.
    struct Domain {
        LineRequest* head = nullptr;
        LineRequest* tail = nullptr;
        sim::Time server_free_at{};  ///< the read server of this domain
        std::int32_t copies = 0;
    };
    /// Bytes of extra storage for a machine of this size.
    static std::size_t extra_bytes(const Topology& topology);
    void attach(std::byte* extra, const CoherenceCosts& costs, std::uint64_t seed, std::uint64_t number);
    bool attached() const { return words_ != nullptr; }
    std::byte* extra() const { return reinterpret_cast<std::byte*>(domains_); }

    bool readable(std::int32_t core, sim::Time now) const {  // an all-zero line is lost at 0
        return now < lose_at_ && (words_[core >> 6] >> (core & 63) & 1) != 0;
    }
    bool writable(std::int32_t core, sim::Time now) const { return core == owner_ && now < own_until_; }
    bool has_copy(std::int32_t core) const { return words_ != nullptr && (words_[core >> 6] >> (core & 63) & 1) != 0; }
    std::int32_t owner() const { return words_ == nullptr ? -1 : owner_; }
    sim::Time lose_at() const { return lose_at_; }  ///< Time::max(): no snoop that takes copies is on its way

    /// The request has reached the line.
    void enqueue(LineRequest& request);
    /// Chooses and starts the next request, if one can be served at `now`: there are requests, and no granted one is on
    /// its way. `forwarded`: the choice is
    /// made inside the completion of a transfer, so that the request, which already waited, goes straight to the new
    /// holder.
    Grant grant_next(sim::Time now, bool forwarded, const CoherenceCosts& costs, sim::RandomStream& latency_noise);
    /// The same for this one of its requests, which is served before the others.
    Grant grant(LineRequest& request, sim::Time now, bool forwarded, const CoherenceCosts& costs,
                sim::RandomStream& latency_noise);
    bool has_requests() const { return queued_ != 0; }

    /// The granted request's data is there. Afterwards the line can grant the next.
    void complete_own(LineRequest& request);
    void complete_far(LineRequest& request);
    /// Completion of a read. The reader keeps a copy unless a later exclusive grant has already taken it back.
    void complete_read(LineRequest& request, sim::Time now);
    /// An owner operation runs until `until`: a snoop on its way waits. Returns by how much the completion moves.
    sim::Time hold_until(sim::Time until) {
        owner_busy_until_ = until;
        dirty_ = true;
        if (own_until_ >= until) [[likely]] { return {}; }
        return delay_snoop(until);
    }
    sim::Time busy_until() const { return owner_busy_until_; }  ///< of the owner's operation under way
    LineRequest* granted() const { return granted_; }

    /// The scenario puts the line into this core's cache.
    void place(std::int32_t core, std::int32_t domain);
    /// Where its memory is; before that, and without it: where it is first asked for.
    void set_home(std::int32_t domain) { home_ = static_cast<std::int16_t>(domain); }

    Context* waiters = nullptr;          ///< contexts that spin on their copy (list in Context)
    std::uint64_t* transfers = nullptr;  ///< where they are counted: from memory, then by distance class
    sim::Time taken_at{};                ///< when a request last took copies away, and which CPU's: the cause of a miss
    std::int32_t taken_by = -1;

private:
    Domain& domain(std::int32_t d) { return domains_[d]; }
    LineRequest* choose(const CoherenceCosts& costs);
    LineRequest* choose_among_domains(const CoherenceCosts& costs);
    LineRequest* choose_oldest();
    LineRequest* choose_by_domain();
    LineRequest* choose_nearest(const CoherenceCosts& costs);
    LineRequest* choose_random();
    void dequeue(LineRequest& request);
    sim::Time delay_snoop(sim::Time until);
    std::int32_t nearest_copy(std::int32_t domain, const CoherenceCosts& costs) const;
    std::int32_t farthest_copy(std::int32_t domain, const CoherenceCosts& costs) const;
    std::int32_t any_core_with_copy(std::int32_t domain) const;
    Grant refuse(LineRequest& request, sim::Time now, const CoherenceCosts& costs);
    Grant start_other(LineRequest& request, sim::Time now, bool forwarded, const CoherenceCosts& costs,
                      sim::RandomStream& noise);
    Grant start_read(LineRequest& request, sim::Time now, bool forwarded, const CoherenceCosts& costs,
                     sim::RandomStream& noise);
    Grant start_own(LineRequest& request, sim::Time now, bool forwarded, const CoherenceCosts& costs,
                    sim::RandomStream& noise);
    Grant start_far(LineRequest& request, sim::Time now, const CoherenceCosts& costs, sim::RandomStream& noise);
    CoherenceCosts::Legs legs_of(const LineRequest& request, std::int32_t holder, std::int32_t holder_domain,
                                 bool forwarded, const CoherenceCosts& costs, sim::RandomStream& noise);
    sim::Time retention(const MachineConfig& config);
    void snoop(sim::Time at, bool takes_copies, std::int32_t by);
    LineState state() const;
    sim::Time fetch_from_memory(const LineRequest& request, const CoherenceCosts& costs) const;
    void clear_copies();
    void add_copy(std::int32_t core, std::int32_t domain);

    bool cached_ : 1 = false;     // some cache level has had it
    bool one_queue_ : 1 = false;  // first come, first served: one domain, nothing drawn
    bool moesi_ : 1 = false;      // Protocol::moesi
    bool dirty_ = false;          // the owner has written it, or some owner that shares it now
    std::int16_t home_ = -1;      // the domain of its memory

    // What every hit reads fits, with the members above, into one line of the host's cache.
    std::uint64_t* words_ = nullptr;  // sharers, one bit a core; the owner has its bit too
    sim::Time lose_at_{};
    sim::Time own_until_{};         // Time::max(): no snoop is on its way
    sim::Time owner_busy_until_{};  // end of the owner's operation under way
    std::int32_t owner_ = -1;
    std::int32_t last_domain_ = -1;  // where the line went last

    LineRequest* granted_ = nullptr;  // the exclusive, far or owner-to-reader transfer under way
    Domain* domains_ = nullptr;
    sim::Time readers_done_{};  // when the last read server is free
    sim::RandomStream arbitration_;
    sim::Time next_retention_{};  // drawn in advance, so that no hand-over waits for the arithmetic
    std::uint32_t epoch_ = 0;     // exclusive grants so far
    std::uint32_t arrivals_ = 0;
    std::int32_t queued_ = 0;
    std::int16_t domain_count_ = 0;
    std::int16_t word_count_ = 0;
};

static_assert(sizeof(CacheLine) == 128);

}  // namespace model
