// Simulations in processes side by side: what they return, what becomes of one that crashes, how they are ended.

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>

#include "tests/catch.hpp"
#include "tools/locksim/validating/worker_pool.hpp"

using namespace locksim;

namespace {

PoolJob job(std::function<std::string()> work) { return {.label = "job", .work = std::move(work)}; }
bool go_on(const PoolState&) { return true; }

}  // namespace

TEST_CASE("Results come back in the order of the jobs, however many run at once", "[unit]") {
    std::vector<PoolJob> jobs;
    for (int i = 0; i < 20; ++i) {
        jobs.push_back(job([i] {
            ::usleep(static_cast<useconds_t>((20 - i) * 1000));
            return std::to_string(i);
        }));
    }
    for (const unsigned at_once : {1U, 3U, 50U}) {
        const auto results = run_pool(jobs, at_once, go_on);
        for (std::size_t i = 0; i < results.size(); ++i) {
            CHECK(results[i].finished);
            CHECK(results[i].text == std::to_string(i));
        }
    }
}

TEST_CASE("A job that throws or crashes has a problem, and the others their results", "[unit]") {
    const auto results =
        run_pool({job([] { return std::string("good"); }), job([]() -> std::string { throw std::runtime_error("no"); }),
                  job([]() -> std::string {
                      ::raise(SIGKILL);
                      return "";
                  }),
                  job([] { return std::string(200'000, 'x'); })},
                 2, go_on);
    CHECK(results[0].text == "good");
    CHECK_FALSE(results[1].finished);
    CHECK(results[1].problem == "no");
    CHECK_FALSE(results[2].finished);
    CHECK(results[2].problem == "ended by signal 9");
    CHECK(results[3].text.size() == 200'000);
}

TEST_CASE("Given up, a pool ends what runs and keeps what has finished", "[unit]") {
    const auto begin = std::chrono::steady_clock::now();
    const auto results = run_pool({job([] { return std::string("done"); }), job([] {
                                       ::sleep(60);
                                       return std::string("late");
                                   }),
                                   job([] { return std::string("never begun"); })},
                                  1, [](const PoolState& state) { return state.finished == 0; });
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
    CHECK(results[0].text == "done");
    CHECK_FALSE(results[1].finished);
    CHECK(results[1].problem.empty());
    CHECK_FALSE(results[2].finished);
}
