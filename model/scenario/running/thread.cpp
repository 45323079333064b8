// See thread.hpp.

#include "model/scenario/running/thread.hpp"

#include "model/scenario/running/simulation.hpp"
#include "sim/digest.hpp"

namespace model {

using sim::Time;

Thread::Thread(Simulation& simulation, std::int32_t index, std::string name, const GroupConfig& group, std::int32_t cpu)
    : simulation_(simulation),
      index_(index),
      name_(std::move(name)),
      group_(group),
      cpu_(cpu),
      program_random_(simulation.scenario().seed, "program", static_cast<std::uint64_t>(index)),
      noise_random_(simulation.noise_seed(), "work noise", static_cast<std::uint64_t>(index)) {}

void Thread::run(void* self) {
    auto& thread = *static_cast<Thread*>(self);
    const std::int64_t iterations = thread.group_.iterations;
    for (std::int64_t n = 0; iterations == 0 || n < iterations; ++n) { thread.run_body(); }
    thread.simulation_.thread_finished(thread);
}

void Thread::run_handler(void* self) {
    auto& thread = *static_cast<Thread*>(self);
    if (thread.group_.interrupt == InterruptKind::tick) {
        thread.context->spend(span(thread.simulation_.machine().config().tick.length));
    }
    thread.run_body();
}

void Thread::run_body() {
    if (simulation_.moving_stacks()) [[unlikely]] { return run_body_deeper(); }
    run_body_here();
}

void Thread::run_body_deeper() {
    constexpr std::uint64_t most_bytes = 8192;  // a stack has 64 KiB
    constexpr std::uint64_t alignment = 16;
    const std::uint64_t drawn = sim::Digest::mix(static_cast<std::uint64_t>(index_) << 32U | ++bodies_begun_);
    const std::uint64_t bytes = drawn % most_bytes / alignment * alignment + alignment;
    volatile auto* gap = static_cast<volatile std::byte*>(__builtin_alloca(bytes));
    gap[0] = std::byte{};  // so that no compiler leaves it out
    run_body_here();
}

void Thread::run_body_here() {
    const Time began = simulation_.now();
    try_failed = false;
    context->cpu().become(busy(), began);
    if (workload != nullptr) {
        workload->body(*this);
    } else {
        run_program(group_.program);
    }
    simulation_.body_done(*this, began);
}

// --- locks --------------------------------------------------------------------------------------------------------

void Thread::acquire(LockInstance& lock, sim::CallSite where) {
    const Time since = simulation_.now();
    LockMonitor& monitor = lock.monitor();
    const bool contended = monitor.begin_acquire(index_, since);
    observe(sim::LockStep::Kind::request, lock, contended);
    context->cpu().become(Activity::spin, since);
    waiting_for = &lock;
    if (monitor.owner() >= 0) { simulation_.look_for_deadlock(*this); }

    if (workload != nullptr) { context->set_label(lock.acquire_label()); }
    lock.algorithm->lock(lock_contexts[static_cast<std::size_t>(lock.index())]);
    if (workload != nullptr) { context->set_label(""); }

    waiting_for = nullptr;
    const Time now = simulation_.now();
    const std::int32_t holder = monitor.owner();
    if (!monitor.end_acquire(index_, now)) { simulation_.exclusion_broken(*this, lock, holder, where); }
    note_wait(since, now);
    observe(sim::LockStep::Kind::acquired, lock);
    ++locks_held;
    context->cpu().become(Activity::critical, now);
}

bool Thread::try_acquire(LockInstance& lock, sim::CallSite where) {
    const Time since = simulation_.now();
    LockMonitor& monitor = lock.monitor();
    const bool contended = monitor.begin_acquire(index_, since);
    observe(sim::LockStep::Kind::request, lock, contended);
    const Activity before = context->cpu().become(Activity::spin, since);
    if (workload != nullptr) { context->set_label(lock.acquire_label()); }
    const bool got = lock.algorithm->try_lock(lock_contexts[static_cast<std::size_t>(lock.index())]);
    if (workload != nullptr) { context->set_label(""); }
    const Time now = simulation_.now();
    if (!got) {
        monitor.give_up_acquire(index_);
        observe(sim::LockStep::Kind::gave_up, lock);
        context->cpu().become(before, now);
        return false;
    }
    const std::int32_t holder = monitor.owner();
    if (!monitor.end_acquire(index_, now)) { simulation_.exclusion_broken(*this, lock, holder, where); }
    note_wait(since, now);
    observe(sim::LockStep::Kind::acquired, lock);
    ++locks_held;
    context->cpu().become(Activity::critical, now);
    return true;
}

void Thread::release(LockInstance& lock, sim::CallSite where) {
    if (!lock.monitor().begin_release(index_, simulation_.now())) {
        simulation_.released_by_stranger(*this, lock, where);
    }
    observe(sim::LockStep::Kind::release, lock);
    if (workload != nullptr) { context->set_label(lock.release_label()); }
    lock.algorithm->unlock(lock_contexts[static_cast<std::size_t>(lock.index())]);
    if (workload != nullptr) { context->set_label(""); }
    --locks_held;
    context->cpu().become(busy(), simulation_.now());
}

void Thread::observe(sim::LockStep::Kind kind, const LockInstance& lock, bool contended) const {
    sim::Observer* observer = simulation_.observer();
    if (observer == nullptr) [[likely]] { return; }
    observer->on_lock({kind, simulation_.now(), cpu_, name_.c_str(), lock.name().c_str(), contended});
}

void Thread::note_wait(Time since, Time now) {
    ++acquisitions;
    waits.add((now - since).ps);
    if (now - since > longest_wait) {
        longest_wait = now - since;
        longest_wait_since = since;
    }
}

// --- time ---------------------------------------------------------------------------------------------------------

namespace {

std::int64_t jittered(std::int64_t value, Share jitter, sim::RandomStream& random) {
    if (jitter.ppm == 0 || value == 0) { return value; }
    const auto reach = static_cast<std::int64_t>(static_cast<__int128>(value) * jitter.ppm / 1'000'000);
    return value + random.uniform(-reach, reach);
}

std::int64_t drawn(const Distribution& d, std::int64_t low, std::int64_t high, sim::RandomStream& random) {
    switch (d.kind) {
        case Distribution::Kind::constant: break;
        case Distribution::Kind::uniform: return random.uniform(low, high);
        case Distribution::Kind::exponential: return random.exponential(low);
    }
    return low;
}

}  // namespace

Span Thread::draw(const Distribution& amount, Share jitter) {
    const Share noise = simulation_.scenario().noise.work;
    const bool in_cycles = amount.low.cycles != 0 || amount.high.cycles != 0;
    if (!in_cycles) {
        const std::int64_t ps = drawn(amount, amount.low.time.ps, amount.high.time.ps, program_random_);
        return span({jittered(jittered(ps, jitter, program_random_), noise, noise_random_)});
    }
    // Jitter on a few cycles is less than a cycle: whole cycles, and the rest as time at the present clock.
    constexpr std::int64_t parts = 1'000'000;
    const std::int64_t n = drawn(amount, amount.low.cycles, amount.high.cycles, program_random_);
    const std::int64_t micro = jittered(jittered(n * parts, jitter, program_random_), noise, noise_random_);
    const Time cycle = context->cpu().clock().cycles(parts).time();  // a million of them, for precision
    return {micro / parts,
            Time{static_cast<std::int64_t>(static_cast<__int128>(cycle.ps) * (micro % parts) / parts / parts)}};
}

Time Thread::length_of(Span s) const { return context->cpu().clock().length(s).time(); }

void Thread::spend(Span s) {
    simulation_.progress().definite_step(simulation_.now(), length_of(s));
    in_step = true;
    context->spend(s);
    in_step = false;
}

void Thread::work(const Distribution& amount, Share jitter) { spend(draw(amount, jitter)); }

void Thread::think(const Distribution& amount, Share jitter) {
    const Activity before = context->cpu().become(Activity::idle, simulation_.now());
    spend(draw(amount, jitter));
    context->cpu().become(before, simulation_.now());
}

void Thread::delay(const Distribution& amount) { spend(draw(amount, {})); }

void Thread::progress() { simulation_.progress().progress(simulation_.now()); }

// --- programs -----------------------------------------------------------------------------------------------------

void Thread::run_program(const std::vector<Step>& steps) {
    for (std::size_t at = 0; at < steps.size();) { at = run_step(steps, at); }
}

namespace {

/// After a try that failed: the step after the release that would have ended the section.
std::size_t after_release_of(const std::vector<Step>& steps, std::size_t at) {
    for (std::size_t i = at + 1; i < steps.size(); ++i) {
        if (steps[i].kind == Step::Kind::release && steps[i].target == steps[at].target) { return i + 1; }
    }
    return steps.size();
}

}  // namespace

std::size_t Thread::run_step(const std::vector<Step>& steps, std::size_t at) {
    const Step& step = steps[at];
    std::size_t next = at + 1;
    const sim::CallSite site{step.position.file.c_str(), step.position.line};
    if (step.watched) [[unlikely]] { simulation_.watched_step(step, *this); }
    context->set_label(step.label.c_str());
    switch (step.kind) {
        case Step::Kind::acquire: acquire(simulation_.lock(step.target_index), site); break;
        case Step::Kind::release: release(simulation_.lock(step.target_index), site); break;
        case Step::Kind::try_acquire: {
            LockInstance& lock = simulation_.lock(step.target_index);
            bool got = try_acquire(lock, site);
            for (std::int64_t n = 1; !got && n < step.times; ++n) {
                context->spend(draw(step.amount, {}));  // a pause between tries gets nobody on
                got = try_acquire(lock, site);
            }
            if (!got) {
                next = after_release_of(steps, at);
                try_failed = true;
            }
            break;
        }
        case Step::Kind::work: work(step.amount, step.jitter); break;
        case Step::Kind::think: think(step.amount, step.jitter); break;
        case Step::Kind::delay: delay(step.amount); break;
        case Step::Kind::read:
        case Step::Kind::write: {
            const SharedLine& line = simulation_.line(step.target_index);
            const std::int32_t stride = simulation_.machine().config().line_bytes;
            for (std::int32_t offset = 0; offset < line.bytes; offset += stride) {
                auto* word = reinterpret_cast<std::uint64_t*>(line.data + offset);
                if (step.kind == Step::Kind::read) {
                    context->load(word, site);
                    continue;
                }
                context->store(word, static_cast<std::uint64_t>(index_) + 1, site);
            }
            break;
        }
        case Step::Kind::set: smp::write_once(*simulation_.flag(step.target_index).word, step.value, site); break;
        case Step::Kind::wait: {
            const Activity before = context->cpu().become(Activity::spin, simulation_.now());
            const std::int64_t value = step.value;
            smp::smp_cond_load_acquire(
                *simulation_.flag(step.target_index).word, [value](auto v) { return v == value; }, site);
            context->cpu().become(before, simulation_.now());
            break;
        }
        case Step::Kind::relax:
            for (std::int64_t n = 0; step.target != "none" && n < step.times; ++n) {
                if (step.target == "yield") {
                    context->relax(site);
                } else {
                    smp::cpu_relax_at(step.place, site);
                }
            }
            break;
        case Step::Kind::irq:
            if (step.target == "off") {
                smp::local_irq_disable();
            } else {
                smp::local_irq_enable();
            }
            break;
        case Step::Kind::ipi: simulation_.send_ipi(step, *this); break;
        case Step::Kind::repeat: {
            if (step.target_index < 0) {
                for (std::int64_t n = 0; n < step.times; ++n) {
                    run_program(step.body);
                    if (!marks_progress) { progress(); }  // towards a known end
                }
                break;
            }
            const auto& word = *simulation_.flag(step.target_index).word;
            while (smp::smp_load_acquire(word, site) != step.value) { run_program(step.body); }
            break;
        }
    }
    if (step.progress) { progress(); }
    return next;
}

}  // namespace model
