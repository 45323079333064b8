#pragma once
// What `compare` found: for each candidate and seed the measures of one run, and what follows from them. Everything is
// paired by seed: the same seed draws the same noise for every candidate.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/metrics/run_result.hpp"
#include "tools/locksim/options.hpp"
#include "tools/locksim/side_by_side/candidates.hpp"
#include "tools/locksim/side_by_side/statistics.hpp"

namespace locksim {

/// In the order of `measures`. With several locks the waits and Jain's index are those of the lock that is worst off,
/// transfers a mean over all acquisitions.
enum class Measure {
    ns_per_acquisition,
    ns_per_operation,
    throughput_per_s,
    longest_wait_ns,
    p99_wait_ns,
    jain,
    transfers_per_acquisition
};
enum class Unit { time, rate, index, count };
struct MeasureRow {
    Measure measure;
    const char* name;  ///< in JSON and CSV
    const char* text;  ///< for people
    Unit unit;
};
constexpr std::array<MeasureRow, 7> measures{
    {{Measure::ns_per_acquisition, "ns_per_acquisition", "time per acquisition", Unit::time},
     {Measure::ns_per_operation, "ns_per_operation", "time per operation", Unit::time},
     {Measure::throughput_per_s, "throughput_per_s", "acquisitions per second", Unit::rate},
     {Measure::longest_wait_ns, "longest_wait_ns", "longest wait", Unit::time},
     {Measure::p99_wait_ns, "p99_wait_ns", "99 % of waits within", Unit::time},
     {Measure::jain, "jain", "Jain's index", Unit::index},
     {Measure::transfers_per_acquisition, "transfers_per_acquisition", "transfers per acquisition", Unit::count}}};
const MeasureRow& row_of(Measure measure);

/// One run, as far as it is compared.
struct Sample {
    std::uint64_t seed = 1;
    std::uint64_t digest = 0;
    model::VerdictKind verdict = model::VerdictKind::ok;
    std::vector<std::string> threads;  ///< whom the verdict concerns
    std::array<std::optional<double>, measures.size()> values;

    std::optional<double> value(Measure measure) const { return values[static_cast<std::size_t>(measure)]; }
};
Sample sample_of(const model::RunResult& run);

/// One candidate and its runs, by seed.
struct Row {
    std::string name;
    std::string label;    ///< its values alone, for the table
    std::string variant;  ///< of the file
    std::vector<std::string> sets;
    std::vector<Sample> samples;

    /// Of the samples that have it.
    std::optional<Estimate> mean(Measure measure) const;
    /// The strongest, with the number of samples that have it.
    std::pair<model::VerdictKind, std::size_t> worst() const;
    std::size_t count(model::VerdictKind kind) const;
    /// Whether the seed decides about anything.
    bool same_in_every_seed() const;
};

struct SideBySide {
    std::string title, file;
    std::string varied;   ///< what the labels are values of
    std::string machine;  ///< how far its numbers are to be trusted
    std::optional<double> model_error =
        {};  ///< |ln| of a time's ratio to the measured one, as validated; none: unknown
    SeedRange seeds;
    std::int32_t phase = 1;
    std::size_t planned = 0;
    double simulated_ns = 0;  ///< of one run at most
    double host_seconds = 0;
    std::vector<Row> rows;  ///< the first is the reference

    const Row& reference() const { return rows.front(); }
    std::size_t runs() const;
    bool has_acquisitions() const;
    /// What rows are ranked by: time per acquisition, or per operation where nobody acquires anything.
    Measure main_measure() const;
};

/// Of the seeds that have run for both.
Pairs paired(const Row& row, const Row& reference, Measure measure);
/// How the row's main measure relates to the reference's.
enum class Relation {
    same_runs,      ///< event for event, in every seed
    equal,          ///< exactly, in every seed
    differs,        ///< by more than the seeds leave open
    within_error,   ///< the same, but by less than the machine is off from measurements
    not_shown,      ///< the interval has the ratio 1 in it
    one_seed,       ///< no interval
    not_comparable  ///< one of the two has no such measure
};
Relation relation(const Row& row, const Row& reference, Measure measure, const std::optional<double>& model_error = {});
const char* to_string(Relation relation);

// For people: at most 24 lines, and what -v adds.
struct ComparisonScreen {
    std::size_t width = 80;
    bool colour = false;
    bool bars = false;  ///< a terminal
    bool utf8 = false;
};
std::string side_by_side_screen(const SideBySide& found, const Options& options, const ComparisonScreen& screen);
std::string side_by_side_details(const SideBySide& found, std::size_t width);

// For programs: "locksim.compare/1"; CSV with a row per candidate and measure.
std::string side_by_side_json(const SideBySide& found, std::string_view version);
std::string side_by_side_csv(const SideBySide& found);

}  // namespace locksim
