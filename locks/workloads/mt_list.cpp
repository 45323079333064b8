// A doubly linked list whose links are locked one by one: haproxy's mt_list, in which connections, tasks and listeners
// wait. Every thread has one element. One body puts it at the head of the list, works, takes it out again, thinks.
//
//   A link is taken by exchanging the mark `busy` for it. Who finds the mark already there puts back whatever links it
//   has taken so far, in reverse order, and starts over.
//   insert   head.next, then the first element's prev; then the element stands between them.
//   remove   the element's next and prev, then prev.next, then next.prev; then the neighbours are joined.
//
// Nobody waits for anybody, and nobody has a turn: two who each hold what the other needs both give up, and a third may
// come in between. What a thread does after a failure is the parameter: nothing, a pause, a pause that grows.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "model/scenario/running/workload.hpp"

namespace locks {

namespace {

using namespace smp;
using model::Distribution;
using model::Span;

struct alignas(cache_line_bytes) Element {
    Atomic<Element*> next;
    Atomic<Element*> prev;
};

/// After a failed try; begins anew with each operation.
class Retry {
public:
    Retry(Span pause, bool doubling, std::int64_t limit) : pause_(pause), doubling_(doubling), limit_(limit) {}
    void failed() {
        if (pause_ == Span{}) { return; }
        delay({pause_.cycles * factor_, pause_.time * factor_});
        if (doubling_) { factor_ = std::min(2 * factor_, limit_); }
    }

private:
    Span pause_;
    bool doubling_;
    std::int64_t limit_;
    std::int64_t factor_ = 1;
};

class MtList final : public model::Workload {
public:
    MtList(model::Simulation& simulation, const model::ParameterValues& values)
        : held_(std::get<Distribution>(values.at("held"))),
          outside_(std::get<Distribution>(values.at("outside"))),
          retry_(std::get<Span>(values.at("retry_delay")), std::get<bool>(values.at("retry_doubling")),
                 std::get<std::int64_t>(values.at("retry_limit"))),
          look_(std::get<bool>(values.at("look"))),
          head_(simulation.arena().make<Element>("list.head")) {
        *head_.next.word() = *head_.prev.word() = &head_;
        for (const auto& group : simulation.scenario().groups) {
            for (std::size_t n = 0; n < group.cpus.size(); ++n) {
                elements_.push_back(&simulation.arena().make<Element>(fmt::format("list.{}", elements_.size())));
            }
        }
    }

    void body(model::Thread& thread) override {
        Element& own = *elements_[static_cast<std::size_t>(thread.index())];
        ++begun_;
        for (Retry retry = retry_; !try_insert(own); retry.failed()) {}
        ++inside_;
        ++done_;
        thread.work(held_);
        ++begun_;
        for (Retry retry = retry_; !try_remove(own); retry.failed()) {}
        --inside_;
        ++done_;
        thread.think(outside_);
    }

    /// Nothing can be said of a list that the end of the run found half linked.
    std::string check() override {
        if (begun_ != done_) { return {}; }
        std::int64_t forward = 0;
        std::int64_t backward = 0;
        for (auto* e = *head_.next.word(); e != &head_ && forward <= inside_; e = *e->next.word()) { ++forward; }
        for (auto* e = *head_.prev.word(); e != &head_ && backward <= inside_; e = *e->prev.word()) { ++backward; }
        if (forward == inside_ && backward == inside_) { return {}; }
        return fmt::format("the list has {} elements forwards and {} backwards, and {} were put in", forward, backward,
                           inside_);
    }

private:
    static Element* busy() { return reinterpret_cast<Element*>(1); }

    /// What the link held, or null: somebody else has taken it.
    Element* take(Atomic<Element*>& link) const {
        if (look_ && read_once(link) == busy()) { return nullptr; }
        Element* target = xchg(link, busy());
        return target == busy() ? nullptr : target;
    }
    static void put(Atomic<Element*>& link, Element* target) { smp_store_release(link, target); }

    bool try_insert(Element& own) {
        Element* first = take(head_.next);
        if (first == nullptr) { return false; }
        if (take(first->prev) == nullptr) {
            put(head_.next, first);
            return false;
        }
        put(own.next, first);
        put(own.prev, &head_);
        put(first->prev, &own);
        put(head_.next, &own);
        return true;
    }

    bool try_remove(Element& own) const {
        Element* next = take(own.next);
        if (next == nullptr) { return false; }
        Element* prev = take(own.prev);
        if (prev == nullptr) {
            put(own.next, next);
            return false;
        }
        if (take(prev->next) == nullptr) {
            put(own.prev, prev);
            put(own.next, next);
            return false;
        }
        if (take(next->prev) == nullptr) {
            put(prev->next, &own);
            put(own.prev, prev);
            put(own.next, next);
            return false;
        }
        put(next->prev, prev);
        put(prev->next, next);
        return true;
    }

    Distribution held_;
    Distribution outside_;
    Retry retry_;
    bool look_;
    Element& head_;
    std::vector<Element*> elements_;  // by thread
    std::int64_t begun_ = 0;
    std::int64_t done_ = 0;
    std::int64_t inside_ = 0;
};

}  // namespace

extern const model::WorkloadEntry mt_list_workload;
const model::WorkloadEntry mt_list_workload{
    .name = "mt-list",
    .summary = "a linked list whose links are locked one by one by exchange, with roll-back and a retry",
    .file = "locks/workloads/mt_list.cpp",
    .parameters =
        {{.name = "held",
          .preset = Distribution{.low = model::cycles(0), .high = {}},
          .doc = "work while the element is in the list"},
         {.name = "outside",
          .preset = Distribution{.low = model::cycles(0), .high = {}},
          .doc = "think time while it is not"},
         {.name = "retry_delay", .preset = Span{}, .doc = "after a failure; 0: retry at once"},
         {.name = "retry_doubling", .preset = false, .doc = "twice as long after each failure in a row"},
         {.name = "retry_limit", .preset = std::int64_t{256}, .doc = "but at most so many times retry_delay", .min = 1},
         {.name = "look",
          .preset = false,
          .doc = "reads a link before the exchange, which it omits where it is taken"}},
    .make = [](model::Simulation& simulation, const model::ParameterValues& values)
        -> std::unique_ptr<model::Workload> { return std::make_unique<MtList>(simulation, values); },
};

}  // namespace locks
