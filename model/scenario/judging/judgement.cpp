// Verdicts: what a run shows, each with its basis and who made it. Exclusion and deadlock are noticed when they happen,
// the rest when the run has ended.
//
// NOT HERE  lost_wakeup (needs sleepers), a livelock that is proved by a recurring state, schedulers, hypervisors.

#include <algorithm>

#include <fmt/format.h>

#include "model/scenario/running/simulation.hpp"

namespace model {

using sim::Time;

namespace {

std::string friendly(Time t) {
    const double ns = sim::to_nanoseconds(t);
    if (ns < 1e3) { return fmt::format("{:.4g} ns", ns); }
    if (ns < 1e6) { return fmt::format("{:.4g} us", ns / 1e3); }
    if (ns < 1e9) { return fmt::format("{:.4g} ms", ns / 1e6); }
    return fmt::format("{:.4g} s", ns / 1e9);
}

}  // namespace

void Simulation::add_verdict(Verdict verdict) {
    machine_->engine().digest().add(static_cast<std::uint32_t>(Hashed::verdict),
                                    static_cast<std::uint32_t>(verdict.kind), now().ps, 0, 0);
    machine_->observe_event("verdict", -1, 0, static_cast<std::uint64_t>(verdict.kind));
    verdicts_.push_back(std::move(verdict));
}

// --- while the run goes on ----------------------------------------------------------------------------------------

void Simulation::exclusion_broken(const Thread& second, const LockInstance& lock, std::int32_t first,
                                  sim::CallSite where) {
    const std::string& owner = thread_names_[static_cast<std::size_t>(first)];
    Verdict v;
    v.kind = VerdictKind::exclusion_violated;
    v.text = fmt::format("{} got {} at {} while {} held it", second.name(), lock.name(), friendly(now()), owner);
    v.basis = "proved";
    v.made_by = "lock";
    v.since_ns = sim::to_nanoseconds(now());
    v.threads = {second.name(), owner};
    v.where = fmt::format("{}:{}", where.file, where.line);
    add_verdict(std::move(v));
    machine_->engine().stop();
}

/// What comes of it depends on the lock; that it was done is wrong already.
void Simulation::released_by_stranger(const Thread& stranger, const LockInstance& lock, sim::CallSite where) {
    Verdict v;
    v.kind = VerdictKind::invariant_broken;
    v.basis = "proved";
    v.made_by = "workload";
    v.since_ns = sim::to_nanoseconds(now());
    v.threads = {stranger.name()};
    v.where = fmt::format("{}:{}", where.file, where.line);
    v.text = fmt::format("{} released {} at {} ", stranger.name(), lock.name(), friendly(now()));
    if (const std::int32_t owner = lock.monitor().owner(); owner >= 0) {
        v.threads.push_back(thread_names_[static_cast<std::size_t>(owner)]);
        v.text += fmt::format("while {} held it", v.threads.back());
    } else {
        v.text += "when nobody held it";
    }
    add_verdict(std::move(v));
    machine_->engine().stop();
}

/// The handler that has this thread's CPU, or null.
const Thread* Simulation::interrupter_of(const Thread& thread) const {
    if (!thread.context->frozen()) { return nullptr; }
    const Context* handler = machine_->interrupts(thread.cpu()).handler();
    for (const Thread& other : threads_) {
        if (handler != nullptr && other.context == handler && &other != &thread) { return &other; }
    }
    return nullptr;
}

/// Follows "waits for a lock that is held by" and "is interrupted by" from `start`. Closed: it comes back to a thread
/// that it has seen, or to one that has ended without releasing.
bool Simulation::chain_is_closed(const Thread& start, std::vector<WaitsFor>& edges) const {
    std::vector<bool> seen(threads_.size());
    const Thread* at = &start;
    for (;;) {
        if (at->finished) { return true; }
        const Thread* next = interrupter_of(*at);
        const bool interrupted = next != nullptr;
        if (!interrupted) {
            if (at->waiting_for == nullptr) { return false; }
            const std::int32_t owner = at->waiting_for->monitor().owner();
            if (owner < 0) { return false; }
            next = &threads_[static_cast<std::size_t>(owner)];
        }
        if (seen[static_cast<std::size_t>(at->index())]) { return true; }
        seen[static_cast<std::size_t>(at->index())] = true;
        edges.push_back({at->name(), interrupted ? "" : at->waiting_for->name(), next->name()});
        at = next;
    }
}

void Simulation::look_for_deadlock(const Thread& thread) {
    if (closes_deadlock_of_all(thread)) { machine_->engine().stop(); }  // does not return: nothing here may own memory
}

/// Notes a deadlock that this thread closes. True if everybody is in one.
bool Simulation::closes_deadlock_of_all(const Thread& thread) {
    std::vector<WaitsFor> edges;
    if (thread.finished) {  // ended with a lock held: whoever waits for it waits for ever
        for (const Thread& t : threads_) {
            edges.clear();
            if (t.waiting_for != nullptr && chain_is_closed(t, edges)) { break; }
        }
    } else if (!chain_is_closed(thread, edges)) {
        return false;
    }
    if (edges.empty()) { return false; }

    bool known = false;
    for (const Verdict& v : verdicts_) { known = known || v.kind == VerdictKind::deadlock; }
    if (!known) {
        Verdict v;
        v.kind = VerdictKind::deadlock;
        v.basis = "proved";
        v.made_by = "workload";
        v.since_ns = sim::to_nanoseconds(now());
        for (const WaitsFor& edge : edges) {
            const std::string_view separator = v.text.empty() ? "" : "; ";
            v.text += edge.lock.empty()
                          ? fmt::format("{}{} is interrupted by {}", separator, edge.thread, edge.owner)
                          : fmt::format("{}{} waits for {}, held by {}", separator, edge.thread, edge.lock, edge.owner);
            v.threads.push_back(edge.thread);
        }
        v.text += fmt::format(", since {}", friendly(now()));
        v.waits_for = edges;
        add_verdict(std::move(v));
    }
    return std::all_of(threads_.begin(), threads_.end(), [&](const Thread& t) {
        std::vector<WaitsFor> ignored;
        const bool idle = t.handles_interrupts() && t.waiting_for == nullptr;
        return t.finished || idle || chain_is_closed(t, ignored);
    });
}

// --- at the end ---------------------------------------------------------------------------------------------------

void Simulation::judge_end(sim::Ending ending) {
    judge_workloads();
    if (machine_->deadlocked()) { judge_all_waiting(); }
    const bool cut_short = ending == sim::Ending::stopped && machine_->live_contexts() > 0;
    if (!cut_short) {
        judge_livelock();
        judge_starvation();
    }
    if (verdicts_.empty()) {
        Verdict v;
        v.basis = "observed";
        v.text = no_verdict_text();
        add_verdict(std::move(v));
    }
    std::stable_sort(verdicts_.begin(), verdicts_.end(),
                     [](const Verdict& a, const Verdict& b) { return a.kind > b.kind; });
}

/// Ok is not praise: a thread may have got nowhere outside all locks.
std::string Simulation::no_verdict_text() const {
    std::string idle;
    for (const Thread& t : threads_) {
        if (t.finished || t.operations != 0 || t.handles_interrupts()) { continue; }
        idle += fmt::format("{}{}", idle.empty() ? "" : ", ", t.name());
    }
    std::string killed;
    for (const Thread& t : threads_) {
        if (t.killed) { killed += fmt::format("{}{}", killed.empty() ? "" : ", ", t.name()); }
    }
    if (idle.empty() && !killed.empty()) {
        return fmt::format("every thread got on but {}, killed by an event", killed);
    }
    if (idle.empty()) { return "every thread got on"; }
    return fmt::format("no lock kept anybody waiting too long, but {} completed no body", idle);
}

void Simulation::judge_all_waiting() {
    for (const Verdict& v : verdicts_) {
        if (v.kind == VerdictKind::deadlock) { return; }  // the circle of locks has been named
    }
    Verdict v;
    v.kind = VerdictKind::deadlock;
    v.basis = "proved";
    v.made_by = "workload";
    v.since_ns = sim::to_nanoseconds(now());
    std::string who;
    for (const Thread& t : threads_) {
        if (t.finished || (t.handles_interrupts() && t.waiting_for == nullptr)) { continue; }
        v.threads.push_back(t.name());
        const sim::CallSite& site = t.context->last_site();
        if (site.line > 0) { v.where = fmt::format("{}:{}", site.file, site.line); }
        who += fmt::format("{}{}", who.empty() ? "" : ", ", t.name());
        if (t.waiting_for == nullptr) { continue; }
        const std::int32_t owner = t.waiting_for->monitor().owner();
        if (owner < 0) { v.made_by = "lock"; }  // nobody holds what they wait for
        v.waits_for.push_back(
            {t.name(), t.waiting_for->name(), owner < 0 ? "" : thread_names_[static_cast<std::size_t>(owner)]});
    }
    v.text = fmt::format(
        "since {} every thread that has not ended ({}) spins or sleeps until somebody acts, and nobody is left to",
        friendly(now()), who);
    add_verdict(std::move(v));
}

void Simulation::judge_workloads() {
    for (const auto& workload : workloads_) {
        const std::string wrong = workload->check();
        if (wrong.empty()) { continue; }
        Verdict v;
        v.kind = VerdictKind::invariant_broken;
        v.basis = "proved";
        v.made_by = "lock";
        v.text = wrong;
        v.since_ns = sim::to_nanoseconds(now());
        add_verdict(std::move(v));
    }
}

void Simulation::judge_livelock() {
    if (machine_->live_contexts() == 0 || machine_->deadlocked()) { return; }
    const Time window = progress_.window();
    const ProgressMonitor::Gap gap = progress_.longest_gap(now());
    if (gap.length < window) { return; }
    Verdict v;
    v.kind = VerdictKind::livelock;
    v.basis = "bounded";
    v.window_ns = sim::to_nanoseconds(window);
    v.since_ns = sim::to_nanoseconds(gap.since);
    v.until_ns = sim::to_nanoseconds(gap.since + gap.length);
    bool in_locks = true;
    for (const Thread& t : threads_) {
        if (t.finished || (t.handles_interrupts() && t.waiting_for == nullptr)) { continue; }
        v.threads.push_back(t.name());
        in_locks = in_locks && t.waiting_for != nullptr;
        const sim::CallSite& site = t.context->last_site();
        v.where = fmt::format("{}:{}", site.file, site.line);
    }
    v.made_by = in_locks ? "lock" : "workload";
    v.text = fmt::format("from {} on, CPUs execute but no thread gets on for {} (window {})", friendly(gap.since),
                         friendly(gap.length), friendly(window));
    add_verdict(std::move(v));
}

Time Simulation::median_wait_of_others(const Thread& thread) const {
    Histogram others;
    for (const Thread& t : threads_) {
        if (&t != &thread) { others.merge(t.waits); }
    }
    return {others.percentile(500)};
}

void Simulation::judge_starvation() {
    const LockInstance* lock = nullptr;
    WaitRecord worst;
    for (const LockInstance& candidate : locks_) {
        const WaitRecord wait = candidate.monitor().longest_overtaken(now());
        if (wait.thread >= 0 && wait.length > worst.length) {
            worst = wait;
            lock = &candidate;
        }
    }
    if (lock == nullptr) { return; }
    const Thread& starved = threads_[static_cast<std::size_t>(worst.thread)];
    const Time bound = std::max(sim::milliseconds(1), median_wait_of_others(starved) * 1000);
    if (worst.length <= bound) { return; }
    Verdict v;
    v.kind = VerdictKind::starvation;
    v.basis = "bounded";
    v.made_by = "lock";
    v.bound_ns = sim::to_nanoseconds(bound);
    v.since_ns = sim::to_nanoseconds(worst.since);
    v.until_ns = sim::to_nanoseconds(worst.since + worst.length);
    v.threads = {starved.name()};
    v.text =
        fmt::format("{} waited {} for {} from {} on, and others got it {} times meanwhile (bound {})", starved.name(),
                    friendly(worst.length), lock->name(), friendly(worst.since), worst.bypassed, friendly(bound));
    add_verdict(std::move(v));
}

}  // namespace model
