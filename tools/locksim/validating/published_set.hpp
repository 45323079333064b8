#pragma once
// What a set file says (configs/published/NAME.toml): which table of published figures is repeated by which scenario on
// which machine, lock by lock and workload by workload. How far off it may be stands in tolerances.csv.

#include <cstdint>
#include <string>
#include <vector>

#include "model/quantities.hpp"
#include "model/scenario/scenario.hpp"

namespace locksim {

/// What the figures are. Both follow from the bodies that all threads have done.
enum class Figure {
    ns_per_operation,  ///< time until the last thread ends, over all operations
    mops_per_s,        ///< millions of operations a second, in a window after warm-up
};
enum class SetKind {
    curves,        ///< published figures against the number of threads
    expectations,  ///< scenario files and what they expect
};

/// A point that stands in the set file itself, for curves that need no table.
struct InlinePoint {
    std::int32_t threads = 0;
    double value = 0;
};

/// [locks.NAME]: one curve, or one for each workload.
struct PublishedLock {
    std::string name;
    std::string published;              ///< what the table's column for curves says; as `name` where it is not set
    std::vector<std::string> set;       ///< "PATH=VALUE": what it is in the scenario
    std::string scenario;               ///< another than the set's
    std::string variant;                ///< of the scenario; the workload's where it is empty
    std::vector<std::string> fit;       ///< workloads the machine was calibrated on: shown, not counted ("*": all)
    std::vector<std::string> only;      ///< workloads it is shown for; empty: all
    std::vector<std::int32_t> dropped;  ///< thread counts the source does not show well
    std::string why;                    ///< what stands for what, and what was dropped
    std::vector<InlinePoint> points;
    model::SourcePosition position;
};

/// [workloads.NAME]
struct PublishedWorkload {
    std::string name;
    std::vector<std::string> select;  ///< "COLUMN=VALUE"
    std::string variant = "base";
    std::vector<std::string> set;
    sim::Time critical{}, outside{};  ///< as published: for the ideal and the null model
};

/// [[figures]] of a set of expectations: what was published, beside a measure of a variant.
struct PublishedFigure {
    std::string what;
    std::string file;  ///< one of `scenarios`
    std::string variant = "base";
    std::string measure;    ///< as in [expect]: "longest_wait(little)"
    std::string published;  ///< "19.85ms", "2.67"
    model::SourcePosition position;
};

struct PublishedSet {
    std::string name, file;
    std::string title, source;
    SetKind kind = SetKind::curves;
    std::string machine;                 ///< preset
    std::string scenario;                ///< path below configs/, or beside the set file
    std::vector<std::string> scenarios;  ///< of a set of expectations
    std::string table;                   ///< CSV beside the set file
    std::vector<std::string> select;
    std::string curve = "lock";  ///< column that tells the curves apart
    std::string value;           ///< column with the figures
    Figure figure = Figure::ns_per_operation;
    std::int64_t operations = 0;        ///< of all threads together; 0: until the scenario's duration
    std::vector<std::int32_t> threads;  ///< thread counts to run; empty: all that are published
    std::vector<std::int32_t> quick;    ///< with --quick
    std::int32_t least_threads = 1;     ///< fewer are shown, not counted
    sim::Time overhead{};               ///< of one pass of the benchmark's loop: for the ideal and the null model
    std::vector<PublishedLock> locks;
    std::vector<PublishedWorkload> workloads;  ///< never empty: one without a name where the file has none
    std::vector<PublishedFigure> figures;
    bool fitted = false;  ///< the machine was calibrated on all of it: shown, never judged
};

/// Throws model::ConfigError with file and line.
PublishedSet read_published_set(const std::string& path);

}  // namespace locksim
