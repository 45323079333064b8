// That the benchmarks run and say what they measure. How fast the simulator is they say by hand: see
// tools/bench/README.md.

#include <sys/wait.h>

#include <cstdio>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"

namespace {

struct Output {
    int status = -1;
    std::string text;
};

Output run_bench(const std::string& arguments) {
    const std::string folder = std::string(LOCKSIM_BINARY).substr(0, std::string(LOCKSIM_BINARY).rfind('/'));
    FILE* pipe = popen((folder + "/locksim-bench " + arguments + " 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    Output output;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) { output.text += static_cast<char>(c); }
    const int ended = pclose(pipe);
    output.status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    return output;
}

nlohmann::json rows_of(const std::string& arguments) {
    const Output output = run_bench("--quick --format json " + arguments);
    INFO(output.text);
    REQUIRE(output.status == 0);
    const nlohmann::json report = nlohmann::json::parse(output.text);
    CHECK(report.at("schema") == "locksim.bench/1");
    CHECK_FALSE(report.at("locksim").get<std::string>().empty());
    CHECK_FALSE(report.at("compiler").get<std::string>().empty());
    return report.at("rows");
}

}  // namespace

TEST_CASE("every benchmark has a row with positive figures", "[bench]") {
    std::set<std::string> names;
    for (const auto& row : rows_of("--cpus 2,8")) {
        INFO(row.dump());
        names.insert(row.at("name"));
        CHECK(row.at("cpus").get<int>() >= 1);
        CHECK((row.contains("ns") || row.contains("bytes")));
        for (const char* figure : {"ns", "ratio", "bytes"}) {
            if (row.contains(figure)) { CHECK(row.at(figure).get<double>() > 0); }
        }
    }
    CHECK(names == std::set<std::string>{"switch",
                                         "hit_load",
                                         "hit_store",
                                         "hit_store_buffered",
                                         "miss",
                                         "miss_store",
                                         "miss_buffered",
                                         "miss_store_buffered",
                                         "miss_domains",
                                         "miss_readers",
                                         "miss_beside_idle",
                                         "miss_beside_waiters",
                                         "miss_beside_sharers",
                                         "spin_wait_100",
                                         "spin_wait_10000",
                                         "spin_wait_1000000",
                                         "acquire",
                                         "acquire_polling",
                                         "start",
                                         "memory_per_cpu"});
}

TEST_CASE("a hit needs no switch, and a contended miss needs one event and one switch", "[bench]") {
    for (const auto& row : rows_of("--filter hit")) {
        INFO(row.dump());
        CHECK(row.at("switches").get<double>() < 0.1);
        // On more CPUs the others spin meanwhile, and their elided polls count as accesses.
        if (row.at("cpus") == 1) { CHECK(row.at("accesses").get<double>() == Catch::Approx(1)); }
    }
    for (const auto& row : rows_of("--filter miss --cpus 8,64")) {
        INFO(row.dump());
        if (row.at("name") == "miss_readers") { continue; }
        if (row.at("name") == "miss_store_buffered") { continue; }  // see the next test
        CHECK(row.at("switches").get<double>() == Catch::Approx(1).margin(0.1));
        CHECK(row.at("events").get<double>() == Catch::Approx(1).margin(0.1));
    }
}

TEST_CASE("a buffered store's miss needs no switch of its own", "[bench]") {
    for (const auto& row : rows_of("--filter miss_store_buffered --cpus 8,64")) {
        INFO(row.dump());
        CHECK(row.at("events").get<double>() < 4.5);
        CHECK(row.at("switches").get<double>() < 2.1);
    }
}

TEST_CASE("a small scenario starts within its budget, and 256 simulated CPUs stay within theirs", "[bench]") {
    for (const auto& row : rows_of("--filter start --cpus 2,8")) {
        CHECK(row.at("ns").get<double>() <= row.at("must").get<double>());
    }
    for (const auto& row : rows_of("--filter memory --cpus 256")) {
        CHECK(row.at("bytes").get<double>() <= row.at("must").get<double>());
    }
}

TEST_CASE("a spin-wait of a million polls costs no more events than one of a hundred", "[bench]") {
    std::set<double> events;
    double polls = 0;
    for (const auto& row : rows_of("--filter spin_wait")) {
        INFO(row.dump());
        events.insert(row.at("events").get<double>());
        CHECK(row.at("accesses").get<double>() > polls * 10);
        polls = row.at("accesses").get<double>();
    }
    CHECK(events.size() == 1);
    CHECK(polls == Catch::Approx(1e6).epsilon(0.01));
}

TEST_CASE("a miss costs the same events beside waiters and sharers of another line", "[bench]") {
    for (const auto& row : rows_of("--filter miss_beside --cpus 256")) {
        INFO(row.dump());
        CHECK(row.at("events").get<double>() == Catch::Approx(1).margin(0.01));
        CHECK(row.at("against") == "2 CPUs alone");
    }
}

TEST_CASE("4096 CPUs start and miss", "[bench]") {
    const auto rows = rows_of("--filter start --cpus 4096 --repeat 1");
    CHECK(rows.at(0).at("ns").get<double>() > 0);
    const auto misses = rows_of("--filter miss_store --cpus 4096 --repeat 1");
    CHECK(misses.at(0).at("events").get<double>() == Catch::Approx(1).margin(0.01));
}

TEST_CASE("a row with a budget says whether it holds", "[bench]") {
    int budgets = 0;
    for (const auto& row : rows_of("--cpus 2,8")) {
        if (!row.contains("must")) { continue; }
        INFO(row.dump());
        ++budgets;
        const double figure = row.at(row.at("judged").get<std::string>());
        CHECK_FALSE(row.at("at_least").get<bool>());
        CHECK(row.at("holds").get<bool>() == (figure <= row.at("must").get<double>()));
        CHECK(row.contains("aim") == row.contains("reaches_aim"));
        if (row.contains("aim")) {
            CHECK(row.at("reaches_aim").get<bool>() == (figure <= row.at("aim").get<double>()));
        }
    }
    CHECK(budgets > 10);
}

TEST_CASE("the comparison with other simulators says what it needs, or compares", "[bench]") {
    CHECK(run_bench("--peers --cpus 8").status == 2);
    const Output output = run_bench("--quick --repeat 1 --peers --filter acquire_vs_simgrid_bare");
    INFO(output.text);
    if (output.status == 2) {
        CHECK_THAT(output.text, Catch::Matchers::ContainsSubstring("locksim-peer-simgrid is not built") &&
                                    Catch::Matchers::ContainsSubstring("tools/bench/peers/run"));
        return;
    }
    CHECK(output.status == 0);
    CHECK_THAT(output.text, Catch::Matchers::ContainsSubstring("simgrid_bare"));
}

TEST_CASE("the table names the budgets, and mistakes end with status 2", "[bench]") {
    const Output table = run_bench("--quick --filter hit_load");
    CHECK(table.status == 0);
    CHECK_THAT(table.text, Catch::Matchers::ContainsSubstring("hit_load") &&
                               Catch::Matchers::ContainsSubstring("of 2 budgets hold"));
    CHECK(run_bench("--filter no-such-benchmark").status == 2);
    CHECK(run_bench("--format xml").status == 2);
    CHECK(run_bench("--cpus 0").status == 2);
    CHECK(run_bench("--cpus 5000").status == 2);
}
