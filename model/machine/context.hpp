#pragma once
// An execution context: one fiber that runs on a CPU. Every shared access of simulated code comes through here; what
// hits is served inline, the rest in context.cpp and memory.cpp.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "model/machine/access.hpp"
#include "model/machine/arena.hpp"
#include "model/machine/cache_line.hpp"
#include "model/machine/cpu.hpp"
#include "model/machine/memory.hpp"
#include "sim/engine.hpp"
#include "sim/fiber.hpp"

namespace model {

class Interrupts;
class Machine;

/// What the digest calls the things it hashes.
enum class Hashed : std::uint32_t {
    change = 1,  ///< + Operation: an access changed memory
    fetch = 32,  ///< + Want: an access got a line
    sc_fail = 48,
    interrupt_begin,
    interrupt_end,
    wait_begin = 64,
    wait_end,
    frequency,
    thread_begin,
    thread_end,
    verdict,
};

/// A named wait: spins until `holds` says so of the word, or for at most `max_polls` polls.
struct WaitRequest {
    const void* word = nullptr;
    std::uint8_t size = 8;
    bool (*holds)(const void* predicate, std::uint64_t value) = nullptr;
    const void* predicate = nullptr;
    std::uint64_t max_polls = 0;  ///< 0: no bound
    sim::CallSite where{};
};

class alignas(64) Context final : public sim::Actor {
public:
    using Body = void (*)(void* argument);

    /// `number` orders events at equal times; `name` is for messages.
    Context(Machine& machine, Cpu& cpu, std::uint64_t number, std::size_t stack, std::string name, Body body,
            void* argument);

    const std::string& name() const { return name_; }
    Cpu& cpu() { return cpu_; }
    Machine& machine() { return machine_; }
    Interrupts& interrupts();  ///< of its CPU
    const sim::CallSite& last_site() const { return access_.where; }
    /// Of the program step under way, for observers. The text must live as long as the simulation.
    void set_label(const char* label) { label_ = label; }
    /// The access under way, as others may tell it: see Causes.
    sim::Cause as_cause(const LineRequest& request) const;
    /// Polls of a parked wait included, up to now.
    std::uint64_t accesses() const {
        const bool parked = state_ == State::polling && !frozen_ && wait_.piece < 0;
        return accesses_ - accesses_forgotten_ + (parked ? polls_begun(period()) : 0);
    }
    /// A stall under way counts as one from here on: for whoever reads the CPU's account.
    void count_stall_under_way() {
        note_request_begun();
        const bool stalls = state_ == State::requesting || state_ == State::following || state_ == State::draining ||
                            state_ == State::fetching || state_ == State::returning;
        if (stalls) { count_stall(); }
    }
    std::uint64_t cas_successes() const { return cas_successes_; }
    std::uint64_t cas_failures() const { return cas_failures_; }
    std::uint64_t sc_successes() const { return sc_successes_; }
    std::uint64_t sc_failures() const { return sc_failures_; }
    void forget_counts() {
        accesses_forgotten_ += accesses();
        cas_successes_ = cas_failures_ = sc_successes_ = sc_failures_ = 0;
    }

    /// First run of its body at `at`.
    void start(sim::Time at);

    // Everything between lock code and a switch is inline: see Engine::wait().
    template <class T>
    [[gnu::always_inline]] T load(const T* word, sim::CallSite where) {
        ++accesses_;
        access_.where = where;
        if (cpu_.stores != 0 && load_past_stores(word, sizeof(T))) [[unlikely]] { return from_bits<T>(access_.result); }
        if (CacheLine* line = line_of(word); line != nullptr && !line->readable(cpu_.core(), engine_.now()))
            [[unlikely]] {
            prepare(word, sizeof(T), Operation::load, 0, 0);
            miss(*line, Want::read, &cpu_.hit);
            return from_bits<T>(access_.result);
        }
        T value;
        std::memcpy(&value, word, sizeof value);
        advance(cpu_.hit);
        return value;
    }
    template <class T>
    [[gnu::always_inline]] void store(T* word, T value, sim::CallSite where) {
        change(word, Operation::store, value, value, cpu_.hit, where);
    }
    /// A read-modify-write; returns the value before.
    template <class T>
    [[gnu::always_inline]] T modify(T* word, Operation operation, T operand, T expected, sim::CallSite where) {
        if (rmw_by_llsc_) [[unlikely]] { return modify_by_llsc(word, operation, operand, expected, where); }
        return from_bits<T>(change(word, operation, operand, expected, cpu_.rmw, where));
    }

    /// The same of a word that may lie across two cache lines: see BusLock.
    template <class T>
    T modify_split(void* word, Operation operation, T operand, T expected, sim::CallSite where) {
        ++accesses_;
        access_.where = where;
        prepare(word, sizeof(T), operation, to_bits(operand), to_bits(expected));
        change_split();
        const T before = from_bits<T>(access_.result);
        if (operation == Operation::compare_exchange) { ++(before == expected ? cas_successes_ : cas_failures_); }
        return before;
    }

    /// Loads and arms the CPU's reservation.
    template <class T>
    T load_exclusive(const T* word, sim::CallSite where) {
        access_.where = where;
        prepare(word, sizeof(T), Operation::load, 0, 0);
        load_exclusive();
        const T value = from_bits<T>(access_.result);
        advance(cpu_.hit);
        return value;
    }
    /// Stores if the reservation of the last load_exclusive still holds where the store is served; else returns false.
    template <class T>
    bool store_exclusive(T* word, T value, sim::CallSite where) {
        access_.where = where;
        prepare(word, sizeof(T), Operation::store, to_bits(value), 0);
        const bool stored = store_exclusive();
        advance(cpu_.hit);
        return stored;
    }

    /// WFE: goes on at once if the event register is set (and clears it), else sleeps until an event.
    void wait_for_event(sim::CallSite where);
    /// SEV sets the event register of every CPU and wakes those that sleep; SEVL only the own one.
    void send_event_local(sim::CallSite where) {
        access_.where = where;
        cpu_.event_register = true;
        advance(cpu_.relax);
    }
    void send_event(sim::CallSite where);

    // For Interrupts; in events, never on this context's fiber.
    /// The CPU is taken from it. What is on its way to or from a cache line goes on, and waits when it is there.
    void freeze();
    /// It goes on where it was. `woken`: by an exception return, which ends a WFE.
    void thaw(bool woken);
    /// Runs its body once, as the code of an interrupt.
    void run_as_handler();
    /// It stops for good where it is, with all that it holds.
    void kill();
    bool alive() const { return state_ != State::finished && !killed_; }
    bool frozen() const { return frozen_; }
    /// Only another CPU's store or event can get it on: it has polled its own copy in vain, or sleeps in a WFE.
    bool stuck() const { return wait_.settled || asleep_; }

    /// Waits until its CPU's buffered stores are visible.
    void fence(sim::CallSite where) {
        access_.where = where;
        if (cpu_.stores != 0) [[unlikely]] { drain(); }
        advance(cpu_.fence);
    }
    /// Asks for the right to write the word's line, and goes on.
    void prefetch_for_write(void* word, sim::CallSite where);
    void relax(sim::CallSite where) {
        access_.where = where;
        advance(cpu_.relax);
    }

    /// Spins; returns the value that the last poll saw. Parks where the machine elides spins.
    std::uint64_t wait(const WaitRequest& request);

    /// When the time that it spends is over, at the present clock; of one that has its CPU and spends time.
    sim::Time busy_until() const { return position_.time(); }
    /// Lets work pass on the CPU: cycles scale with the clock, time does not.
    void spend(Span span) { advance({span, cpu_.clock().length(span)}); }

    template <class T>
    static std::uint64_t to_bits(T value) {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8 && std::has_single_bit(sizeof(T)));
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof value);
        return bits;
    }
    template <class T>
    static T from_bits(std::uint64_t bits) {
        T value;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }

private:
    friend class Memory;
    friend class Machine;
    friend class StoreBuffer;
    friend class BusLock;

    enum class State : std::uint8_t {
        running,
        advancing,   // time passes; then the fiber goes on
        requesting,  // the request travels to the line
        following,   // behind another request of its core for the line, or an operation of a sibling on it
        draining,    // until its CPU's buffered stores are visible, or until there is room for another
        fetching,    // queued at the line, or its data is on the way
        returning,   // a far operation is done; its answer is on the way
        polling,     // spins: parked, with or without an event for the next poll that can matter
        sleeping,    // in a WFE of its own
        idle,        // a handler that no interrupt has called
        finished,
    };

    /// A wait under way.
    struct Wait {
        const WaitRequest* request = nullptr;
        std::uint64_t polls = 0;    // counted so far
        std::uint64_t value = 0;    // that the last one saw
        FineTime next_poll;         // begin of the next one, while parked
        std::uint64_t skipped = 0;  // polls from there to the one that is scheduled
        bool misses = false;        // that one: what is scheduled is the arrival of its request at the line
        FineTime wfe_at;            // begin of the WFE it sleeps in
        bool walking = false;       // the fiber's own: one event up to the next poll
        std::int32_t piece = -1;    // of the period, while it walks piece by piece to its next poll; else -1
        bool settled = false;       // polled its own copy in vain, unbounded: only a snoop can change what it sees
        bool must_look = false;     // the next poll is a real one: code of its own CPU has run since the last
        bool watching = false;      // in the line's list of waiters
        Context* next = nullptr;
        Context* previous = nullptr;
    };

    static sim::Fiber* fire(sim::Actor& actor);
    static void enter(void* self);
    [[noreturn]] void finish();

    CacheLine* line_of(const void* word) {
        const std::uint64_t offset = Arena::offset(word);
        return offset < Arena::bytes ? &memory_.line_of(offset) : nullptr;
    }
    void prepare(const void* word, std::size_t size, Operation operation, std::uint64_t operand,
                 std::uint64_t expected) {
        access_.address = const_cast<void*>(word);
        access_.size = static_cast<std::uint8_t>(size);
        access_.operation = operation;
        access_.operand = operand;
        access_.expected = expected;
    }

    template <std::size_t Bytes>
    using Unsigned = std::conditional_t<
        Bytes == 1, std::uint8_t,
        std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

    template <class T>
    [[gnu::always_inline]] std::uint64_t change(T* word, Operation operation, T operand, T expected, const Cost& cost,
                                                sim::CallSite where) {
        ++accesses_;
        access_.where = where;
        CacheLine* line = line_of(word);
        if (line != nullptr && line->writable(cpu_.core(), engine_.now()) && cpu_.stores == 0 && !cpu_.shares_core &&
            (operation == Operation::store || !always_far_)) [[likely]] {
            return change_in_cache(*line, word, operation, operand, expected, cost);
        }
        prepare(word, sizeof(T), operation, to_bits(operand), to_bits(expected));
        if (line == nullptr) {  // private memory
            bool changed = false;
            access_.result = apply_to_word<Unsigned<sizeof(T)>>(access_, changed);
            advance(cost);
        } else if (buffers_stores_ || cpu_.shares_core) [[unlikely]] {
            change_crowded(*line, cost);
        } else if (operation != Operation::compare_exchange || !cas_reads_first_) {
            miss(*line, operation == Operation::store ? Want::own : want_of_rmw_, &cost);
        } else {
            compare_by_reading(*line);
            advance(cost);
        }
        const std::uint64_t before = access_.result;
        if (operation == Operation::compare_exchange) {
            ++(before == to_bits(expected) ? cas_successes_ : cas_failures_);
        }
        return before;
    }
    /// The record stays in registers: the operation is known where lock code calls.
    template <class T>
    [[gnu::always_inline]] std::uint64_t change_in_cache(CacheLine& line, T* word, Operation operation, T operand,
                                                         T expected, const Cost& cost) {
        const FineTime end = position_ + cost.length;
        if (const sim::Time late = line.hold_until(end.time()); late.ps != 0) [[unlikely]] {
            memory_.delay(line, late);
        }
        Access access{.address = word,
                      .size = sizeof(T),
                      .operation = operation,
                      .operand = to_bits(operand),
                      .expected = to_bits(expected)};
        bool changed = false;
        access.result = apply_to_word<Unsigned<sizeof(T)>>(access, changed);
        if (changed) { hash(what_changed(access), Arena::offset(word), how_changed(access)); }
        if (observed_) [[unlikely]] {
            access.where = access_.where;
            access_ = access;
            observe_change(changed);
        }
        if (operation == Operation::compare_exchange) {
            ++(access.result == access.expected ? cas_successes_ : cas_failures_);
        }
        advance_to(end, cost);
        return access.result;
    }
    template <class T>
    T modify_by_llsc(T* word, Operation operation, T operand, T expected, sim::CallSite where) {
        for (;;) {
            T old = load_exclusive(word, where);
            if (operation == Operation::compare_exchange && to_bits(old) != to_bits(expected)) {
                ++cas_failures_;
                return old;
            }
            T next = old;
            Access change;
            change.address = &next;
            change.operation = operation;
            change.operand = to_bits(operand);
            change.expected = to_bits(expected);
            bool changed = false;
            apply_to_word<Unsigned<sizeof(T)>>(change, changed);
            if (store_exclusive(word, next, where)) {
                cas_successes_ += operation == Operation::compare_exchange ? 1 : 0;
                return old;
            }
        }
    }
    void load_exclusive();  // of the access prepared
    bool store_exclusive();

    [[gnu::always_inline]] void advance(const Cost& cost) { advance_to(position_ + cost.length, cost); }
    [[gnu::always_inline]] void advance_to(FineTime end, const Cost& cost) {
        position_ = end;
        if (!engine_.run_ahead(*this, end.time())) [[unlikely]] {
            schedule_end_of(cost);
            suspend();
        }
    }
    // Where the core may have other requests or operations under way: in context_crowded.cpp
    void change_crowded(CacheLine& line, const Cost& cost);
    void change_prepared(CacheLine& line, const Cost& cost);
    void change_split();
    void change_under_bus_lock(CacheLine* const (&lines)[2]);
    bool load_past_stores(const void* word, std::size_t size);
    void drain();
    void drain_overlapping(const void* word, std::size_t size);
    void wait_for_stores(bool all);
    void drained();
    void wait_for_turn(sim::Time at);
    sim::Fiber* follow_on();
    void commit(StoreBuffer::Slot& slot);         // a buffered store of this context becomes visible
    void note_fetch_of(StoreBuffer::Slot& slot);  // its line has come
    void copy_was_written();                      // code of its own core has written the line that it spins on
    void schedule_end_of(const Cost& cost);
    [[gnu::always_inline]] void suspend() {  // until some event resumes this fiber
        engine_.wait();
        current_changes();
        state_ = State::running;
    }
    void current_changes();

    void compare_by_reading(CacheLine& line);
    /// Fetches the line for the access prepared; then lets `after` pass, if the access costs anything more.
    [[gnu::always_inline]] void miss(CacheLine& line, Want want, const Cost* after) {
        cost_after_miss_ = after;
        request_line(line, want);
        suspend();
    }
    void request_line(CacheLine& line, Want want);
    FineTime begin_request(FineTime begin, Want want);
    AccessKind kind_of_access(Want want) const;
    void note_change(bool changed) {
        if (changed) { hash(what_changed(access_), Arena::offset(access_.address), how_changed(access_)); }
        if (observed_) [[unlikely]] { observe_change(changed); }
    }
    /// The data of the access under way is there, and perhaps it has changed memory: one entry of the digest for both.
    void note_fetch(bool changed) {
        const std::uint32_t fetch =
            static_cast<std::uint32_t>(Hashed::fetch) + static_cast<std::uint32_t>(request_.want);
        hash(changed ? fetch << 8 | what_changed(access_) : fetch, Arena::offset(access_.address),
             changed ? how_changed(access_) : 0);
        if (observed_) [[unlikely]] {
            if (!refused_) { observe_change(changed); }
            observe_fetch();
        }
    }
    static std::uint32_t what_changed(const Access& access) {
        return static_cast<std::uint32_t>(Hashed::change) + static_cast<std::uint32_t>(access.operation);
    }
    static std::uint64_t how_changed(const Access& access) { return access.operand ^ (access.result << 1); }
    void hash(std::uint32_t what, std::uint64_t a, std::uint64_t b) {
        engine_.digest().add(what, static_cast<std::uint32_t>(number()), engine_.now().ps, a, b);
    }

    // For an observer, in context_observe.cpp
    void observe_change(bool changed);
    void observe_fetch();
    void observe_failed_store();
    void observe_commit(const StoreBuffer::Slot& slot);
    void observe_fetch_of(const StoreBuffer::Slot& slot);
    sim::Step step_of(const StoreBuffer::Slot& slot, const char* operation, std::uint64_t before, std::uint64_t after);
    void observe_wait(const char* operation, std::uint64_t value);
    void observe_event(const char* operation);
    void observe_request(CacheLine& line);
    sim::Step step(const char* operation, std::uint64_t before, std::uint64_t after) const;
    const char* instruction() const;

    // The wait, in context_wait.cpp
    void wait_by_polling();
    sim::Fiber* poll_after_skipped();
    void begin_request_of_poll();
    void note_request_begun();        // if the poll that misses has begun by now, though no event was needed for it
    bool poll();                      // begins a poll at position_; true: the wait is over, false: more events come
    bool judge(std::uint64_t value);  // counts a poll; true: the wait is over
    void settle();
    void unsettle();
    void watch_copy();  // after a poll in vain: the line will tell when it takes the copy away
    void stop_watching();
    void park();                               // after a poll in vain: the next period, or a sleep, begins
    void sleep_until_event();                  // by WFE, until the next poll
    FineTime next_event(FineTime from) const;  // that ends a WFE begun at `from`; max where none is known
    void thaw_sleep(FineTime& wake_at, bool woken);
    void wake_up(sim::Time at);                     // an event at `at` ends the WFE this context sleeps in
    void walk(const Cpu& costs);                    // from parked to its place in the period, which had these costs
    void enter_piece(const Cpu& costs);             // the next one
    bool walk_on();                                 // a piece has ended; true: the next poll is due
    void schedule_poll();                           // for the next poll that can see anything new, if there is one
    void copy_will_be_lost();                       // the line has granted someone who takes this context's copy
    std::uint64_t polls_until(sim::Time at) const;  // how many polls from next_poll on come before `at`, or have passed
    std::uint64_t polls_begun(FineTime period) const;  // from next_poll on, up to now
    void walk_to_next_poll();
    FineTime period() const { return cpu_.hit.length + cpu_.relax.length + cpu_.loop.length; }
    sim::Fiber* wait_on();  // after a poll that fetched: the fiber if the wait is over
    sim::Fiber* after_fetch(sim::Time now);
    void count_stall();  // up to now as such, where it will not be counted in one piece

    void retime(const Cpu& before);  // its CPU's clock has just changed

    // Hot first: a miss touches the first four lines of the host's cache, also where there are a thousand contexts.
    sim::Engine& engine_;
    Memory& memory_;
    Cpu& cpu_;
    FineTime position_;  // where its instructions are in time; now() while it runs
    std::uint64_t accesses_ = 0;
    Access access_;
    State state_ = State::advancing;
    bool always_far_;
    bool cas_reads_first_;  // a compare_exchange that misses fetches a shared copy first
    Want want_of_rmw_;
    bool observed_ = false;
    bool parked_wait_ = false;  // a wait that polls without its fiber is under way
    bool rmw_by_llsc_;
    bool waits_by_wfe_;
    bool exclusive_store_ = false;  // the miss under way is a store-exclusive
    bool refused_ = false;          // and it was refused
    bool frozen_ = false;           // an interrupt has the CPU
    bool held_ = false;             // and what it fetched has come meanwhile
    bool look_again_ = false;       // what it fetched while frozen may be old: code of its own CPU has run since
    bool asleep_ = false;           // in a WFE that no event known yet will end
    bool killed_ = false;
    bool buffers_stores_;
    bool handler_ = false;        // runs the code of an interrupt, again and again
    bool by_llsc_ = false;        // the access under way is a load-exclusive or store-exclusive
    bool stall_counted_ = false;  // its begin is in the CPU's account
    Activity activity_before_stall_ = Activity::idle;
    sim::Time stall_begin_{};
    const Cost* cost_after_miss_ = nullptr;
    LineRequest request_;
    Machine& machine_;
    CacheLine* line_ = nullptr;  // of the miss or wait under way
    Context* next_drained_ = nullptr;
    sim::Time frozen_at_{};
    FineTime cycles_begin_;  // of the cycles under way (advancing, requesting)
    Span cycles_;
    sim::Fiber fiber_;
    Wait wait_;
    std::uint64_t accesses_forgotten_ = 0;  // before the window
    std::uint64_t cas_successes_ = 0;
    std::uint64_t cas_failures_ = 0;
    std::uint64_t sc_successes_ = 0;
    std::uint64_t sc_failures_ = 0;
    const char* label_ = "";
    std::string name_;
    Body body_;
    void* argument_;
};

/// The context whose code runs: the kernel's word for it. Null outside a run.
inline Context* current = nullptr;

inline void Context::current_changes() { current = this; }

/// The access under way is done: the fiber if it goes on now, else null.
[[gnu::always_inline]] inline sim::Fiber* Context::after_fetch(sim::Time now) {
    if (frozen_) [[unlikely]] {  // the data waits for the end of the interrupt
        state_ = State::returning;
        held_ = true;
        return nullptr;
    }
    if (!stall_counted_) [[likely]] {
        cpu_.stalled(stall_begin_, now);
    } else {
        cpu_.become(activity_before_stall_, now);
    }
    if (parked_wait_ || cost_after_miss_ == nullptr) {
        position_ = FineTime(now);
        return parked_wait_ ? wait_on() : &fiber_;
    }
    const FineTime end = FineTime(now) + cost_after_miss_->length;
    position_ = end;
    if (engine_.run_ahead(*this, end.time())) { return &fiber_; }
    schedule_end_of(*cost_after_miss_);
    return nullptr;
}

}  // namespace model
