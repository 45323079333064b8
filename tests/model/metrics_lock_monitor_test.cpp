// What the lock monitor makes of hand-made sequences of acquires and releases.
#include "model/metrics/lock_monitor.hpp"

#include "tests/catch.hpp"

using namespace model;
using sim::nanoseconds;
using sim::Time;

namespace {

constexpr Time ns(std::int64_t n) { return nanoseconds(n); }

/// A monitor of `n` threads named a, b, c, ...
struct Watched {
    explicit Watched(std::size_t n) : monitor(n) {
        for (std::size_t i = 0; i < n; ++i) { names.push_back(std::string(1, static_cast<char>('a' + i))); }
        monitor.begin_window({});
    }
    /// Thread `t` waits from `since`, holds from `from` to `to`.
    void hold(std::int32_t t, std::int64_t since, std::int64_t from, std::int64_t to) {
        monitor.begin_acquire(t, ns(since));
        REQUIRE(monitor.end_acquire(t, ns(from)));
        monitor.begin_release(t, ns(to));
    }
    LockResult result(std::int64_t now) const { return monitor.result(ns(now), names); }

    LockMonitor monitor;
    std::vector<std::string> names;
};

}  // namespace

TEST_CASE("Jain's index: equal shares give 1, one taker 1/n, two classes their closed form", "[unit]") {
    CHECK(jain_index({5, 5, 5, 5}) == 1);
    CHECK(jain_index({8, 0, 0, 0}) == 0.25);
    CHECK(jain_index({}) == 1);
    CHECK(jain_index({0, 0}) == 1);
    CHECK(jain_index({7}) == 1);

    // Rates a and b: (n1 a + n2 b)^2 / (n (n1 a^2 + n2 b^2)).
    CHECK(jain_index({30, 30, 30, 10}) == Catch::Approx(100.0 * 100 / (4 * (3 * 900 + 100))));

    // First come, first served over M acquisitions: x is q or q + 1.
    std::vector<std::uint64_t> shares(16, 1'000);
    for (std::size_t i = 0; i < 5; ++i) { ++shares[i]; }
    const double m = 16'005;
    CHECK(jain_index(shares) ==
          Catch::Approx(m * m / (16 * (11 * 1'000.0 * 1'000 + 5 * 1'001.0 * 1'001))).epsilon(1e-12));
    CHECK(jain_index(shares) > 0.9999997);
}

TEST_CASE("an uncontended acquisition is a wait, a hold and no hand-over", "[unit]") {
    Watched w(2);
    w.hold(0, 100, 110, 150);
    const LockResult r = w.result(1'000);
    CHECK(r.acquisitions == 1);
    CHECK(r.contended == 0);
    CHECK(r.wait_ns.mean == 10);
    CHECK(r.hold_ns.mean == 40);
    CHECK(r.handover_ns.samples == 0);
    CHECK(r.contended_wait_ns.samples == 0);
    CHECK(r.throughput_per_s == Catch::Approx(1e6));
    CHECK(w.monitor.owner() == -1);
}

TEST_CASE("an acquisition is contended where someone holds the lock, or waits for it already", "[unit]") {
    Watched w(3);
    w.monitor.begin_acquire(0, ns(0));
    w.monitor.begin_acquire(1, ns(1));  // nobody holds it, but thread 0 was first
    w.monitor.end_acquire(0, ns(5));
    w.monitor.begin_acquire(2, ns(6));  // held
    w.monitor.begin_release(0, ns(10));
    w.monitor.end_acquire(1, ns(14));
    w.monitor.begin_release(1, ns(20));
    w.monitor.end_acquire(2, ns(27));
    const LockResult r = w.result(30);
    CHECK(r.acquisitions == 3);
    CHECK(r.contended == 2);
    CHECK(r.contended_wait_ns.min == 13);
    CHECK(r.contended_wait_ns.max == 21);
    CHECK(r.handover_ns.samples == 2);
    CHECK(r.handover_ns.min == 4);
    CHECK(r.handover_ns.max == 7);
}

TEST_CASE("an acquirer that arrives with the release is handed the lock, a later one finds it free", "[unit]") {
    Watched w(3);
    w.hold(0, 0, 0, 10);
    w.monitor.begin_acquire(1, ns(10));
    w.monitor.end_acquire(1, ns(12));
    CHECK(w.result(20).handover_ns.samples == 1);
    w.monitor.begin_release(1, ns(30));
    w.monitor.begin_acquire(2, ns(31));
    w.monitor.end_acquire(2, ns(33));
    CHECK(w.result(40).handover_ns.samples == 1);
}

TEST_CASE("who acquires before an earlier waiter has stolen the lock", "[unit]") {
    Watched w(3);
    w.monitor.begin_acquire(0, ns(0));
    w.monitor.begin_acquire(1, ns(1));
    w.monitor.begin_acquire(2, ns(2));
    w.monitor.end_acquire(2, ns(3));  // over 0 and 1
    w.monitor.begin_release(2, ns(4));
    w.monitor.end_acquire(0, ns(5));
    w.monitor.begin_release(0, ns(6));
    w.monitor.begin_acquire(0, ns(7));
    w.monitor.end_acquire(0, ns(8));  // over 1
    w.monitor.begin_release(0, ns(9));
    w.monitor.end_acquire(1, ns(10));
    const LockResult r = w.result(11);
    CHECK(r.steals == 2);
    CHECK(r.longest_bypass == 3);  // while thread 1 waited
    CHECK(r.longest_wait.value().thread == "b");
    CHECK(r.longest_wait.value().holder == "a");
    CHECK(r.longest_wait.value().at_ns == 1);
    CHECK(r.wait_ns.max == 9);
}

TEST_CASE("a wait that has not ended counts in the longest wait and the longest bypass", "[unit]") {
    Watched w(2);
    w.monitor.begin_acquire(1, ns(0));
    for (int i = 1; i <= 5; ++i) { w.hold(0, 10 * i, 10 * i + 1, 10 * i + 2); }
    const LockResult r = w.result(1'000);
    CHECK(r.longest_bypass == 5);
    CHECK(r.longest_wait.value().thread == "b");
    CHECK(r.wait_ns.samples == 5);
    CHECK(w.monitor.wait_under_way(1, ns(1'000)).length == ns(1'000));
    CHECK(w.monitor.wait_under_way(0, ns(1'000)).thread == -1);
}

TEST_CASE("the longest wait in which others came more often than there are users is kept for the verdict", "[unit]") {
    Watched w(2);
    w.monitor.begin_acquire(1, ns(0));
    w.hold(0, 1, 2, 3);
    w.hold(0, 4, 5, 6);
    CHECK(w.monitor.longest_overtaken(ns(900)).thread == -1);  // twice is what 2 users may do
    w.hold(0, 7, 8, 9);
    CHECK(w.monitor.longest_overtaken(ns(900)).thread == 1);
    CHECK(w.monitor.longest_overtaken(ns(900)).length == ns(900));
    w.monitor.end_acquire(1, ns(950));
    CHECK(w.monitor.longest_overtaken(ns(2'000)).length == ns(950));
}

TEST_CASE("a streak is broken by another owner only", "[unit]") {
    Watched w(2);
    for (int i = 0; i < 3; ++i) { w.hold(0, 10 * i, 10 * i, 10 * i + 1); }
    w.hold(1, 40, 40, 41);
    for (int i = 5; i < 7; ++i) { w.hold(0, 10 * i, 10 * i, 10 * i + 1); }
    CHECK(w.result(100).longest_streak == 3);
}

TEST_CASE("reacquire counts the acquisitions by others in between", "[unit]") {
    Watched w(3);
    w.hold(0, 0, 0, 1);
    w.hold(1, 1, 1, 2);
    w.hold(2, 2, 2, 3);
    w.hold(0, 3, 3, 4);  // two in between
    w.hold(0, 4, 4, 5);  // none
    const LockResult r = w.result(10);
    CHECK(r.reacquire_samples == 2);
    CHECK(r.reacquire_p50 == 0);
    CHECK(r.reacquire_p99 == 2);
}

TEST_CASE("a failed try is counted and leaves no wait behind", "[unit]") {
    Watched w(3);
    w.monitor.begin_acquire(0, ns(0));
    w.monitor.end_acquire(0, ns(1));
    w.monitor.begin_acquire(1, ns(2));
    w.monitor.begin_acquire(2, ns(3));
    w.monitor.give_up_acquire(1);
    CHECK_FALSE(w.monitor.is_waiting(1));
    w.monitor.begin_release(0, ns(4));
    w.monitor.end_acquire(2, ns(5));
    const LockResult r = w.result(10);
    CHECK(r.failed_tries == 1);
    CHECK(r.acquisitions == 2);
    CHECK(r.steals == 0);  // the one before it had gone
    CHECK(r.wait_ns.samples == 2);
}

TEST_CASE("a second owner is noticed", "[unit]") {
    Watched w(2);
    w.monitor.begin_acquire(0, ns(0));
    w.monitor.begin_acquire(1, ns(0));
    CHECK(w.monitor.end_acquire(0, ns(1)));
    CHECK_FALSE(w.monitor.end_acquire(1, ns(2)));
}

TEST_CASE("the window forgets what was before it, and what is under way goes on", "[unit]") {
    Watched w(2);
    w.hold(0, 0, 10, 20);
    w.monitor.begin_acquire(0, ns(30));
    w.monitor.end_acquire(0, ns(31));
    w.monitor.begin_acquire(1, ns(40));
    w.monitor.begin_window(ns(100));
    CHECK(w.result(100).acquisitions == 0);
    CHECK_FALSE(w.result(100).jain);
    w.monitor.begin_release(0, ns(150));
    w.monitor.end_acquire(1, ns(160));
    const LockResult r = w.result(1'100);
    CHECK(r.acquisitions == 1);
    CHECK(r.contended == 1);
    CHECK(r.wait_ns.max == 120);  // from its own beginning
    CHECK(r.hold_ns.max == 119);
    CHECK(r.throughput_per_s == Catch::Approx(1e6));
    CHECK(r.jain.value() == 0.5);
}

TEST_CASE("Jain's index over milliseconds: the least and the mean of the whole ones", "[unit]") {
    Watched w(2);
    const auto burst = [&](std::int64_t ms, int of_a, int of_b) {
        for (int i = 0; i < of_a + of_b; ++i) {
            const std::int64_t at = ms * 1'000'000 + i * 10;
            w.hold(i < of_a ? 0 : 1, at, at, at + 1);
        }
    };
    burst(0, 5, 5);    // 1
    burst(1, 10, 0);   // 1/2
    burst(3, 30, 10);  // 1600 / (2 * 1000) = 0.8
    burst(4, 1, 0);    // not over yet
    const LockResult r = w.result(4'500'000);
    CHECK(r.jain_1ms_min.value() == 0.5);
    CHECK(r.jain_1ms_mean.value() == Catch::Approx((1 + 0.5 + 0.8) / 3));
    CHECK(r.jain.value() == Catch::Approx(jain_index({46, 15})));
}
