// See memory.hpp.

#include "model/machine/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

#include "model/machine/cache_line_serving.hpp"
#include "model/machine/context.hpp"
#include "model/machine/machine.hpp"
#include "sim/failure.hpp"

namespace model {

using sim::Time;

/// The read server of a line, as an actor. It stands before the line's extra storage.
struct Memory::Server final : sim::Actor {
    Server(Memory& m, CacheLine& l, std::uint64_t number) : Actor(number, fire), memory(m), line(l) {}
    static sim::Fiber* fire(sim::Actor& actor) {
        auto& self = static_cast<Server&>(actor);
        if (self.line.granted() == nullptr) { self.memory.grant(self.line, false); }
        return nullptr;
    }
    Memory& memory;
    CacheLine& line;
    Reservation* reservations = nullptr;  // on the granule that begins with this line
};

namespace {

constexpr std::uint64_t first_line_number = std::uint64_t{1} << 32;      // of actors; contexts and timers are below
constexpr std::uint64_t bus_lock_number = (std::uint64_t{1} << 24) - 1;  // below those of store buffers
constexpr std::size_t extra_block_bytes = 64 * 1024;

}  // namespace

Memory::Memory(sim::Engine& engine, const Arena& arena, const CoherenceCosts& costs, std::uint64_t seed,
               std::uint64_t noise_seed)
    : engine_(engine),
      arena_(arena),
      costs_(costs),
      seed_(seed),
      line_shift_(static_cast<unsigned>(__builtin_ctz(static_cast<unsigned>(costs.config().line_bytes)))),
      latency_noise_(noise_seed, "latency noise"),
      classes_(costs.config().distances.size()),
      of_core_(static_cast<std::size_t>(costs.topology().cores())),
      bus_lock_(engine, *this, costs.config().bus_lock, bus_lock_number) {
    lines_bytes_ = (Arena::bytes >> line_shift_) * sizeof(CacheLine);
    void* got = mmap(nullptr, lines_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) { throw sim::InternalError("cannot map the table of cache lines: out of address space"); }
    lines_ = static_cast<CacheLine*>(got);
}

Memory::~Memory() { munmap(lines_, lines_bytes_); }

void Memory::attach_first_time(CacheLine& line) {
    const std::size_t need = (sizeof(Server) + CacheLine::extra_bytes(costs_.topology()) + 15) / 16 * 16;
    if (extra_left_ < need) {
        extra_left_ = need > extra_block_bytes ? need : extra_block_bytes;
        extra_blocks_.push_back(std::make_unique<std::byte[]>(extra_left_));
    }
    std::byte* extra = extra_blocks_.back().get() + extra_left_ - need;  // blocks are used from their end
    extra_left_ -= need;
    const std::uint64_t number = number_of(line);
    new (extra) Server(*this, line, first_line_number + number);
    line.attach(extra + sizeof(Server), costs_, seed_, number);
    const Arena::Slot* slot = arena_.slot_at(number << line_shift_);
    line.transfers = counters(slot != nullptr ? slot->account : std::uint16_t{0}).data();
}

Memory::Server& Memory::server_of(CacheLine& line) const {
    return *std::launder(reinterpret_cast<Server*>(line.extra() - sizeof(Server)));
}

void Memory::place(const Arena::Slot& slot, std::int32_t cpu) {
    for (std::uint64_t at = slot.offset; at < slot.offset + slot.bytes; at += std::uint64_t{1} << line_shift_) {
        CacheLine& line = line_of(at);
        attach(line);
        line.place(costs_.topology().core_of(cpu), costs_.topology().domain_of(cpu));
    }
}

std::vector<std::uint64_t>& Memory::counters(std::uint16_t account) {
    while (transfers_.size() <= account) { transfers_.emplace_back(classes_ + 1, 0u); }
    return transfers_[account];
}

std::span<const std::uint64_t> Memory::transfers(std::uint16_t account) { return counters(account); }

void Memory::forget_transfers() {
    for (std::vector<std::uint64_t>& counts : transfers_) { std::fill(counts.begin(), counts.end(), 0u); }
}

void Memory::arrive(LineRequest& request, CacheLine& line) {
    line.enqueue(request);
    if (line.granted() == nullptr) { grant(line, false); }
}

void Memory::grant(CacheLine& line, bool forwarded) { serve(line, forwarded); }

[[gnu::always_inline]] inline void Memory::begin_transfer(CacheLine& line, const Grant& granted) {
    LineRequest& request = *granted.request;
    if (causes_ != nullptr) [[unlikely]] {
        causes_->granted(number_of(line), line, request, request.context->as_cause(request));
    }
    ++line.transfers[granted.distance + 1];
    request.resume_at = granted.resume_at;
    engine_.schedule(*request.actor, granted.effect_at);
    if (reservations_listed_ != 0 && granted.request->want != Want::read) [[unlikely]] {
        lose_reservations(line, granted.request->cpu);
    }
    if (granted.takes_copies) {
        while (line.waiters != nullptr) { line.waiters->copy_will_be_lost(); }
    }
}

[[gnu::always_inline]] inline void Memory::serve(CacheLine& line, bool forwarded) {
    while (line.has_requests()) {
        if (bus_lock_.taken()) [[unlikely]] {
            serve_under_bus_lock(line, forwarded);
            return;
        }
        const Grant granted = line.grant_next(engine_.now(), forwarded, costs_, latency_noise_);
        if (granted.request == nullptr) {
            engine_.schedule(server_of(line), granted.retry_at);
            return;
        }
        if (granted.refused) [[unlikely]] {
            granted.request->context->refused_ = true;
            granted.request->resume_at = granted.resume_at;
            engine_.schedule(*granted.request->actor, granted.effect_at);
            continue;
        }
        begin_transfer(line, granted);
        if (line.granted() != nullptr) { return; }
        forwarded = false;
    }
}

void Memory::serve_under_bus_lock(CacheLine& line, bool forwarded) {
    LineRequest* request = bus_lock_.request_at(line);
    if (request == nullptr) {
        bus_lock_.put_off(line);
        return;
    }
    const Grant granted = line.grant(*request, engine_.now(), forwarded, costs_, latency_noise_);
    if (granted.request == nullptr) {
        engine_.schedule(server_of(line), granted.retry_at);
        return;
    }
    bus_lock_.granted();
    begin_transfer(line, granted);
}

sim::Fiber* Memory::complete(Context& context) {
    CacheLine& line = *context.line_;
    LineRequest& request = context.request_;
    const Time now = engine_.now();
    const bool transferred = line.granted() == &request;  // else a read of a shared line, beside others
    if (context.refused_) [[unlikely]] {
        end_of_request(request, line, now);
        return context.after_fetch(now);
    }
    if (causes_ != nullptr) [[unlikely]] { causes_->completes(number_of(line), line, request, now); }
    bool changed = false;
    if (request.want == Want::own && !context.exclusive_store_) [[likely]] {
        const Operation operation = context.access_.operation;
        const bool plain = operation == Operation::store || operation == Operation::load;
        const Cost& cost = plain ? context.cpu_.hit : context.cpu_.rmw;
        context.access_.result = apply(context.access_, changed);
        line.complete_own(request);
        const Time end = (FineTime(now) + cost.length).time();
        line.hold_until(end);
        if (merges_) [[unlikely]] { end_of_request(request, line, end); }
    } else {
        complete_other(context, line, changed);
        if (merges_) [[unlikely]] { end_of_request(request, line, std::max(now, line.busy_until())); }
    }
    context.note_fetch(changed);
    if (line.granted() == nullptr) { serve(line, transferred); }
    if (request.resume_at > now) [[unlikely]] {  // executed at the home: the answer is on its way
        context.state_ = Context::State::returning;
        engine_.schedule(context, request.resume_at);
        return nullptr;
    }
    return context.after_fetch(now);
}

void Memory::complete(StoreBuffer::Slot& slot) {
    CacheLine& line = *slot.line;
    LineRequest& request = slot.request;
    const Time now = engine_.now();
    if (causes_ != nullptr) [[unlikely]] { causes_->completes(number_of(line), line, request, now); }
    line.complete_own(request);
    request.context->note_fetch_of(slot);
    const Time free_at = slot.buffer.line_came(slot);
    end_of_request(request, line, free_at);
    if (line.granted() == nullptr) { serve(line, true); }
}

void Memory::complete(LineRequest& request, CacheLine& line) {
    if (causes_ != nullptr) [[unlikely]] { causes_->completes(number_of(line), line, request, engine_.now()); }
    line.complete_own(request);
    request.context->hash(static_cast<std::uint32_t>(Hashed::fetch) + static_cast<std::uint32_t>(Want::own),
                          number_of(line) << line_shift_, 1);
    if (line.has_requests()) { bus_lock_.put_off(line); }
}

// --- several requests of one core ---------------------------------------------------------------------------------

bool Memory::follow(LineRequest& request, CacheLine& line) {
    if (request.want == Want::far || request.condition != nullptr) { return false; }
    LineRequest*& list = of_core_[static_cast<std::size_t>(request.core)];
    for (LineRequest* other = list; other != nullptr; other = other->next_of_core) {
        if (other->line != &line) { continue; }
        LineRequest** end = &other->first_follower;
        while (*end != nullptr) { end = &(*end)->next_follower; }
        *end = &request;
        request.next_follower = nullptr;
        return true;
    }
    request.line = &line;
    request.next_of_core = list;
    list = &request;
    return false;
}

/// Its followers are served one after the other from `free_at` on; the line stays for those that will write it.
void Memory::end_of_request(LineRequest& request, CacheLine& line, Time free_at) {
    if (request.line == nullptr) { return; }
    LineRequest** at = &of_core_[static_cast<std::size_t>(request.core)];
    while (*at != &request) { at = &(*at)->next_of_core; }
    *at = request.next_of_core;
    request.line = nullptr;
    LineRequest* next = nullptr;
    for (LineRequest* follower = std::exchange(request.first_follower, nullptr); follower != nullptr; follower = next) {
        next = follower->next_follower;
        const Cpu& cpu = follower->context->cpu();
        engine_.schedule(*follower->actor, free_at);
        if (follower->want == Want::read) { continue; }
        free_at = (FineTime(free_at) + (follower->kind == AccessKind::atomic ? cpu.rmw : cpu.hit).length).time();
        if (line.owner() == request.core) { line.hold_until(free_at); }
    }
}

Time Memory::take_turn(CacheLine& line, const Cost& cost) {
    const Time turn = line.busy_until();
    if (const Time late = line.hold_until((FineTime(turn) + cost.length).time()); late.ps != 0) { delay(line, late); }
    return turn;
}

void Memory::written_by_own_core(CacheLine& line, const Context& writer) {
    const Topology& topology = costs_.topology();
    const std::int32_t own = writer.cpu_.number();
    const auto tell = [&](std::int32_t cpu) {
        if (cpu < 0 || cpu >= topology.cpus() || topology.core_of(cpu) != writer.cpu_.core()) { return false; }
        Context* waiting = writer.machine_.cpu(cpu).waiting;
        if (waiting != nullptr && waiting->line_ == &line) { waiting->copy_was_written(); }
        return true;
    };
    for (std::int32_t cpu = own; tell(cpu); --cpu) {}  // a core's threads have neighbouring numbers
    for (std::int32_t cpu = own + 1; tell(cpu); ++cpu) {}
    if (reservations_listed_ != 0) [[unlikely]] { lose_to_sibling(line, writer.cpu_.number()); }
}

void Memory::lose_to_sibling(CacheLine& line, std::int32_t cpu) {
    CacheLine& first = first_line_of_granule(number_of(line) << line_shift_);
    if (!first.attached()) { return; }
    Reservation* next = nullptr;
    for (Reservation* r = server_of(first).reservations; r != nullptr; r = next) {
        next = r->next;
        if (r->cpu == cpu || !r->holds(engine_.now())) { continue; }
        r->lost_at = engine_.now();
        r->loss = ReservationLoss::taken;
        r->lost_to = cpu;
        if (r->sleeper != nullptr) { r->sleeper->wake_up(r->lost_at); }
    }
}

void Memory::store_committed(const Context& context) {
    if (--stores_under_way_ == 0) { context.machine_.stores_drained(); }
}

void Memory::complete_other(Context& context, CacheLine& line, bool& changed) {
    LineRequest& request = context.request_;
    const Time now = engine_.now();
    switch (request.want) {
        case Want::read: line.complete_read(request, now); break;
        case Want::far: line.complete_far(request); break;
        case Want::own:
            line.complete_own(request);
            line.hold_until((FineTime(now) + context.cpu_.hit.length).time());
            // sc_upgrade = "unconditional"; else it was decided when the request was served
            if (request.condition == nullptr && !context.cpu_.reservation.holds(now)) {
                context.refused_ = true;
                return;
            }
    }
    context.access_.result = apply(context.access_, changed);
}

std::uint64_t Memory::granule_bytes() const {
    const auto granule = static_cast<std::uint64_t>(costs_.config().reservation_granule);
    return std::max(granule, std::uint64_t{1} << line_shift_);  // a smaller one is never taken without its line
}

CacheLine& Memory::first_line_of_granule(std::uint64_t offset) { return line_of(offset & ~(granule_bytes() - 1)); }

void Memory::reserve(Context& context) {
    drop_reservation(context.cpu_, ReservationLoss::none);
    const std::uint64_t offset = Arena::offset(context.access_.address);
    CacheLine& line = line_of(offset);
    Reservation& r = context.cpu_.reservation;
    r.granule = offset & ~(granule_bytes() - 1);
    if (causes_ != nullptr) [[unlikely]] { causes_->armed(r.cpu, engine_.now()); }
    if (!line.readable(context.cpu_.core(), engine_.now())) {  // overtaken on its way: the snoop has gone by
        r.lost_at = engine_.now();
        r.loss = ReservationLoss::taken;
        r.lost_to = line.taken_by;
        if (causes_ != nullptr) [[unlikely]] { causes_->overtaken(r.cpu, number_of(line), line.taken_at); }
        return;
    }
    r.lost_at = line.lose_at();
    r.loss = r.lost_at == Time::max() ? ReservationLoss::none : ReservationLoss::taken;
    r.lost_to = line.taken_by;
    if (causes_ != nullptr) [[unlikely]] { causes_->overtaken(r.cpu, number_of(line), r.lost_at); }
    CacheLine& first = first_line_of_granule(offset);
    attach(first);
    Server& server = server_of(first);
    r.listed = true;
    ++reservations_listed_;
    r.previous = nullptr;
    r.next = server.reservations;
    if (r.next != nullptr) { r.next->previous = &r; }
    server.reservations = &r;
}

void Memory::drop_reservation(Cpu& cpu, ReservationLoss why) {
    Reservation& r = cpu.reservation;
    r.lost_at = {};
    r.loss = why;
    if (causes_ != nullptr) [[unlikely]] { causes_->dropped(r.cpu, why, engine_.now()); }
    if (!r.listed) { return; }
    r.listed = false;
    --reservations_listed_;
    if (r.next != nullptr) { r.next->previous = r.previous; }
    if (r.previous != nullptr) {
        r.previous->next = r.next;
    } else {
        server_of(line_of(r.granule)).reservations = r.next;
    }
}

void Memory::lose_reservations(CacheLine& line, std::int32_t to_cpu) {
    CacheLine& first = first_line_of_granule(number_of(line) << line_shift_);
    if (!first.attached()) { return; }
    Reservation* next = nullptr;
    for (Reservation* r = server_of(first).reservations; r != nullptr; r = next) {
        next = r->next;
        if (r->cpu == to_cpu || r->lost_at != Time::max()) { continue; }
        r->lost_at = line.lose_at();
        r->loss = ReservationLoss::taken;
        r->lost_to = to_cpu;
        if (causes_ != nullptr) [[unlikely]] { causes_->overtaken(r->cpu, number_of(line), r->lost_at); }
        if (r->sleeper != nullptr) { r->sleeper->wake_up(r->lost_at); }
    }
}

void Memory::delay(CacheLine& line, Time by) {
    LineRequest& request = *line.granted();
    request.resume_at += by;
    engine_.schedule(*request.actor, request.actor->pending_at() + by);

    // Reservations go when the snoop comes, which is later now.
    CacheLine& first = first_line_of_granule(number_of(line) << line_shift_);
    if (!first.attached() || line.lose_at() == Time::max()) { return; }
    for (Reservation* r = server_of(first).reservations; r != nullptr; r = r->next) {
        const bool on_its_way = r->loss == ReservationLoss::taken && r->lost_to == request.cpu;
        if (on_its_way && engine_.now() < r->lost_at) { r->lost_at = std::max(r->lost_at, line.lose_at()); }
    }
}

}  // namespace model
