// See cache_line.hpp.

#include "model/machine/cache_line_serving.hpp"

#include <algorithm>
#include <new>

namespace model {

using sim::Time;

std::size_t CacheLine::extra_bytes(const Topology& topology) {
    const auto words = static_cast<std::size_t>((topology.cores() + 63) / 64);
    return words * sizeof(std::uint64_t) + static_cast<std::size_t>(topology.domains()) * sizeof(Domain);
}

void CacheLine::attach(std::byte* extra, const CoherenceCosts& costs, std::uint64_t seed, std::uint64_t number) {
    const Topology& topology = costs.topology();
    moesi_ = costs.config().protocol == Protocol::moesi;
    home_ = -1;
    one_queue_ = topology.domains() == 1 && costs.config().discipline != Discipline::random;
    domain_count_ = static_cast<std::int16_t>(topology.domains());
    word_count_ = static_cast<std::int16_t>((topology.cores() + 63) / 64);
    domains_ = reinterpret_cast<Domain*>(extra);
    for (std::int16_t d = 0; d < domain_count_; ++d) { new (domains_ + d) Domain; }
    words_ = reinterpret_cast<std::uint64_t*>(extra + static_cast<std::size_t>(domain_count_) * sizeof(Domain));
    std::fill_n(words_, word_count_, 0u);
    readers_done_ = {};
    arbitration_ = sim::RandomStream(seed, "arbitration", number);
    next_retention_ = costs.config().retention;
    if (costs.config().arbitration == Arbitration::drawn) { retention(costs.config()); }
    owner_ = -1;
    last_domain_ = -1;
    taken_by = -1;
    lose_at_ = own_until_ = Time::max();
}

void CacheLine::place(std::int32_t core, std::int32_t domain) {
    clear_copies();
    add_copy(core, domain);
    owner_ = core;
    last_domain_ = domain;
    cached_ = dirty_ = true;
}

// --- which request is served next -------------------------------------------------------------------------------

LineRequest* CacheLine::choose_among_domains(const CoherenceCosts& costs) {
    if (queued_ == 1) { return choose_oldest(); }
    switch (costs.config().discipline) {
        case Discipline::fifo: return choose_oldest();
        case Discipline::by_domain: return choose_by_domain();
        case Discipline::nearest_first: return choose_nearest(costs);
        case Discipline::random: return choose_random();
    }
    return choose_oldest();
}

LineRequest* CacheLine::choose_oldest() {
    LineRequest* oldest = domain(0).head;
    for (std::int16_t d = 1; d < domain_count_; ++d) {
        LineRequest* head = domain(d).head;
        if (head != nullptr && (oldest == nullptr || head->arrival < oldest->arrival)) { oldest = head; }
    }
    return oldest;
}

LineRequest* CacheLine::choose_by_domain() {
    for (std::int32_t step = 1; step <= domain_count_; ++step) {
        const std::int32_t d = (last_domain_ + step) % domain_count_;
        if (domain(d).head != nullptr) { return domain(d).head; }
    }
    return nullptr;
}

LineRequest* CacheLine::choose_nearest(const CoherenceCosts& costs) {
    LineRequest* oldest = choose_oldest();
    // Served so far: all that arrived before the oldest, and those that overtook it. Nobody else was overtaken more
    // often.
    const std::uint32_t served = arrivals_ - static_cast<std::uint32_t>(queued_);
    const std::uint32_t overtaken = served - (oldest->arrival - 1);
    if (last_domain_ < 0 || overtaken >= static_cast<std::uint32_t>(costs.config().overtake_bound)) { return oldest; }
    LineRequest* nearest = nullptr;
    std::int32_t least = 0;
    for (std::int16_t d = 0; d < domain_count_; ++d) {
        LineRequest* head = domain(d).head;
        if (head == nullptr) { continue; }
        const std::int32_t distance = d == last_domain_ ? -1 : costs.topology().distance(last_domain_, d);
        if (nearest == nullptr || distance < least || (distance == least && head->arrival < nearest->arrival)) {
            nearest = head;
            least = distance;
        }
    }
    return nearest;
}

LineRequest* CacheLine::choose_random() {
    auto skip = arbitration_.below(static_cast<std::uint64_t>(queued_));
    for (std::int16_t d = 0; d < domain_count_; ++d) {
        for (LineRequest* r = domain(d).head; r != nullptr; r = r->next) {
            if (skip-- == 0) { return r; }
        }
    }
    return nullptr;
}

// --- serving it -------------------------------------------------------------------------------------------------

Grant CacheLine::refuse(LineRequest& request, Time now, const CoherenceCosts& costs) {
    dequeue(request);
    const Time knows = now + costs.response(request.core);
    return {.request = &request, .effect_at = knows, .resume_at = knows, .refused = true};
}

/// A read or a far operation, or one that readers under way make wait.
Grant CacheLine::start_other(LineRequest& request, Time now, bool forwarded, const CoherenceCosts& costs,
                             sim::RandomStream& noise) {
    if (request.want == Want::read) { return start_read(request, now, forwarded, costs, noise); }
    if (readers_done_ > now) { return {.retry_at = readers_done_}; }
    return start_far(request, now, costs, noise);
}

Grant CacheLine::start_read(LineRequest& request, Time now, bool forwarded, const CoherenceCosts& costs,
                            sim::RandomStream& noise) {
    const Topology& topology = costs.topology();
    const Share jitter = costs.latency_noise();
    Grant grant{.request = &request};
    if (owner_ >= 0) {  // the owner gives a copy away and keeps one
        const std::int32_t holder = topology.domain_of_core(owner_);
        const auto legs = legs_of(request, owner_, holder, forwarded, costs, noise);
        snoop(now + legs.to_snoop, false, request.cpu);
        grant.effect_at = grant.resume_at = own_until_ + jittered(legs.snoop_to_data, jitter, noise);
        grant.distance = costs.distance(request.domain, holder);
        granted_ = &request;
        dequeue(request);
        return grant;
    }
    if (!cached_) {  // alone, it gets the line exclusive
        grant.effect_at = grant.resume_at = now + jittered(fetch_from_memory(request, costs), jitter, noise);
        granted_ = &request;
        dequeue(request);
        return grant;
    }
    const std::int32_t nearest = nearest_copy(request.domain, costs);
    const std::int32_t server = nearest >= 0 ? nearest : request.domain;
    Time& free_at = domain(server).server_free_at;
    // With one queue nothing can overtake the request or change what it costs until the server is free: it is settled
    // now, without an event for the turn of each of many readers.
    if (free_at > now && !one_queue_) { return {.retry_at = free_at}; }
    const Time begin = std::max(now, free_at);
    Time latency = costs.shared_read(request.core, request.domain, server);
    if (costs.has_tables()) {
        latency = std::max(costs.response(request.core),
                           latency + costs.excess(request.domain, server, AccessKind::load, state(), false));
    }
    grant.effect_at = grant.resume_at = begin + jittered(latency, jitter, noise);
    grant.distance = costs.distance(request.domain, server);
    free_at = begin + costs.read_occupancy(request.domain, server);
    readers_done_ = std::max(readers_done_, free_at);
    request.epoch = epoch_;
    last_domain_ = request.domain;
    dequeue(request);
    return grant;
}

Grant CacheLine::start_far(LineRequest& request, Time now, const CoherenceCosts& costs, sim::RandomStream& noise) {
    const Topology& topology = costs.topology();
    const Share jitter = costs.latency_noise();
    Grant grant{.request = &request};
    Time at_home{};
    std::int32_t holder = owner_;
    if (holder < 0) {
        const std::int32_t farthest = farthest_copy(request.domain, costs);
        if (farthest >= 0) { holder = any_core_with_copy(farthest); }
    }
    if (holder >= 0) {
        at_home = jittered(costs.isolated(request.core, holder).to_snoop, jitter, noise);
        grant.distance = topology.distance(request.domain, topology.domain_of_core(holder));
        grant.takes_copies = true;
    } else if (!cached_) {
        at_home = fetch_from_memory(request, costs) - costs.response(request.core);
    }
    snoop(now + at_home, true, request.cpu);
    const Time wires_back = costs.shared_read(request.core, request.domain, home_) / 2;
    grant.effect_at = lose_at_ + costs.far_occupancy(request.core);
    grant.resume_at = grant.effect_at + jittered(wires_back, jitter, noise);
    ++epoch_;
    granted_ = &request;
    dequeue(request);
    return grant;
}

Time CacheLine::fetch_from_memory(const LineRequest& request, const CoherenceCosts& costs) const {
    return costs.from_memory(request.core, home_, request.kind);
}

Time CacheLine::delay_snoop(Time until) {
    const Time delay = until - own_until_;
    own_until_ = until;
    if (lose_at_ != Time::max()) { lose_at_ = taken_at = until; }
    return delay;
}

// --- completions ------------------------------------------------------------------------------------------------

void CacheLine::complete_far(LineRequest& request) {
    clear_copies();
    owner_ = -1;
    lose_at_ = own_until_ = Time::max();
    owner_busy_until_ = {};
    last_domain_ = request.domain;
    cached_ = true;
    dirty_ = false;
    granted_ = nullptr;
}

void CacheLine::complete_read(LineRequest& request, Time now) {
    if (&request == granted_) {
        const bool alone = !cached_;  // from memory
        dirty_ = dirty_ && moesi_;
        cached_ = true;
        owner_ = alone ? request.core : -1;
        lose_at_ = own_until_ = Time::max();
        owner_busy_until_ = {};
        last_domain_ = request.domain;
        granted_ = nullptr;
        add_copy(request.core, request.domain);
        return;
    }
    // Served from a shared line: another core may since have been granted the line. Its snoop finds this copy if it
    // comes after it, and has gone by if it came before: then the data is used once and not kept.
    const bool snoop_to_come =
        granted_ != nullptr && granted_->want != Want::read && epoch_ == request.epoch + 1 && now < lose_at_;
    if (epoch_ == request.epoch || snoop_to_come) { add_copy(request.core, request.domain); }
}

// --- copies -----------------------------------------------------------------------------------------------------

std::int32_t CacheLine::nearest_copy(std::int32_t d, const CoherenceCosts& costs) const {
    if (domains_[d].copies > 0) { return d; }
    std::int32_t nearest = -1;
    for (std::int16_t other = 0; other < domain_count_; ++other) {
        if (domains_[other].copies == 0) { continue; }
        if (nearest < 0 || costs.topology().distance(d, other) < costs.topology().distance(d, nearest)) {
            nearest = other;
        }
    }
    return nearest;
}

std::int32_t CacheLine::farthest_copy(std::int32_t d, const CoherenceCosts& costs) const {
    std::int32_t farthest = domains_[d].copies > 0 ? d : -1;
    for (std::int16_t other = 0; other < domain_count_; ++other) {
        if (domains_[other].copies == 0 || other == d) { continue; }
        if (farthest < 0 || farthest == d ||
            costs.topology().distance(d, other) > costs.topology().distance(d, farthest)) {
            farthest = other;
        }
    }
    return farthest;
}

std::int32_t CacheLine::any_core_with_copy(std::int32_t d) const {
    // Domains are ranges of cores in order, but the line does not know where they begin: the first core whose copy is
    // counted there stands for all (cores of a cluster have one nominal clock).
    std::int32_t before = 0;
    for (std::int32_t other = 0; other < d; ++other) { before += domains_[other].copies; }
    for (std::int16_t w = 0; w < word_count_; ++w) {
        std::uint64_t word = words_[w];
        const int count = __builtin_popcountll(word);
        if (before >= count) {
            before -= count;
            continue;
        }
        while (before-- > 0) { word &= word - 1; }
        return w * 64 + __builtin_ctzll(word);
    }
    return -1;
}

}  // namespace model
