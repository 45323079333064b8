#pragma once
// The lock-writer's vocabulary: the kernel's words for shared memory and waiting, each with the kernel's meaning. All
// that locks/ may include of the simulator. Every shared access is a call with a name; Atomic<T> has no operators and
// no conversions, so that a hidden access cannot compile.
//
// Orderings (_acquire, _release, _relaxed) document the pairing and cost nothing: a machine keeps all of them. Where it
// has a store buffer (TSO), a load may pass an earlier store, unless smp_mb() or a read-modify-write stands between.
//
// Waiting is always a named primitive: smp_cond_load_* polls with load + cpu_relax() until its condition holds, and the
// simulator parks the spinner meanwhile. A hand-written loop around read_once() works, but every poll is an event.

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "model/machine/context.hpp"
#include "model/machine/interrupts.hpp"

namespace model {

/// A word of shared memory: 1, 2, 4 or 8 bytes, any trivially copyable type. As large as T: layout and false sharing
/// are real.
template <class T>
class Atomic {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);

public:
    constexpr Atomic() = default;
    constexpr explicit Atomic(T initial) : value_(initial) {}  ///< before the simulation starts
    Atomic(const Atomic&) = delete;
    Atomic& operator=(const Atomic&) = delete;

    /// The raw word, for the simulator and for checks after a run. Lock code never touches it.
    T* word() { return &value_; }
    const T* word() const { return &value_; }

private:
    T value_{};
};

}  // namespace model

namespace smp {

inline namespace simulated {  // a native twin of this vocabulary can stand beside it

using model::Atomic;
using Site = sim::CallSite;
template <class T>
using Plain = std::type_identity_t<T>;  // lets a literal convert to the word's type

inline constexpr std::size_t cache_line_bytes = 64;

// --- loads and stores

template <class T>
T read_once(const Atomic<T>& a, Site where = Site::here()) {
    return model::current->load(a.word(), where);
}
template <class T>
void write_once(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    model::current->store(a.word(), value, where);
}
template <class T>
T smp_load_acquire(const Atomic<T>& a, Site where = Site::here()) {
    return model::current->load(a.word(), where);
}
template <class T>
void smp_store_release(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    model::current->store(a.word(), value, where);
}

// --- read-modify-write: one instruction each; all return the value before

template <class T>
T xchg(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    return model::current->modify(a.word(), model::Operation::exchange, value, value, where);
}
template <class T>
T xchg_acquire(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    return xchg(a, value, where);
}
template <class T>
T xchg_release(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    return xchg(a, value, where);
}
template <class T>
T xchg_relaxed(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    return xchg(a, value, where);
}

template <class T>
T cmpxchg(Atomic<T>& a, Plain<T> expected, Plain<T> desired, Site where = Site::here()) {
    return model::current->modify(a.word(), model::Operation::compare_exchange, desired, expected, where);
}
/// True if the word was `expected` and is now `desired`.
template <class T>
bool try_cmpxchg(Atomic<T>& a, Plain<T> expected, Plain<T> desired, Site where = Site::here()) {
    return cmpxchg(a, expected, desired, where) == expected;
}
/// The same; on failure *expected is what was seen. Only for a real T*: a literal 0 or nullptr is an expected value.
template <class T, class Expected>
requires std::same_as<Expected, T>
bool try_cmpxchg(Atomic<T>& a, Expected* expected, Plain<T> desired, Site where = Site::here()) {
    const T seen = cmpxchg(a, *expected, desired, where);
    if (seen == *expected) { return true; }
    *expected = seen;
    return false;
}
template <class T>
bool try_cmpxchg_acquire(Atomic<T>& a, Plain<T> expected, Plain<T> desired, Site where = Site::here()) {
    return try_cmpxchg(a, expected, desired, where);
}
template <class T>
bool try_cmpxchg_release(Atomic<T>& a, Plain<T> expected, Plain<T> desired, Site where = Site::here()) {
    return try_cmpxchg(a, expected, desired, where);
}

template <class T>
T fetch_add(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    return model::current->modify(a.word(), model::Operation::fetch_add, value, value, where);
}
template <class T>
T fetch_add_acquire(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    return fetch_add(a, value, where);
}
template <class T>
T fetch_add_release(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    return fetch_add(a, value, where);
}
template <class T>
T fetch_sub(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    return fetch_add(a, static_cast<T>(T{} - value), where);
}
template <class T>
T fetch_and(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    return model::current->modify(a.word(), model::Operation::fetch_and, value, value, where);
}
template <class T>
T fetch_or(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    return model::current->modify(a.word(), model::Operation::fetch_or, value, value, where);
}
template <class T>
T fetch_or_acquire(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    return fetch_or(a, value, where);
}
template <class T>
T fetch_xor(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    return model::current->modify(a.word(), model::Operation::fetch_xor, value, value, where);
}

// --- load-exclusive and store-exclusive, as arm64 has them; WFE and its events

template <class T>
T ldxr(const Atomic<T>& a, Site where = Site::here()) {
    return model::current->load_exclusive(a.word(), where);
}
template <class T>
T ldaxr(const Atomic<T>& a, Site where = Site::here()) {
    return model::current->load_exclusive(a.word(), where);
}
/// True if the value was stored (arm64's status 0).
template <class T>
bool stxr(Atomic<T>& a, Plain<T> value, Site where = Site::here()) {
    return model::current->store_exclusive(a.word(), value, where);
}
inline void wfe(Site where = Site::here()) { model::current->wait_for_event(where); }
inline void sev(Site where = Site::here()) { model::current->send_event(where); }
inline void sevl(Site where = Site::here()) { model::current->send_event_local(where); }

// --- parts of a word, as a kernel writes `lock->tickets.head++`: an access to some bytes of an Atomic<uint32_t>

/// The n-th byte or half of a word, counted from its low end, as a place of its own (little endian).
template <class T>
class PartOfWord {
public:
    PartOfWord(Atomic<std::uint32_t>& a, int n) : place_(reinterpret_cast<T*>(a.word()) + n) {}
    T* word() const { return place_; }

private:
    T* place_;
};
using HalfWord = PartOfWord<std::uint16_t>;
using ByteWord = PartOfWord<std::uint8_t>;
inline HalfWord low_half(Atomic<std::uint32_t>& a) { return {a, 0}; }
inline HalfWord high_half(Atomic<std::uint32_t>& a) { return {a, 1}; }
inline ByteWord byte_of(Atomic<std::uint32_t>& a, int n) { return {a, n}; }
template <class T>
T read_once(PartOfWord<T> part, Site where = Site::here()) {
    return model::current->load(part.word(), where);
}
template <class T>
void write_once(PartOfWord<T> part, Plain<T> value, Site where = Site::here()) {
    model::current->store(part.word(), value, where);
}
template <class T>
void smp_store_release(PartOfWord<T> part, Plain<T> value, Site where = Site::here()) {
    model::current->store(part.word(), value, where);
}
template <class T>
T xchg(PartOfWord<T> part, Plain<T> value, Site where = Site::here()) {
    return model::current->modify(part.word(), model::Operation::exchange, value, value, where);
}

// --- a word that lies across two cache lines, as packed structures have them (x86: a split lock)

/// Of T at any address. An atomic operation on it takes the machine's bus lock if it crosses a line (machine.bus_lock);
/// it has no plain loads and stores, which are not atomic there.
template <class T>
class SplitWord {
public:
    explicit SplitWord(std::byte* place) : place_(place) {}
    std::byte* place() const { return place_; }
    T raw() const {  ///< for checks after a run
        T value;
        std::memcpy(&value, place_, sizeof value);
        return value;
    }

private:
    std::byte* place_;
};
template <class T>
T xchg(SplitWord<T> a, Plain<T> value, Site where = Site::here()) {
    return model::current->modify_split<T>(a.place(), model::Operation::exchange, value, value, where);
}
template <class T>
T fetch_add(SplitWord<T> a, Plain<T> value, Site where = Site::here()) {
    return model::current->modify_split<T>(a.place(), model::Operation::fetch_add, value, value, where);
}
template <class T>
bool try_cmpxchg(SplitWord<T> a, Plain<T> expected, Plain<T> desired, Site where = Site::here()) {
    return model::current->modify_split<T>(a.place(), model::Operation::compare_exchange, desired, expected, where) ==
           expected;
}

// --- fences and hints

inline void smp_mb(Site where = Site::here()) { model::current->fence(where); }
/// Asks for the right to write the word's line and goes on: a later write may find it there.
template <class T>
void prefetchw(Atomic<T>& a, Site where = Site::here()) {
    model::current->prefetch_for_write(a.word(), where);
}
inline void smp_rmb() {}  // no cost and no effect while loads are not reordered
inline void smp_wmb() {}
/// The word in a spin loop: by default the hint (PAUSE, YIELD); the machine's `cpu_relax` says (cpu_relax.cpp).
void cpu_relax(Site where = Site::here());
/// The same from a place that has a number instead of a line of source.
void cpu_relax_at(std::uint32_t place, Site where);
/// Busy-waits for a time or a number of cycles (ndelay(), __delay()). Reads nothing; nobody has got on by it.
inline void delay(model::Span length) { model::current->spend(length); }
inline model::Interrupts& local_interrupts() { return model::current->interrupts(); }

// --- CPUs and nodes: constants of the machine, which cost nothing to read

/// For tables with an entry per CPU: no machine has more (the kernel's NR_CPUS).
inline constexpr std::int32_t max_cpus = 4096;
inline std::int32_t smp_processor_id() { return model::current->cpu().number(); }
std::int32_t nr_cpu_ids();  ///< CPUs of this machine
/// The NUMA node that a CPU belongs to, 0 and up. One cluster (CPUs that share a cache) makes a node where the machine
/// file says nothing else.
std::int32_t cpu_to_node(std::int32_t cpu);
inline std::int32_t numa_node_id() { return model::current->cpu().node(); }  ///< of the own CPU

/// One T for each CPU, beginning on a line of its own: what DEFINE_PER_CPU gives.
template <class T>
class PerCpu {
public:
    T& of(std::int32_t cpu) { return slots_[cpu].value; }

private:
    struct alignas(cache_line_bytes) Slot {
        T value;
    };
    Slot slots_[max_cpus];
};

// --- interrupts of the own CPU

inline void local_irq_disable() { local_interrupts().mask(); }
inline void local_irq_enable() { local_interrupts().unmask(); }
/// Masks them, and returns whether they were masked: for local_irq_restore().
inline bool local_irq_save() { return local_interrupts().mask(); }
inline void local_irq_restore(bool masked) {
    if (!masked) { local_interrupts().unmask(); }
}

// --- named waits

namespace detail {

template <class T, class Predicate>
T wait_on(const T* word, const Predicate& predicate, std::uint64_t max_polls, Site where) {
    model::WaitRequest request;
    request.word = word;
    request.size = sizeof(T);
    request.holds = [](const void* p, std::uint64_t bits) {
        return static_cast<bool>((*static_cast<const Predicate*>(p))(model::Context::from_bits<T>(bits)));
    };
    request.predicate = &predicate;
    request.max_polls = max_polls;
    request.where = where;
    return model::Context::from_bits<T>(model::current->wait(request));
}

}  // namespace detail

/// Polls until `predicate(value)` holds; returns that value. The predicate must be a pure function of the value.
template <class T, class Predicate>
T smp_cond_load_acquire(const Atomic<T>& a, Predicate predicate, Site where = Site::here()) {
    return detail::wait_on(a.word(), predicate, 0, where);
}
template <class T, class Predicate>
T smp_cond_load_relaxed(const Atomic<T>& a, Predicate predicate, Site where = Site::here()) {
    return detail::wait_on(a.word(), predicate, 0, where);
}
template <class T, class Predicate>
T smp_cond_load_acquire(PartOfWord<T> part, Predicate predicate, Site where = Site::here()) {
    return detail::wait_on(part.word(), predicate, 0, where);
}
/// The same for at most `max_polls` (at least 1) polls; returns what the last one saw.
template <class T, class Predicate>
T smp_cond_load_bounded(const Atomic<T>& a, std::uint64_t max_polls, Predicate predicate, Site where = Site::here()) {
    return detail::wait_on(a.word(), predicate, max_polls, where);
}

}  // namespace simulated

}  // namespace smp
