#pragma once
// What the runs of a command yielded, and how it is printed: for people (report_table.cpp,
// report_details.cpp) and for programs (report_json.cpp, report_csv.cpp).

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/metrics/run_result.hpp"
#include "model/scenario/judging/expect.hpp"
#include "model/scenario/scenario.hpp"
#include "tools/locksim/exit_status.hpp"
#include "tools/locksim/options.hpp"

namespace locksim {

/// One scenario file: its variants as loaded, what ran, and how [expect] fared.
struct FileReport {
    std::vector<model::Scenario> scenarios;
    std::vector<model::RunResult> runs;  ///< variant by variant, then by seed, then by phase
    std::vector<model::JudgedExpectation> expectations;
    std::size_t planned_runs = 0;  ///< more than `runs` where something ended the command early
    std::string why;               ///< of worst_run(), where a second look at it told more than its verdict does
    std::string seen;              ///< chart and notes of the second look, for below the report
};

struct Report {
    std::vector<FileReport> files;
};

/// Whether every expectation held; with `judge_all` also whether each could be judged. A file without
/// expectations expects the verdict `ok`.
bool as_expected(const FileReport& file, bool judge_all);
/// 0 or 1. What ended the command early is the caller's to add.
ExitStatus judged_status(const Report& report, bool judge_all);

// Summaries over the runs of a file
// ------------------------------------------------------------------------------

struct GroupSummary {
    std::string name;
    double count = 0;            ///< acquisitions (operations, where nobody acquires anything), mean over the runs
    double longest_wait_ns = 0;  ///< the longest in any run
    double sc_success = 0;       ///< store-exclusives, mean over the runs
    double sc_fail = 0;
};
struct VariantSummary {
    std::string variant;
    std::size_t runs = 0;
    std::vector<std::pair<model::VerdictKind, std::size_t>> verdicts;  ///< how many runs got it, strongest first
    std::vector<GroupSummary> groups;                                  ///< in the order of the file

    model::VerdictKind worst() const { return verdicts.front().first; }
};
/// In the order in which the variants ran; those that did not run are left out.
std::vector<VariantSummary> summarise(const std::vector<model::RunResult>& runs);

/// The run that deserves a look: the strongest verdict, then the first such. `runs` is not empty.
const model::RunResult& worst_run(const std::vector<model::RunResult>& runs);

/// What to run again where something is not as expected: the worst run alone, or, where expectations count over runs,
/// all of the command.
RunName run_to_repeat(const FileReport& file);

/// Counts of expectations; hoped ones stand apart because they never fail.
struct ExpectCounts {
    std::size_t held = 0, failed = 0, not_judged = 0, hoped = 0;
    std::size_t total() const { return held + failed + not_judged; }
};
ExpectCounts count(const std::vector<model::JudgedExpectation>& expectations);

/// "lse: longest_wait(little) <= 5us in 9/16, required 12/16; value 11.3".
std::string describe(const model::JudgedExpectation& expectation);

/// "machine a53-a73: 19 of 31 numbers estimated; not validated"; `which` goes behind the machine's name.
std::string machine_text(const model::RunResult& run, std::string_view validated, std::string_view which = "");
/// The variant that the run was of; null: a report without its scenarios.
const model::Scenario* scenario_of(const FileReport& file, const model::RunResult& run);

/// One digest for all runs: that of the only one, else a hash over all in their order.
std::uint64_t combined_digest(const std::vector<model::RunResult>& runs);
std::string hex_digest(std::uint64_t digest);

// For people
// ------------------------------------------------------------------------------------------------------

struct Screen {
    std::size_t width = 80;
    bool colour = false;
    std::size_t lines = 24;
};

/// In green or red, where the screen has colours.
std::string paint(const std::string& text, bool good, const Screen& screen);
/// At most `screen.lines` lines of `screen.width` columns, the answer first.
std::string first_screen(const FileReport& report, const Options& options, const Screen& screen);
/// Everything else that the runs yielded; what -v adds.
std::string details(const FileReport& report, const Screen& screen);

// For programs
// ----------------------------------------------------------------------------------------------------

/// "locksim.report/1".
std::string json_report(const Report& report, std::string_view version);
std::string csv_report(const Report& report);

}  // namespace locksim
