#pragma once
// What `validate` found of one set: points, what they come to, and which criteria they meet.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/locksim/validating/scores.hpp"
#include "tools/locksim/validating/worker_pool.hpp"

namespace locksim {

/// Whether a point says anything about the model.
enum class Counting {
    counted,
    fit,    ///< the machine was calibrated on it
    shown,  ///< another experiment than ours, or a point the source does not show well
};
const char* to_string(Counting counting);

struct Point {
    std::string lock, workload;
    std::int32_t threads = 0;
    Counting counting = Counting::counted;
    double published = 0;  ///< in the set's unit
    std::optional<double> simulated;
    std::string problem;                       ///< why there is none
    std::vector<std::string> lock_types = {};  ///< of the catalogue
    double host_seconds = 0;
    NullCase at;                               ///< the experiment in times; `published` in it is a time too
    bool is_rate = false;                      ///< published and simulated are operations per time
    std::optional<double> allowed_error = {};  ///< relative, where each point has its own

    std::optional<double> ratio() const;  ///< simulated / published, as given
    double time_of(double figure) const { return is_rate ? 1e3 / figure : figure; }  ///< M/s to ns
    bool counts() const { return counting == Counting::counted; }
};

/// The points of one lock and workload.
struct Curve {
    std::string lock, workload;
    Counting counting = Counting::counted;
    std::string why;
    std::vector<std::size_t> points;  ///< with results, counted ones alone where there are some
    std::size_t n = 0;
    std::optional<double> median_error, median_abs_log_ratio, worst;
};

struct Criterion {
    std::string text;  ///< "median error of ticket 0/0"
    std::optional<double> value;
    double limit = 0;
    std::string shown;          ///< value and limit as people read them
    std::optional<bool> holds;  ///< no value: not judged
    std::string why;            ///< it was not judged
};

struct Validation {
    std::string name, title, source, machine, unit;
    bool fitted = false;     ///< the machine was calibrated on all of it: never judged
    bool by_excess = false;  ///< errors are relative to the cost beyond the ideal
    std::vector<Point> points;
    std::vector<Curve> curves;
    std::vector<Criterion> criteria;
    std::optional<double> median_error, median_abs_log_ratio, worst;
    std::optional<std::size_t> worst_point;
    std::optional<double> tau;  ///< mean over the thread counts below
    std::map<std::int32_t, double> tau_at;
    std::optional<NullModel> null_model;
    std::optional<double> null_factor;  ///< median error of the null model by ours
    double host_seconds = 0;
    bool complete = true;  ///< every point has run
    std::vector<std::string> notes;
    std::vector<std::string> problems;  ///< runs that failed, beside those of points

    std::size_t counted() const;
    std::optional<bool> holds() const;  ///< no value: fitted, or nothing was judged
};

/// A set that is ready to run: all its files are loaded.
struct PreparedSet {
    Validation validation;
    std::vector<PoolJob> jobs;
    std::function<void(Validation&, const std::vector<PoolResult>&)> finish;
};

// For people and for programs.
struct ValidationScreen {
    std::size_t width = 80;
    bool colour = false;
    bool details = false;
};
std::string validation_screen(const std::vector<Validation>& sets, const ValidationScreen& screen);
std::string validation_json(const std::vector<Validation>& sets, std::string_view version);
std::string validation_csv(const std::vector<Validation>& sets);

}  // namespace locksim
