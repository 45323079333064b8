#include "tools/locksim/side_by_side/side_by_side.hpp"

#include <algorithm>
#include <cmath>

namespace locksim {

namespace {

constexpr double ns_per_second = 1e9;

void set(Sample& sample, Measure measure, double value) { sample.values[static_cast<std::size_t>(measure)] = value; }

/// The value of the lock where `worse(a, b)` says of no other that it is worse.
template <typename Worse>
void set_worst(Sample& sample, Measure measure, double value, Worse worse) {
    std::optional<double>& known = sample.values[static_cast<std::size_t>(measure)];
    if (!known || worse(value, *known)) { known = value; }
}

void set_times(Sample& sample, const model::RunResult& run) {
    if (run.ns_per_acquisition > 0) {
        set(sample, Measure::ns_per_acquisition, run.ns_per_acquisition);
        set(sample, Measure::throughput_per_s, ns_per_second / run.ns_per_acquisition);
    }
    double operations = 0;
    for (const model::ThreadResult& thread : run.threads) {
        if (!thread.handler) { operations += static_cast<double>(thread.operations); }
        if (thread.wait_ns.samples > 0 || thread.longest_wait_ns > 0) {
            set_worst(sample, Measure::longest_wait_ns, thread.longest_wait_ns, std::greater<>{});
        }
    }
    if (operations > 0) { set(sample, Measure::ns_per_operation, run.window_ns / operations); }
}

void set_locks(Sample& sample, const model::RunResult& run) {
    double transfers = 0;
    double acquisitions = 0;
    for (const model::LockResult& lock : run.locks) {
        if (lock.wait_ns.samples > 0) { set_worst(sample, Measure::p99_wait_ns, lock.wait_ns.p99, std::greater<>{}); }
        if (lock.jain) { set_worst(sample, Measure::jain, *lock.jain, std::less<>{}); }
        acquisitions += static_cast<double>(lock.acquisitions);
        for (const auto& [distance, per] : lock.transfers_per_acquisition) {
            transfers += per * static_cast<double>(lock.acquisitions);
        }
    }
    if (acquisitions > 0) { set(sample, Measure::transfers_per_acquisition, transfers / acquisitions); }
}

/// `use(sample, reference)` for every seed that both have.
template <typename Use>
void for_each_pair(const Row& row, const Row& reference, Use use) {
    for (const Sample& sample : row.samples) {
        const auto same = std::find_if(reference.samples.begin(), reference.samples.end(),
                                       [&sample](const Sample& other) { return other.seed == sample.seed; });
        if (same != reference.samples.end()) { use(sample, *same); }
    }
}

}  // namespace

const MeasureRow& row_of(Measure measure) { return measures[static_cast<std::size_t>(measure)]; }

Sample sample_of(const model::RunResult& run) {
    Sample sample{.seed = run.seed,
                  .digest = run.digest,
                  .verdict = run.verdict().kind,
                  .threads = run.verdict().threads,
                  .values = {}};
    set_times(sample, run);
    set_locks(sample, run);
    return sample;
}

std::optional<Estimate> Row::mean(Measure measure) const {
    std::vector<double> values;
    for (const Sample& sample : samples) {
        if (const auto value = sample.value(measure)) { values.push_back(*value); }
    }
    return estimate_mean(values);
}

std::size_t Row::count(model::VerdictKind kind) const {
    return static_cast<std::size_t>(
        std::count_if(samples.begin(), samples.end(), [kind](const Sample& sample) { return sample.verdict == kind; }));
}

std::pair<model::VerdictKind, std::size_t> Row::worst() const {
    model::VerdictKind worst = model::VerdictKind::ok;
    for (const Sample& sample : samples) { worst = std::max(worst, sample.verdict); }
    return {worst, count(worst)};
}

bool Row::same_in_every_seed() const {
    return samples.size() > 1 && std::all_of(samples.begin(), samples.end(), [this](const Sample& sample) {
               return sample.digest == samples.front().digest;
           });
}

std::size_t SideBySide::runs() const {
    std::size_t runs = 0;
    for (const Row& row : rows) { runs += row.samples.size(); }
    return runs;
}

bool SideBySide::has_acquisitions() const {
    return std::any_of(rows.begin(), rows.end(),
                       [](const Row& row) { return row.mean(Measure::ns_per_acquisition).has_value(); });
}

Measure SideBySide::main_measure() const {
    return has_acquisitions() ? Measure::ns_per_acquisition : Measure::ns_per_operation;
}

Pairs paired(const Row& row, const Row& reference, Measure measure) {
    Pairs pairs;
    for_each_pair(row, reference, [&](const Sample& a, const Sample& b) {
        if (a.value(measure) && b.value(measure)) { pairs.emplace_back(*a.value(measure), *b.value(measure)); }
    });
    return pairs;
}

const char* to_string(Relation relation) {
    switch (relation) {
        case Relation::same_runs: return "same_runs";
        case Relation::equal: return "equal";
        case Relation::differs: return "differs";
        case Relation::within_error: return "within_model_error";
        case Relation::not_shown: return "not_shown";
        case Relation::one_seed: return "one_seed";
        case Relation::not_comparable: return "not_comparable";
    }
    return "";
}

Relation relation(const Row& row, const Row& reference, Measure measure, const std::optional<double>& model_error) {
    std::size_t pairs = 0;
    std::size_t same = 0;
    for_each_pair(row, reference, [&](const Sample& a, const Sample& b) {
        ++pairs;
        same += a.digest == b.digest ? 1 : 0;
    });
    if (pairs > 0 && same == pairs) { return Relation::same_runs; }
    const std::optional<Estimate> ratio = estimate_ratio(paired(row, reference, measure));
    if (!ratio) { return Relation::not_comparable; }
    if (!ratio->interval) { return Relation::one_seed; }
    if (ratio->exact() && ratio->value == 1) { return Relation::equal; }
    if (ratio->interval->contains(1)) { return Relation::not_shown; }
    const bool within = model_error && ratio->value > 0 && std::abs(std::log(ratio->value)) < *model_error;
    return within ? Relation::within_error : Relation::differs;
}

}  // namespace locksim
