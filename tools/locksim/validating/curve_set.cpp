#include "tools/locksim/validating/curve_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "model/scenario/reading/config_error.hpp"
#include "model/scenario/reading/loader.hpp"
#include "model/scenario/running/runner.hpp"
#include "tools/locksim/configs.hpp"
#include "tools/locksim/validating/judging.hpp"
#include "tools/locksim/validating/published_table.hpp"

namespace locksim {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t least_iterations = 200;  // of a thread, so that beginning and end weigh little

bool has(const std::vector<std::int32_t>& all, std::int32_t one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}
bool has(const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

/// "COLUMN=VALUE", all of them.
bool selected(const PublishedTable& table, const PublishedTable::Row& row, const std::vector<std::string>& select) {
    return std::all_of(select.begin(), select.end(), [&](const std::string& each) {
        const std::size_t equals = each.find('=');
        return equals != std::string::npos && table.cell(row, each.substr(0, equals)) == each.substr(equals + 1);
    });
}

std::vector<InlinePoint> published_points(const PublishedSet& set, const PublishedLock& lock,
                                          const PublishedWorkload& workload, const PublishedTable* table) {
    if (!lock.points.empty() || table == nullptr) { return lock.points; }
    std::vector<InlinePoint> points;
    for (const PublishedTable::Row& row : table->rows()) {
        if (table->cell(row, set.curve) != lock.published || !selected(*table, row, set.select) ||
            !selected(*table, row, workload.select)) {
            continue;
        }
        points.push_back({static_cast<std::int32_t>(table->number(row, "threads")), table->number(row, set.value)});
    }
    if (points.empty()) {
        throw model::ConfigError(lock.position,
                                 fmt::format("locks.{}: no rows of \"{}\"{} in {}", lock.name, lock.published,
                                             workload.name.empty() ? "" : " for " + workload.name, table->file()));
    }
    return points;
}

/// One published point and the scenario that repeats it.
class Experiment {
public:
    Experiment(std::shared_ptr<const model::Scenario> scenario, const model::Catalogue& catalogue, Figure figure,
               bool to_the_end)
        : scenario_(std::move(scenario)), catalogue_(catalogue), figure_(figure), to_the_end_(to_the_end) {}

    std::string operator()() const {
        const auto result = model::run(*scenario_, catalogue_);
        const model::Verdict& verdict = result->verdict();
        if (verdict.kind >= model::VerdictKind::lost_wakeup) {
            throw std::runtime_error(fmt::format("{}: {}", model::to_string(verdict.kind), verdict.text));
        }
        double operations = 0;
        for (const model::ThreadResult& thread : result->threads) {
            if (to_the_end_ && !thread.finished) {
                throw std::runtime_error(
                    fmt::format("{} has not done its share in {} ms", thread.name, result->simulated_ns / 1e6));
            }
            operations += static_cast<double>(thread.operations);
        }
        const double time = to_the_end_ ? result->simulated_ns : result->window_ns;
        const double value = figure_ == Figure::mops_per_s ? operations / time * 1e3 : time / operations;
        return fmt::format("{} {}", value, result->host_seconds);
    }

private:
    std::shared_ptr<const model::Scenario> scenario_;
    const model::Catalogue& catalogue_;
    Figure figure_;
    bool to_the_end_;
};

class Preparation {
public:
    Preparation(const PublishedSet& set, const model::Catalogue& catalogue, const PrepareOptions& options)
        : set_(set), catalogue_(catalogue), options_(options) {
        Validation& found = prepared_.validation;
        found.name = set.name;
        found.title = set.title;
        found.source = set.source;
        found.machine = set.machine;
        found.fitted = set.fitted;
        found.by_excess = set.figure == Figure::ns_per_operation;
        found.unit = set.figure == Figure::ns_per_operation ? "ns" : "M/s";
    }

    void add(const PublishedLock& lock, const PublishedWorkload& workload, const PublishedTable* table) {
        if (!lock.only.empty() && !has(lock.only, workload.name)) { return; }
        Curve& curve = prepared_.validation.curves.emplace_back();
        curve.lock = lock.name;
        curve.workload = workload.name;
        curve.why = lock.why;
        const bool fitted = has(lock.fit, workload.name) || has(lock.fit, "*") || set_.fitted;
        curve.counting = fitted ? Counting::fit : Counting::counted;
        for (const InlinePoint& point : published_points(set_, lock, workload, table)) {
            if (!is_wanted(point.threads)) { continue; }
            add_point(lock, workload, point, fitted);
        }
    }

    PreparedSet take() { return std::move(prepared_); }

private:
    bool is_wanted(std::int32_t threads) const {
        if (options_.quick && !set_.quick.empty()) { return has(set_.quick, threads); }
        return set_.threads.empty() || has(set_.threads, threads);
    }

    void add_point(const PublishedLock& lock, const PublishedWorkload& workload, const InlinePoint& given,
                   bool fitted) {
        Point point;
        point.lock = lock.name;
        point.workload = workload.name;
        point.threads = given.threads;
        point.published = given.value;
        point.is_rate = set_.figure == Figure::mops_per_s;
        const bool shown = given.threads < set_.least_threads || has(lock.dropped, given.threads);
        point.counting = fitted ? Counting::fit : shown ? Counting::shown : Counting::counted;
        point.at = {.published = point.time_of(given.value),
                    .critical = sim::to_nanoseconds(workload.critical),
                    .outside = sim::to_nanoseconds(workload.outside),
                    .overhead = sim::to_nanoseconds(set_.overhead),
                    .threads = static_cast<double>(given.threads)};
        auto scenario = std::make_shared<const model::Scenario>(loaded(lock, workload, given.threads));
        for (const model::LockConfig& each : scenario->locks) { point.lock_types.push_back(each.type); }
        prepared_.jobs.push_back(
            {.label = fmt::format("{}: {}{}, {} threads", set_.name, lock.name,
                                  workload.name.empty() ? "" : " " + workload.name, given.threads),
             .weight = 10.0 + given.threads,
             .work = Experiment(std::move(scenario), catalogue_, set_.figure, set_.operations > 0)});
        prepared_.validation.points.push_back(std::move(point));
    }

    model::Scenario loaded(const PublishedLock& lock, const PublishedWorkload& workload, std::int32_t threads) const {
        model::LoadOptions load;
        load.configs_dir = options_.configs;
        load.sets = {"machine.preset=" + set_.machine};
        load.sets.insert(load.sets.end(), workload.set.begin(), workload.set.end());
        load.sets.insert(load.sets.end(), lock.set.begin(), lock.set.end());
        load.sets.push_back(fmt::format("groups.threads.count={}", threads));
        if (set_.operations > 0) {
            load.sets.push_back(
                fmt::format("groups.threads.iterations={}", std::max(least_iterations, set_.operations / threads)));
        }
        load.sets.insert(load.sets.end(), options_.sets.begin(), options_.sets.end());
        load.variant = lock.variant.empty() ? workload.variant : lock.variant;
        const std::string& scenario = lock.scenario.empty() ? set_.scenario : lock.scenario;
        return model::load_scenario(scenario_path(scenario), catalogue_, load).front();
    }

    std::string scenario_path(const std::string& scenario) const {
        const fs::path beside = fs::path(set_.file).parent_path() / scenario;
        std::error_code error;
        return fs::exists(beside, error) ? beside.string() : short_path(options_.configs + "/" + scenario);
    }

    const PublishedSet& set_;
    const model::Catalogue& catalogue_;
    const PrepareOptions& options_;
    PreparedSet prepared_;
};

/// "123.4 0.02", as Experiment writes it.
void take_result(Point& point, const PoolResult& result) {
    point.problem = result.problem;
    if (!result.finished) { return; }
    double value = 0;
    const char* const end = result.text.data() + result.text.size();
    const auto parsed = std::from_chars(result.text.data(), end, value);
    std::from_chars(std::min(parsed.ptr + 1, end), end, point.host_seconds);
    point.simulated = value;
}

}  // namespace

PreparedSet prepare_curves(const PublishedSet& set, const std::vector<Tolerance>& tolerances,
                           const model::Catalogue& catalogue, const PrepareOptions& options) {
    std::optional<PublishedTable> table;
    if (!set.table.empty()) { table = PublishedTable::read((fs::path(set.file).parent_path() / set.table).string()); }
    Preparation preparation(set, catalogue, options);
    for (const PublishedWorkload& workload : set.workloads) {
        for (const PublishedLock& lock : set.locks) { preparation.add(lock, workload, table ? &*table : nullptr); }
    }
    PreparedSet prepared = preparation.take();
    std::vector<Tolerance> own;
    std::copy_if(tolerances.begin(), tolerances.end(), std::back_inserter(own), [&set](const Tolerance& each) {
        return each.applies_to(set.name) && each.criterion != band_criterion;
    });
    check_criteria(own);
    prepared.finish = [own](Validation& found, const std::vector<PoolResult>& results) {
        for (std::size_t i = 0; i < results.size(); ++i) { take_result(found.points[i], results[i]); }
        judge_curves(found, own);
    };
    return prepared;
}

}  // namespace locksim
