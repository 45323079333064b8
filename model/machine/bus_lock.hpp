#pragma once
// The machine-wide lock that an atomic operation takes whose word lies across two cache lines (x86: a split lock). The
// operation fetches both lines, one after the other, and keeps them for `length` beside its own cycles. Meanwhile no
// line of the machine grants a request but the operation's own: who misses waits, who hits goes on. What had been
// granted before goes on too. Between two such operations each line grants one of those that wait.
//
// That is the simplest model that shows what a split lock does to everybody else. A real one locks the bus, or sends
// the operation to memory uncached, and its own core pays more than the others.
//
// STATE     idle -> requesting -> fetching -> (the other line) -> holding -> idle, or the next operation
// NOT HERE  Loads and stores across two lines (two accesses on real machines), uncached memory, a fault instead.

#include <vector>

#include "model/machine/cache_line.hpp"
#include "sim/engine.hpp"

namespace model {

class Context;
class Memory;

class BusLock final : public sim::Actor {
public:
    BusLock(sim::Engine& engine, Memory& memory, sim::Time length, std::uint64_t number)
        : Actor(number, fire), engine_(engine), memory_(memory), length_(length) {
        request_.actor = this;
        request_.want = Want::own;
        request_.kind = AccessKind::atomic;
    }

    /// Does the operation that the context has prepared, some time, whether or not the context has its CPU then; and
    /// tells it. Operations queue.
    void perform(Context& context);

    // For Memory.
    bool taken() const { return owner_ != nullptr; }
    /// The operation's own request, if it waits at this line; else null.
    LineRequest* request_at(const CacheLine& line) {
        return state_ == State::fetching && line_ == &line && !granted_ ? &request_ : nullptr;
    }
    void granted() { granted_ = true; }
    /// The line has requests, and asks again when the lock is free.
    void put_off(CacheLine& line);

private:
    enum class State : std::uint8_t { idle, requesting, fetching, holding };
    static sim::Fiber* fire(sim::Actor& actor);
    void begin(Context& context);
    void go_on();  // fetches what is missing, or does the operation
    void request(CacheLine& line);
    void finish();

    sim::Engine& engine_;
    Memory& memory_;
    sim::Time length_;
    State state_ = State::idle;
    bool granted_ = false;
    Context* owner_ = nullptr;
    Context* first_waiting_ = nullptr;  // list in Context
    CacheLine* lines_[2] = {};
    CacheLine* line_ = nullptr;  // the one that it asks for
    LineRequest request_;
    std::vector<CacheLine*> put_off_;
};

}  // namespace model
