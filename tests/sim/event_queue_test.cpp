// The queue of pending events, against a std::set that says what is right.
#include "sim/event_queue.hpp"

#include <deque>
#include <set>
#include <tuple>

#include "sim/random.hpp"
#include "tests/catch.hpp"

using namespace sim;

namespace {

Fiber* ignore(Actor&) { return nullptr; }

/// A queue and its model, driven by the same calls.
class Pair {
public:
    explicit Pair(std::size_t actors) {
        for (std::size_t i = 0; i < actors; ++i) { actors_.emplace_back(i + 1, ignore); }
    }

    Actor& actor(std::size_t i) { return actors_[i]; }
    void push(std::size_t i, std::int64_t at) {
        queue_.push(actors_[i], key(i, at));
        model_.insert({at, i + 1});
    }
    void move(std::size_t i, std::int64_t at) {
        model_.erase({actors_[i].pending_at().ps, i + 1});
        queue_.move(actors_[i], key(i, at));
        model_.insert({at, i + 1});
    }
    void remove(std::size_t i) {
        model_.erase({actors_[i].pending_at().ps, i + 1});
        queue_.remove(actors_[i]);
    }
    std::size_t pop() {  // returns whose event it was
        const auto [at, number] = *model_.begin();
        model_.erase(model_.begin());
        const Actor& popped = queue_.pop();
        REQUIRE(popped.number() == number);
        REQUIRE_FALSE(popped.pending());
        return static_cast<std::size_t>(number - 1);
    }
    void check() {
        REQUIRE(queue_.size() == model_.size());
        REQUIRE(queue_.empty() == model_.empty());
        if (model_.empty()) {
            REQUIRE(queue_.front().at == Time::max());
            REQUIRE(queue_.front().order == ~std::uint64_t{0});
        } else {
            REQUIRE(queue_.front().at.ps == model_.begin()->first);
            REQUIRE(queue_.front().order == model_.begin()->second);
        }
    }
    bool empty() const { return model_.empty(); }

private:
    static EventKey key(std::size_t i, std::int64_t at) { return {{at}, i + 1}; }

    std::deque<Actor> actors_;
    EventQueue queue_;
    std::set<std::pair<std::int64_t, std::uint64_t>> model_;
};

}  // namespace

TEST_CASE("events come out by time, and at equal times by order", "[unit]") {
    Pair pair(4);
    pair.push(3, 10);
    pair.push(0, 20);
    pair.push(2, 10);
    pair.push(1, 10);
    CHECK(pair.pop() == 1);
    CHECK(pair.pop() == 2);
    CHECK(pair.pop() == 3);
    CHECK(pair.pop() == 0);
    pair.check();
}

TEST_CASE("the place left by a popped event is filled by the next push, wherever it belongs", "[unit]") {
    Pair pair(6);
    for (std::size_t i = 0; i < 5; ++i) { pair.push(i, static_cast<std::int64_t>(10 * i)); }
    CHECK(pair.pop() == 0);
    pair.check();
    pair.push(0, 25);  // into the middle
    pair.check();
    CHECK(pair.pop() == 1);
    pair.push(5, 1);  // another actor, before all others
    pair.check();
    CHECK(pair.pop() == 5);
    CHECK(pair.pop() == 2);  // two pops without a push between
    CHECK(pair.pop() == 0);
    pair.check();
}

TEST_CASE("an event can be moved or removed while the place of a popped one is free", "[unit]") {
    Pair pair(5);
    for (std::size_t i = 0; i < 5; ++i) { pair.push(i, static_cast<std::int64_t>(10 * i)); }
    pair.pop();
    pair.move(4, 5);
    pair.check();
    CHECK(pair.pop() == 4);
    pair.remove(1);
    pair.check();
    CHECK(pair.pop() == 2);
    pair.remove(3);
    pair.check();
    pair.push(0, 1);
    pair.check();
}

TEST_CASE("a queue does what a sorted set does over random sequences of calls", "[unit]") {
    const std::size_t actors =
        GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{64}, std::size_t{300});
    const std::int64_t times = GENERATE(3, 1'000'000);  // many ties, hardly any
    RandomStream random(actors, "event queue", static_cast<std::uint64_t>(times));
    Pair pair(actors);
    for (int step = 0; step < 20'000; ++step) {
        const std::size_t i = random.below(actors);
        const std::int64_t at = random.uniform(0, times);
        switch (random.below(8)) {
            case 0:
                if (pair.actor(i).pending()) { pair.remove(i); }
                break;
            case 1:
            case 2:
                if (!pair.empty()) { pair.pop(); }
                break;
            case 3:
                if (!pair.empty()) { pair.push(pair.pop(), at); }  // the usual case
                break;
            default:
                if (pair.actor(i).pending()) {
                    pair.move(i, at);
                } else {
                    pair.push(i, at);
                }
        }
        pair.check();
    }
    while (!pair.empty()) { pair.pop(); }
    pair.check();
}
