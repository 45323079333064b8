// See causes.hpp.

#include "model/machine/causes.hpp"

namespace model {

using sim::Time;

Causes::Causes(std::int32_t cpus, std::int32_t cores)
    : cores_(cores), reservations_(static_cast<std::size_t>(cpus), Loss{.kind = "never_armed"}) {}

Causes::Line& Causes::line(std::uint64_t number) {
    if (number >= lines_.size()) { lines_.resize(number + 1); }
    Line& found = lines_[number];
    if (found.losses.empty()) { found.losses.resize(static_cast<std::size_t>(cores_)); }
    return found;
}

char Causes::state_of(const CacheLine& line, std::int32_t core, Time now) {
    if (!line.attached()) { return 'I'; }
    if (line.writable(core, now)) { return 'M'; }
    return line.readable(core, now) ? 'S' : 'I';
}

sim::Cause Causes::cause(const Loss& loss, std::int32_t cpu) {
    sim::Cause told;
    if (loss.taker != nullptr) { told = *loss.taker; }
    told.kind = loss.kind;
    if (loss.at != Time::max()) { told.lost_at = loss.at; }
    told.armed_at = loss.armed_at;
    if (std::string_view(loss.kind) == "interrupt") {
        told.cpu = cpu;
        told.operation = "interrupt";
        told.at = loss.at;
    }
    return told;
}

// --- requests -----------------------------------------------------------------------------------------------------

Causes::Loss Causes::why_missed(const Line& known, const CacheLine& line, std::int32_t core, Time now) {
    const Loss& last = known.losses[index(core)];
    if (line.readable(core, now)) {  // the right to write is missing
        if (line.owner() == core) { return {.kind = "shared", .taker = known.last_reader}; }
        return std::string_view(last.kind) == "shared" ? last : Loss{};
    }
    if (line.has_copy(core)) { return {.kind = "taken", .taker = known.last_taker, .at = line.lose_at()}; }
    return std::string_view(last.kind) == "taken" ? last : Loss{.kind = "cold"};
}

void Causes::requested(std::uint64_t number, const CacheLine& asked, const LineRequest& request, Time now) {
    Miss& miss = misses_[&request];
    miss.state = state_of(asked, request.core, now);
    miss.number = 0;
    miss.loss = request.want == Want::far ? Loss{} : why_missed(line(number), asked, request.core, now);
}

void Causes::granted(std::uint64_t number, const CacheLine& asked, const LineRequest& request, const sim::Cause& told) {
    Line& known = line(number);
    const bool takes = request.want != Want::read;
    if (!takes && asked.owner() < 0) { return; }  // a copy beside others: nobody loses by it
    auto taker = std::make_shared<sim::Cause>(told);
    taker->request = ++requests_;
    if (takes) {
        misses_[&request].number = requests_;
        known.last_taker = std::move(taker);
    } else {
        known.demoted = asked.owner();
        known.last_reader = std::move(taker);
    }
}

void Causes::completes(std::uint64_t number, const CacheLine& asked, const LineRequest& request, Time now) {
    Line& known = line(number);
    Loss& own = known.losses[index(request.core)];
    if (request.want == Want::read) {
        if (std::string_view(own.kind) == "taken") { own = {}; }
        if (asked.granted() != &request || known.demoted < 0) { return; }
        known.last_reader->at = now;
        known.losses[index(known.demoted)] = {.kind = "shared", .taker = known.last_reader};
        known.demoted = -1;
        return;
    }
    known.last_taker->at = now;
    known.last_taker->lost_at = asked.taken_at;
    for (std::int32_t core = 0; core < cores_; ++core) {
        if (asked.has_copy(core)) { known.losses[index(core)] = {.kind = "taken", .taker = known.last_taker}; }
    }
    if (request.want == Want::own) { own = {}; }
}

// --- reservations -------------------------------------------------------------------------------------------------

void Causes::armed(std::int32_t cpu, Time now) { reservations_[index(cpu)] = {.armed_at = now}; }

void Causes::overtaken(std::int32_t cpu, std::uint64_t number, Time at) {
    Loss& loss = reservations_[index(cpu)];
    if (loss.armed_at == Time::max() || at >= loss.at) { return; }
    loss.kind = "taken";
    loss.taker = line(number).last_taker;
    loss.at = at;
}

void Causes::dropped(std::int32_t cpu, ReservationLoss why, Time now) {
    Loss& loss = reservations_[index(cpu)];
    if (why == ReservationLoss::used) { loss = {.kind = "used"}; }
    if (why != ReservationLoss::interrupt || loss.armed_at == Time::max() || now >= loss.at) { return; }
    loss.kind = "interrupt";
    loss.taker = nullptr;
    loss.at = now;
}

}  // namespace model
