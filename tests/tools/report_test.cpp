// The reports, on results made by hand.
#include "tools/locksim/report.hpp"

#include "tests/catch.hpp"
#include "tests/tools/report_fixture.hpp"
#include "tools/locksim/text.hpp"

using namespace locksim;
using namespace locksim_test;
using Catch::Matchers::ContainsSubstring;
using model::VerdictKind;

namespace {

/// A file without [expect] that ended with this verdict.
Report without_expectations(VerdictKind kind) {
    FileReport file;
    file.scenarios.emplace_back();
    file.runs = {run("base", kind)};
    return {{file}};
}

Report with_expectations(const std::vector<std::optional<bool>>& outcomes) {
    FileReport file = two_variants();
    file.expectations.clear();
    for (const auto& holds : outcomes) { file.expectations.push_back(expectation("acquisitions(big) > 1", holds, 3)); }
    return {{file}};
}

FileReport with_variants(std::size_t n, VerdictKind kind) {
    FileReport report = two_variants();
    report.runs.clear();
    for (std::size_t i = 0; i < n; ++i) { report.runs.push_back(run("variant-" + std::to_string(i), kind)); }
    report.planned_runs = n;
    return report;
}

FileReport with_groups(std::size_t n) {
    FileReport report = two_variants();
    for (model::RunResult& run : report.runs) {
        run.threads.clear();
        for (std::size_t i = 0; i < n; ++i) {
            run.threads.push_back(thread("group" + std::to_string(i), static_cast<std::int32_t>(i), 1'790'112,
                                         static_cast<double>(i + 1) * 1.11e6));
        }
    }
    return report;
}

}  // namespace

TEST_CASE("Without expectations any verdict but ok makes the status 1", "[unit]") {
    CHECK(judged_status(without_expectations(VerdictKind::ok), false) == ExitStatus::ok);
    CHECK(judged_status(without_expectations(VerdictKind::starvation), false) == ExitStatus::unexpected);
    CHECK(judged_status(without_expectations(VerdictKind::exclusion_violated), false) == ExitStatus::unexpected);
}

TEST_CASE("With expectations they alone decide, whatever the verdict", "[unit]") {
    CHECK(judged_status(with_expectations({true, true}), false) == ExitStatus::ok);
    CHECK(judged_status(with_expectations({true, false}), false) == ExitStatus::unexpected);
}

TEST_CASE("What could not be judged changes the status only with --judge-all", "[unit]") {
    CHECK(judged_status(with_expectations({true, std::nullopt}), false) == ExitStatus::ok);
    CHECK(judged_status(with_expectations({true, std::nullopt}), true) == ExitStatus::unexpected);
    CHECK(judged_status(with_expectations({true, true}), true) == ExitStatus::ok);
}

TEST_CASE("What is only hoped for never changes the status", "[unit]") {
    Report report = with_expectations({true, false});
    report.files.front().expectations.back().hoped = true;
    CHECK(judged_status(report, true) == ExitStatus::ok);
}

TEST_CASE("One file that is not as expected makes the status of all 1", "[unit]") {
    Report report = with_expectations({true});
    report.files.push_back(without_expectations(VerdictKind::deadlock).files.front());
    CHECK(judged_status(report, false) == ExitStatus::unexpected);
}

TEST_CASE("Where store-exclusives were tried, the table says how many succeeded and failed", "[unit]") {
    locksim::FileReport report = two_variants();
    CHECK_THAT(first_screen(report, options(), {}), !ContainsSubstring("SC ok/fail"));
    for (model::ThreadResult& thread : report.runs.front().threads) {
        thread.sc_success = 128;
        thread.sc_fail = 394'321;
    }
    for (const std::size_t width : {80U, 72U}) {
        const std::string screen = first_screen(report, options(), {.width = width});
        INFO(screen);
        CHECK_THAT(screen, ContainsSubstring("SC ok/fail") && ContainsSubstring("128/394k"));
        CHECK(widest(screen) <= width);
        CHECK(lines_of(screen).size() <= 24);
    }
    // Where there is no room they give way before a group does.
    CHECK_THAT(first_screen(report, options(), {.width = 50}), ContainsSubstring("little") && ContainsSubstring("big"));
}

TEST_CASE("The first screen gives the answer, the reason, the trust and what to do next", "[unit]") {
    check_approved("first_screen.txt", first_screen(two_variants(), options(), {}));
}

TEST_CASE("The first screen lists failed expectations and the line that repeats the run", "[unit]") {
    FileReport report = two_variants();
    report.expectations.push_back(expectation("longest_wait(big) <= 10us", false, 19.9e6));
    report.expectations.back().value_is_time = true;
    report.expectations.back().in = "9/16";
    report.expectations.back().required = "16/16";
    check_approved("first_screen_failed.txt", first_screen(report, options(), {}));
}

TEST_CASE("Over many phases the first screen counts verdicts and shows the longest wait of all", "[unit]") {
    FileReport report = two_variants();
    report.runs.clear();
    for (const std::int32_t phase : {1, 2, 3, 4}) {
        report.runs.push_back(run("base", phase == 2 ? VerdictKind::ok : VerdictKind::starvation, phase));
    }
    report.planned_runs = 4;
    check_approved("first_screen_phases.txt", first_screen(report, options(), {}));
}

TEST_CASE("The details show everything that was measured", "[unit]") {
    FileReport report = two_variants();
    report.runs.front().verdicts.front().waits_for = {{"little", "timers", "big"}};
    check_approved("details.txt", details(report, {}));
}

TEST_CASE("The JSON report has every key", "[unit]") {
    check_approved("report.json", json_report({{two_variants()}}, "0.1.0"));
}

TEST_CASE("The CSV report has a row per lock and per thread", "[unit]") {
    Report report{{two_variants()}};
    report.files.front().runs.front().title = "a \"quoted\", title";
    check_approved("report.csv", csv_report(report));
}

TEST_CASE("A report without runs is still a JSON report", "[unit]") {
    CHECK_THAT(json_report({}, "0.1.0"), ContainsSubstring("\"runs\": []"));
}

TEST_CASE("A file name that is no UTF-8 does not cost the JSON report", "[unit]") {
    Report report{{two_variants()}};
    report.files.front().runs.front().file = "bad\xff.toml";
    CHECK_THAT(json_report(report, "0.1.0"), ContainsSubstring("bad"));
}

TEST_CASE("A CSV row has as many cells as the header", "[unit]") {
    Report report{{two_variants()}};
    for (model::RunResult& run : report.files.front().runs) { run.title = "no comma"; }
    const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
    const std::vector<std::string> lines = lines_of(csv_report(report));
    REQUIRE(lines.size() == 1 + 2 * (1 + 2));
    for (const std::string& line : lines) { CHECK(commas(line) == commas(lines.front())); }
}

TEST_CASE("The first screen stays within 24 lines and its width, whatever ran", "[unit]") {
    const std::size_t width = GENERATE(40U, 60U, 80U);
    const std::size_t variants = GENERATE(1U, 2U, 10U, 40U);
    const std::size_t failures = GENERATE(0U, 1U, 12U);
    FileReport report = with_variants(variants, VerdictKind::exclusion_violated);
    for (std::size_t i = 0; i < failures; ++i) {
        report.expectations.push_back(expectation("longest_wait(little) <= 2 * longest_wait(big) + 10us", false, 3));
    }
    // Commands may be wider than a narrow window, since they must stay pasteable word by word.
    Options short_names = options();
    short_names.program = "locksim";
    for (model::RunResult& run : report.runs) { run.file = "a.toml"; }
    const std::string text = first_screen(report, short_names, {.width = width, .colour = false, .lines = 24});
    INFO(text);
    CHECK(lines_of(text).size() <= 24);
    CHECK(widest(text) <= width);
}

TEST_CASE("Ten variants all have their row, forty are summed up", "[unit]") {
    const std::string ten = first_screen(with_variants(10, VerdictKind::ok), options(), {});
    CHECK_THAT(ten, ContainsSubstring("variant-0 ") && ContainsSubstring("variant-9 "));
    FileReport many = with_variants(40, VerdictKind::ok);
    many.runs[37] = run("the-bad-one", VerdictKind::deadlock);
    const std::string forty = first_screen(many, options(), {});
    CHECK_THAT(forty, ContainsSubstring("the-bad-one") && ContainsSubstring("more variants"));
}

TEST_CASE("Four groups fit beside each other, of more the worst stay", "[unit]") {
    const std::string four = first_screen(with_groups(4), options(), {});
    INFO(four);
    for (const char* name : {"group0", "group1", "group2", "group3"}) { CHECK_THAT(four, ContainsSubstring(name)); }
    CHECK(widest(four) <= 80);
    const std::string nine = first_screen(with_groups(9), options(), {});
    INFO(nine);
    CHECK_THAT(nine, ContainsSubstring("group8") && ContainsSubstring("more groups"));
    CHECK_THAT(nine, !ContainsSubstring("group0"));
    CHECK(widest(nine) <= 80);
}

TEST_CASE("The details stay within 80 columns", "[unit]") {
    FileReport report = with_groups(9);
    for (model::RunResult& run : report.runs) {
        for (model::ThreadResult& thread : run.threads) {
            thread.name = "a-thread-with-quite-a-name";
            thread.operations = thread.acquisitions = 123'456'789'012;
        }
    }
    const std::string text = details(report, {});
    INFO(text);
    CHECK(widest(text) <= 80);
}

TEST_CASE("Colour changes no letter of the first screen", "[unit]") {
    std::string coloured = first_screen(two_variants(), options(), {.width = 80, .colour = true, .lines = 24});
    CHECK_THAT(coloured, ContainsSubstring("\x1b[1;31mSTARVATION\x1b[0m"));
    for (const std::string code : {"\x1b[1;31m", "\x1b[32m", "\x1b[0m"}) {
        for (auto at = coloured.find(code); at != std::string::npos; at = coloured.find(code)) {
            coloured.erase(at, code.size());
        }
    }
    CHECK(coloured == first_screen(two_variants(), options(), {}));
}

TEST_CASE("A title cannot send control characters to the terminal", "[unit]") {
    FileReport report = two_variants();
    for (model::RunResult& run : report.runs) { run.title = "evil\x1b[2J\ntitle"; }
    CHECK_THAT(first_screen(report, options(), {}), !ContainsSubstring("\x1b"));
}

TEST_CASE("A file that was stopped before its first run says so", "[unit]") {
    FileReport report = two_variants();
    report.runs.clear();
    CHECK_THAT(first_screen(report, options(), {}), ContainsSubstring("stopped before the first run"));
    CHECK(details(report, {}).empty());
}

TEST_CASE("A file that was stopped early says how far it came", "[unit]") {
    FileReport report = two_variants();
    report.planned_runs = 32;
    CHECK_THAT(first_screen(report, options(), {}), ContainsSubstring("2 of 32 runs finished"));
}

TEST_CASE("The digest of one run is its own, that of several depends on their order", "[unit]") {
    const model::RunResult a = run("base", VerdictKind::ok);
    const model::RunResult b = run("lse", VerdictKind::ok);
    CHECK(combined_digest({a}) == a.digest);
    CHECK(combined_digest({a, b}) != combined_digest({b, a}));
}
