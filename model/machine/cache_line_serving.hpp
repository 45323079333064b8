#pragma once
// The way of an exclusive hand-over through a cache line, inline, because contended locks do little else: a request
// queues, is chosen, takes the line from its holder, and completes. What is rarer stands in cache_line.cpp.

#include <algorithm>

#include "model/machine/cache_line.hpp"

namespace model {

/// A leg of a transfer with the machine's latency noise.
[[gnu::always_inline]] inline sim::Time jittered(sim::Time t, Share noise, sim::RandomStream& stream) {
    if (noise.ppm == 0 || t.ps == 0) [[likely]] { return t; }
    const std::int64_t reach = t.ps / 1000 * noise.ppm / 1000;
    return {t.ps + stream.uniform(-reach, reach)};
}

// --- the queue ----------------------------------------------------------------------------------------------------

[[gnu::always_inline]] inline void CacheLine::enqueue(LineRequest& request) {
    Domain& own = domain(request.domain);
    if (home_ < 0) [[unlikely]] { home_ = static_cast<std::int16_t>(request.domain); }
    request.next = nullptr;
    request.arrival = ++arrivals_;
    if (own.head == nullptr) {
        own.head = &request;
    } else {
        own.tail->next = &request;
    }
    own.tail = &request;
    ++queued_;
}

[[gnu::always_inline]] inline void CacheLine::dequeue(LineRequest& request) {
    Domain& own = domain(request.domain);
    --queued_;
    if (own.head == &request) [[likely]] {
        own.head = request.next;  // the tail of an empty queue is not looked at
        return;
    }
    LineRequest* before = own.head;
    while (before->next != &request) { before = before->next; }
    before->next = request.next;
    if (own.tail == &request) { own.tail = before; }
}

[[gnu::always_inline]] inline LineRequest* CacheLine::choose(const CoherenceCosts& costs) {
    return one_queue_ ? domain(0).head : choose_among_domains(costs);
}

// --- who is served ------------------------------------------------------------------------------------------------

[[gnu::always_inline]] inline Grant CacheLine::grant_next(sim::Time now, bool forwarded, const CoherenceCosts& costs,
                                                          sim::RandomStream& latency_noise) {
    return grant(*choose(costs), now, forwarded, costs, latency_noise);
}

[[gnu::always_inline]] inline Grant CacheLine::grant(LineRequest& request, sim::Time now, bool forwarded,
                                                     const CoherenceCosts& costs, sim::RandomStream& latency_noise) {
    if (request.condition != nullptr && !request.condition->holds(now)) [[unlikely]] {
        return refuse(request, now, costs);
    }
    if (request.want == Want::own && readers_done_ <= now) [[likely]] {
        return start_own(request, now, forwarded, costs, latency_noise);
    }
    return start_other(request, now, forwarded, costs, latency_noise);
}

[[gnu::always_inline]] inline Grant CacheLine::start_own(LineRequest& request, sim::Time now, bool forwarded,
                                                         const CoherenceCosts& costs, sim::RandomStream& noise) {
    Grant grant{.request = &request};
    CoherenceCosts::Legs legs{};
    if (owner_ >= 0) [[likely]] {
        legs = legs_of(request, owner_, last_domain_, forwarded, costs, noise);
        grant.distance = costs.distance(request.domain, last_domain_);
        grant.takes_copies = true;
    } else if (const std::int32_t farthest = farthest_copy(request.domain, costs); farthest >= 0) {
        legs = legs_of(request, any_core_with_copy(farthest), farthest, forwarded, costs, noise);
        grant.distance = costs.distance(request.domain, farthest);
        grant.takes_copies = true;
    } else {
        legs.snoop_to_data = cached_ ? costs.shared_read(request.core, request.domain, request.domain)
                                     : fetch_from_memory(request, costs);
        grant.distance = cached_ ? costs.distance(request.domain, request.domain) : -1;
    }
    snoop(now + legs.to_snoop, true, request.cpu);
    grant.effect_at = grant.resume_at = lose_at_ + jittered(legs.snoop_to_data, costs.latency_noise(), noise);
    ++epoch_;
    granted_ = &request;
    dequeue(request);
    return grant;
}

/// Of a transfer from `holder` in `holder_domain`; the way to the snoop has its jitter already.
[[gnu::always_inline]] inline CoherenceCosts::Legs CacheLine::legs_of(const LineRequest& request, std::int32_t holder,
                                                                      std::int32_t holder_domain, bool forwarded,
                                                                      const CoherenceCosts& costs,
                                                                      sim::RandomStream& noise) {
    CoherenceCosts::Legs legs{};
    if (forwarded) {
        legs = {retention(costs.config()), costs.forward(request.core, request.domain, holder_domain)};
    } else {
        legs = costs.isolated(request.core, holder);
        legs.to_snoop = jittered(legs.to_snoop, costs.latency_noise(), noise);
    }
    if (costs.has_tables()) {
        const sim::Time excess = costs.excess(request.domain, holder_domain, request.kind, state(), forwarded);
        legs.snoop_to_data = std::max(costs.response(request.core), legs.snoop_to_data + excess);
    }
    return legs;
}

[[gnu::always_inline]] inline LineState CacheLine::state() const {
    if (owner_ >= 0) { return dirty_ ? LineState::modified : LineState::exclusive; }
    if (!cached_) { return LineState::memory; }
    return dirty_ ? LineState::owned : LineState::shared;
}

[[gnu::always_inline]] inline sim::Time CacheLine::retention(const MachineConfig& config) {
    const sim::Time retention = next_retention_;
    if (config.arbitration == Arbitration::drawn) { next_retention_ = {arbitration_.exponential(config.retention.ps)}; }
    return retention;
}

[[gnu::always_inline]] inline void CacheLine::snoop(sim::Time at, bool takes_copies, std::int32_t by) {
    at = std::max(at, owner_busy_until_);
    own_until_ = at;
    if (!takes_copies) { return; }
    lose_at_ = at;
    taken_by = by;
    taken_at = at;
}

// --- who has it afterwards ----------------------------------------------------------------------------------------

[[gnu::always_inline]] inline void CacheLine::complete_own(LineRequest& request) {
    clear_copies();
    add_copy(request.core, request.domain);
    owner_ = request.core;
    lose_at_ = own_until_ = sim::Time::max();
    owner_busy_until_ = {};
    last_domain_ = request.domain;
    cached_ = true;
    granted_ = nullptr;
}

[[gnu::always_inline]] inline void CacheLine::clear_copies() {
    if (owner_ >= 0) [[likely]] {  // the only copy, in the domain where the line went last
        words_[owner_ >> 6] = 0;
        domain(last_domain_).copies = 0;
        return;
    }
    std::fill_n(words_, word_count_, 0u);
    for (std::int16_t d = 0; d < domain_count_; ++d) { domain(d).copies = 0; }
}

[[gnu::always_inline]] inline void CacheLine::add_copy(std::int32_t core, std::int32_t d) {
    std::uint64_t& word = words_[core >> 6];
    const std::uint64_t bit = std::uint64_t{1} << (core & 63);
    if ((word & bit) != 0) { return; }
    word |= bit;
    ++domain(d).copies;
}

}  // namespace model
