#pragma once
// One cache line with the little that it needs to be driven without an engine: requests that arrive at given times, and
// what became of them.

#include <cstddef>
#include <deque>
#include <memory>
#include <set>
#include <vector>

#include "model/machine/cache_line_serving.hpp"
#include "tests/model/machines.hpp"

namespace model::test {

class LineServer {
public:
    struct Asked {
        LineRequest request;
        Time at{};  ///< when it reaches the line
        Time granted_at{};
        Time done_at{};  ///< its effect
        Time resumed_at{};
        std::int32_t distance = -2;
        bool done = false;
    };

    explicit LineServer(MachineConfig c, std::uint64_t seed = 1)
        : config(std::move(c)),
          topology(config),
          costs(config, topology),
          extra_(std::make_unique<std::uint64_t[]>(CacheLine::extra_bytes(topology) / 8 + 1)) {
        line.attach(reinterpret_cast<std::byte*>(extra_.get()), costs, seed, 1);
    }

    void place(std::int32_t cpu) { line.place(topology.core_of(cpu), topology.domain_of(cpu)); }
    /// Leaves the line shared by these CPUs (at least two), long before time 0 of the test's requests.
    void share(const std::vector<std::int32_t>& cpus) {
        place(cpus[0]);
        for (std::size_t i = 1; i < cpus.size(); ++i) { ask(cpus[i], Want::read, Time{-1'000'000'000}); }
        run_until(Time{-1});
    }

    /// A request that reaches the line at `at`. Those of one instant arrive in the order of these calls.
    Asked& ask(std::int32_t cpu, Want want, Time at) {
        Asked& asked = asked_.emplace_back();
        asked.request.cpu = cpu;
        asked.request.core = topology.core_of(cpu);
        asked.request.domain = topology.domain_of(cpu);
        asked.request.want = want;
        asked.request.kind = want == Want::read ? AccessKind::load : AccessKind::atomic;
        asked.at = at;
        to_come_.push_back(&asked);
        return asked;
    }

    /// Lets everything happen that is due up to and including `end`.
    void run_until(Time end) {
        for (;;) {
            Time next = retry_at_;
            for (const Asked* a : to_come_) { next = std::min(next, a->at); }
            for (const Asked* a : granted_) { next = std::min(next, a->done_at); }
            if (next > end || next == Time::max()) { return; }
            now = next;
            step();
        }
    }
    void run() { run_until(Time{Time::max().ps - 1}); }

    /// The owner's operation begins now and lasts until `until`.
    void owner_busy(Time until) {
        const Time by = line.hold_until(until);
        for (Asked* a : granted_) {
            if (&a->request == line.granted()) {
                a->done_at += by;
                a->resumed_at += by;
            }
        }
    }

    MachineConfig config;
    Topology topology;
    CoherenceCosts costs;
    CacheLine line{};
    Time now{};
    std::vector<std::int32_t> order;  ///< CPUs in the order in which they were granted the line

private:
    void step() {
        for (std::size_t i = 0; i < granted_.size(); ++i) {
            Asked& a = *granted_[i];
            if (a.done_at != now) { continue; }
            granted_.erase(granted_.begin() + static_cast<std::ptrdiff_t>(i));
            const bool transferred = line.granted() == &a.request;
            switch (a.request.want) {
                case Want::read: line.complete_read(a.request, now); break;
                case Want::own: line.complete_own(a.request); break;
                case Want::far: line.complete_far(a.request); break;
            }
            a.done = true;
            grant(transferred);
            return;
        }
        for (std::size_t i = 0; i < to_come_.size(); ++i) {
            Asked& a = *to_come_[i];
            if (a.at != now) { continue; }
            to_come_.erase(to_come_.begin() + static_cast<std::ptrdiff_t>(i));
            line.enqueue(a.request);
            grant(false);
            return;
        }
        grant(false);  // a retry
    }
    void grant(bool forwarded) {
        retry_at_ = Time::max();
        while (line.granted() == nullptr && line.has_requests()) {
            const Grant granted = line.grant_next(now, forwarded, costs, no_noise_);
            if (granted.request == nullptr) {
                retry_at_ = granted.retry_at;
                return;
            }
            for (Asked& a : asked_) {
                if (&a.request != granted.request) { continue; }
                a.granted_at = now;
                a.done_at = granted.effect_at;
                a.resumed_at = granted.resume_at;
                a.distance = granted.distance;
                granted_.push_back(&a);
                order.push_back(a.request.cpu);
            }
            forwarded = false;
        }
    }

    std::unique_ptr<std::uint64_t[]> extra_;
    sim::RandomStream no_noise_;
    Time retry_at_ = Time::max();  // a read server is busy and requests wait
    std::deque<Asked> asked_;
    std::vector<Asked*> to_come_;
    std::vector<Asked*> granted_;
};

}  // namespace model::test
