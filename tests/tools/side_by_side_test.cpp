// What `compare` says of made-up results: sentences, table, bars.

#include "tools/locksim/side_by_side/side_by_side.hpp"

#include "tests/catch.hpp"
#include "tests/tools/report_fixture.hpp"
#include "tests/tools/side_by_side_fixture.hpp"
#include "tools/locksim/side_by_side/findings.hpp"
#include "tools/locksim/text.hpp"

using namespace locksim;
using namespace locksim_test;
using Catch::Matchers::ContainsSubstring;
using Texts = std::vector<std::string>;

namespace {

SideBySide two_locks() {
    return comparison_of({row_with("ticket", {100, 102, 98, 101, 99}), row_with("mcs", {62, 63, 61, 62, 62})});
}

std::string screen_of(const SideBySide& found, const ComparisonScreen& screen) {
    return side_by_side_screen(found, options(), screen);
}

/// Columns of the longest line, for text with bars.
std::size_t widest_of(const std::string& text) {
    std::size_t most = 0;
    for (const std::string& line : lines_of(text)) { most = std::max(most, display_width(line)); }
    return most;
}

}  // namespace

TEST_CASE("A comparison is one sentence with the ratio and its interval", "[unit]") {
    CHECK(comparison_sentences(two_locks()) == Texts{"mcs takes 0.62 times as long as ticket (95 %: 0.61 to 0.63)"});
}

TEST_CASE("A difference that the seeds cannot show is called that", "[unit]") {
    const SideBySide found =
        comparison_of({row_with("ticket", {100, 102, 98, 101, 99}), row_with("tas", {101, 100, 99, 104, 98})});
    CHECK(relation(found.rows[1], found.rows[0], Measure::ns_per_acquisition) == Relation::not_shown);
    CHECK_THAT(comparison_sentences(found).front(),
               ContainsSubstring("tas: no difference from ticket that 5 seeds show (95 %: 0.98 to"));
}

TEST_CASE("A wait that is twice as long is told even where the time is the same", "[unit]") {
    const auto with_waits = [](const std::vector<double>& waits) {
        Row row = row_with("tas", {101, 100, 99, 104, 98});
        for (std::size_t i = 0; i < waits.size(); ++i) {
            row.samples[i].values[static_cast<std::size_t>(Measure::longest_wait_ns)] = waits[i];
        }
        return comparison_sentences(comparison_of({row_with("ticket", {100, 102, 98, 101, 99}), row})).front();
    };
    CHECK_THAT(with_waits({2000, 2040, 1960, 2020, 1980}), ContainsSubstring("; longest wait 10.0 times"));
    CHECK_THAT(with_waits({380, 390, 370, 380, 380}), !ContainsSubstring("longest wait"));    // below twice
    CHECK_THAT(with_waits({200, 90000, 20, 30, 90000}), !ContainsSubstring("longest wait"));  // not shown
}

TEST_CASE("A bound that is not 1 does not read as 1", "[unit]") {
    const Estimate ratio{5, 1.02, Interval{1.0004, 1.04}};
    CHECK(interval_text(ratio) == "1.0004 to 1.0400");
    CHECK(ratio_text(Estimate{5, 12.34, Interval{11, 13}}) == "12.3");
    CHECK(ratio_text(Estimate{5, 1.00312, Interval{1.0028, 1.0034}}) == "1.0031");
    CHECK(ratio_text(Estimate{1, 0.6249, {}}) == "0.62");
    CHECK(ratio_text(Estimate{1, 0.00123, {}}) == "0.0012");  // it was "0.00"
    CHECK(ratio_text(Estimate{1, 0.0000123, {}}) == "0.000012");
}

TEST_CASE("Nobody is compared with a lock that nobody got", "[unit]") {
    SideBySide found = two_locks();
    for (Sample& sample : found.rows[1].samples) { sample.values = {}; }
    CHECK(comparison_sentences(found) == Texts{"mcs and ticket: no ratio, mcs has no time per acquisition"});
    CHECK_THAT(screen_of(found, {}), ContainsSubstring("mcs     ok             -"));
}

TEST_CASE("Runs that are the same event for event are told from equal times", "[unit]") {
    SideBySide found = comparison_of({row_with("ticket", {100, 102}), row_with("tas", {100, 102})});
    CHECK(comparison_sentences(found) == Texts{"tas takes exactly as long as ticket in each of 2 seeds"});
    for (std::size_t i = 0; i < 2; ++i) { found.rows[1].samples[i].digest = found.rows[0].samples[i].digest; }
    CHECK(comparison_sentences(found) ==
          Texts{"tas runs as ticket does, event for event: what was varied changes nothing here"});
}

TEST_CASE("Where the seed decides about nothing, the intervals are said to say nothing", "[unit]") {
    SideBySide found = comparison_of({row_with("ticket", {100, 100, 100}), row_with("tas", {50, 50, 50})});
    CHECK(caveats(found).empty());
    for (Row& row : found.rows) {
        for (Sample& sample : row.samples) { sample.digest = row.samples.front().digest; }
    }
    REQUIRE(caveats(found).size() == 1);
    CHECK_THAT(caveats(found).front(), ContainsSubstring("every seed runs alike"));
    CHECK(comparison_sentences(found) ==
          Texts{"tas takes 0.50 times as long as ticket in each of 3 seeds; longest wait 0.50 times"});
}

TEST_CASE("Verdicts that differ are one sentence: who starves whom, and who does not", "[unit]") {
    SideBySide found = comparison_of({row_with("ticket", {1, 1}), row_with("tas", {1, 1}), row_with("ttas", {1, 1})});
    CHECK(verdict_sentences(found).empty());
    set_verdict(found.rows[1], model::VerdictKind::starvation, {"threads.3"}, 2);
    CHECK(verdict_sentences(found) == Texts{"tas starves threads.3; ticket and ttas do not"});
    set_verdict(found.rows[2], model::VerdictKind::starvation, {"threads.4"}, 1);
    CHECK(verdict_sentences(found) ==
          Texts{"tas and ttas (in 1 of 2 seeds) starve threads.3, threads.4; ticket does not"});
    set_verdict(found.rows[0], model::VerdictKind::deadlock, {"a", "b", "c", "d"}, 2);
    CHECK(verdict_sentences(found).front() == "ticket deadlocks a, b and 2 more; tas and ttas do not");
    CHECK_THAT(screen_of(found, {}), ContainsSubstring("STARVATION 1/2") && ContainsSubstring("DEADLOCK"));
}

TEST_CASE("Only seeds that both have are paired", "[unit]") {
    const SideBySide found = comparison_of({row_with("ticket", {100, 200, 300}), row_with("mcs", {50, 100})});
    CHECK(paired(found.rows[1], found.rows[0], Measure::ns_per_acquisition) == Pairs{{50, 100}, {100, 200}});
    CHECK(comparison_sentences(found) ==
          Texts{"mcs takes 0.50 times as long as ticket in each of 2 seeds; longest wait 0.50 times"});
}

TEST_CASE("With several locks the waits are those of the lock that is worst off", "[unit]") {
    model::RunResult run = locksim_test::run("base", model::VerdictKind::ok);
    run.locks.push_back(run.locks.front());
    run.locks[0].jain = 0.9;
    run.locks[1].jain = 0.5;
    run.locks[0].wait_ns.samples = run.locks[1].wait_ns.samples = 1;
    run.locks[0].wait_ns.p99 = 700;
    run.locks[1].wait_ns.p99 = 600;
    run.locks[0].acquisitions = 300;
    run.locks[1].acquisitions = 100;
    run.locks[0].transfers_per_acquisition = {{"near", 1.0}, {"far", 1.0}};
    run.locks[1].transfers_per_acquisition = {{"near", 6.0}};
    const Sample sample = sample_of(run);
    CHECK(sample.value(Measure::jain) == 0.5);
    CHECK(sample.value(Measure::p99_wait_ns) == 700);
    CHECK(sample.value(Measure::transfers_per_acquisition) == 3);
}

TEST_CASE("Bars are as long as the times, in blocks or in plain characters", "[unit]") {
    const SideBySide found = comparison_of({row_with("ticket", {100, 100}), row_with("mcs", {50, 50})});
    const ComparisonScreen blocks{.width = 80, .colour = false, .bars = true, .utf8 = true};
    const Texts with_blocks = lines_of(screen_of(found, blocks));
    const auto count = [](const std::string& text, const std::string& what) {
        std::size_t n = 0;
        for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) { ++n; }
        return n;
    };
    const std::size_t full = count(with_blocks[2], "\u2588");
    CHECK(full >= 6);
    CHECK(count(with_blocks[3], "\u2588") == full / 2);
    ComparisonScreen plain = blocks;
    plain.utf8 = false;
    const Texts with_signs = lines_of(screen_of(found, plain));
    CHECK(count(with_signs[2], "#") == full);
    CHECK((count(with_signs[3], "#") == full / 2 || count(with_signs[3], "#") == (full + 1) / 2));
    CHECK(screen_of(found, {.width = 50, .bars = true}).find('#') == std::string::npos);
    CHECK(screen_of(found, {}).find('#') == std::string::npos);
}

TEST_CASE("The comparison fits the window and 24 lines, however many there are", "[unit]") {
    for (const std::size_t rows : {2U, 6U, 12U, 64U}) {
        std::vector<Row> all;
        for (std::size_t i = 0; i < rows; ++i) {
            const double ns = 100 + 10 * static_cast<double>(i);
            all.push_back(
                row_with("a-rather-long-lock-name, frequency=" + std::to_string(i) + "MHz", {ns, ns + 1, ns}));
        }
        set_verdict(all.back(), model::VerdictKind::starvation, {"little"}, 2);
        const SideBySide found = comparison_of(all);
        for (const std::size_t width : {80U, 60U, 40U}) {
            for (const bool bars : {false, true}) {
                const std::string text = screen_of(found, {.width = width, .bars = bars, .utf8 = true});
                INFO(rows << " rows, " << width << " columns\n" << text);
                CHECK(lines_of(text).size() <= 24);
                CHECK(widest_of(text) <= width);
                CHECK_THAT(text, ContainsSubstring("starves") || ContainsSubstring("more (-v)"));
            }
        }
    }
}

TEST_CASE("Colour marks verdicts, not names", "[unit]") {
    SideBySide found = comparison_of({row_with("ok", {100, 101}), row_with("tas", {100, 103})});
    set_verdict(found.rows[1], model::VerdictKind::starvation, {"x"}, 2);
    const std::string text = screen_of(found, {.width = 80, .colour = true});
    CHECK_THAT(text, ContainsSubstring("ok    \x1b[32mok\x1b[0m") || ContainsSubstring("ok   \x1b[32mok\x1b[0m"));
    CHECK_THAT(text, ContainsSubstring("\x1b[1;31mSTARVATION\x1b[0m"));
}
