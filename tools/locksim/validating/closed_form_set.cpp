#include "tools/locksim/validating/closed_form_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <set>
#include <stdexcept>

#include "model/scenario/reading/loader.hpp"
#include "model/scenario/running/runner.hpp"
#include "tools/locksim/configs.hpp"
#include "tools/locksim/validating/closed_forms.hpp"
#include "tools/locksim/validating/judging.hpp"

namespace locksim {

namespace {

using Sets = std::vector<std::string>;

/// An instruction takes 0.1 ns and S is 1 us: what a lock adds to S stays below 5 ns. Beside that, standard errors of
/// the mean over seeds: once in 16,000 a sound model fails.
constexpr double model_tolerance = 0.005;
constexpr double standard_errors = 4;

/// A result beside what a formula says, and how far apart they may be.
struct Outcome {
    double predicted = 0, measured = 0;
    double allowed = model_tolerance;  ///< relative
};

/// Runs the scenario with changes.
class Bench {
public:
    Bench(const model::Catalogue& catalogue, const PrepareOptions& options)
        : catalogue_(catalogue),
          options_(options),
          file_(short_path(options.configs + "/scenarios/closed-forms.toml")) {}

    void check() const { load("base", {}); }

    model::RunResult run(const std::string& variant, const Sets& sets, std::uint64_t seed = 1) const {
        model::LoadOptions load_options = options_for(variant, sets);
        load_options.seed = seed;
        return *model::run(model::load_scenario(file_, catalogue_, load_options).front(), catalogue_);
    }

    /// Mean of `measure` over seeds against `predicted`.
    Outcome over_seeds(const std::string& variant, const Sets& sets, double predicted,
                       const std::function<double(const model::RunResult&)>& measure) const {
        constexpr int seeds = 8;
        double sum = 0, squares = 0;
        for (int seed = 1; seed <= seeds; ++seed) {
            const double value = measure(run(variant, sets, static_cast<std::uint64_t>(seed)));
            sum += value;
            squares += value * value;
        }
        const double mean = sum / seeds;
        const double variance = std::max(0.0, (squares - seeds * mean * mean) / (seeds - 1));
        return {predicted, mean, model_tolerance + standard_errors * std::sqrt(variance / seeds) / mean};
    }

private:
    model::LoadOptions options_for(const std::string& variant, const Sets& sets) const {
        model::LoadOptions load;
        load.configs_dir = options_.configs;
        load.sets = sets;
        load.sets.insert(load.sets.end(), options_.sets.begin(), options_.sets.end());
        load.variant = variant;
        return load;
    }
    void load(const std::string& variant, const Sets& sets) const {
        model::load_scenario(file_, catalogue_, options_for(variant, sets));
    }

    const model::Catalogue& catalogue_;
    PrepareOptions options_;
    std::string file_;
};

/// A formula in one situation.
struct Form {
    std::string name;  ///< "D3 exponential S and Z"
    std::string lock;
    int threads = 0;
    bool quick = false;  ///< also with --quick
    std::function<Outcome(const Bench&)> run;
};

double throughput(const model::RunResult& run) {  // per us
    return static_cast<double>(run.locks[0].acquisitions) / (run.window_ns / 1e3);
}
double response(const model::RunResult& run) {  // us
    return (run.locks[0].wait_ns.mean + run.locks[0].hold_ns.mean) / 1e3;
}

Sets situation(const std::string& lock, int n, const std::string& s, const std::string& z) {
    return {"locks.lock.type=" + lock, fmt::format("groups.threads.count={}", n), "groups.threads.program.1.work=" + s,
            "groups.threads.program.3.think=" + z};
}
std::string us(double value) { return fmt::format("{}us", value); }
std::string exp_us(double value) { return fmt::format("exp({}us)", value); }

void add_bounds(std::vector<Form>& forms) {
    for (const char* lock : {"ticket", "mcs", "clh"}) {
        for (const int n : {1, 4, 8, 32}) {
            for (const double z : {0.0, 5.0}) {
                const auto run = [lock, n, z](const Bench& bench) {
                    const auto result = bench.run("base", situation(lock, n, "1us", us(z)));
                    return Outcome{closed_forms::bound(n, z, 1), throughput(result)};
                };
                forms.push_back({fmt::format("D1 bound, Z = {} us", z), lock, n, n == 8, run});
            }
        }
    }
}

void add_little(std::vector<Form>& forms) {
    for (const char* lock : {"ticket", "mcs", "ttas"}) {
        const int n = 8;
        const auto run = [lock](const Bench& bench) {
            Sets sets = situation(lock, n, exp_us(1), us(5));
            sets.emplace_back("duration=100ms");
            const auto result = bench.run("base", sets);
            constexpr double exact = 0.001;
            return Outcome{n, throughput(result) * (response(result) + 5), exact};
        };
        forms.push_back({"D2 Little: N = X (R + Z)", lock, n, true, run});
    }
}

void add_queues(std::vector<Form>& forms) {
    struct Case {
        int n;
        double z;
    };
    for (const char* lock : {"ticket", "mcs", "ttas"}) {
        for (const Case& at : {Case{2, 1}, Case{4, 5}, Case{6, 5}, Case{8, 5}}) {
            const bool quick = at.n == 8;
            const auto against = [lock, at](const std::string& s, double predicted) {
                return [=](const Bench& bench) {
                    return bench.over_seeds("base", situation(lock, at.n, s, exp_us(at.z)), predicted, throughput);
                };
            };
            forms.push_back({fmt::format("D3 exponential S, Z = {} us", at.z), lock, at.n, quick,
                             against(exp_us(1), closed_forms::utilization_exponential(at.n, at.z, 1))});
            forms.push_back({fmt::format("D4 constant S, Z = {} us", at.z), lock, at.n, quick,
                             against("1us", closed_forms::utilization(at.n, at.z, 1, closed_forms::phi_constant))});
            forms.push_back(
                {fmt::format("D4 uniform S, Z = {} us", at.z), lock, at.n, quick,
                 against("uniform(0us, 2us)", closed_forms::utilization(at.n, at.z, 1, closed_forms::phi_uniform))});
        }
    }
}

double hand_over(const model::RunResult& run) { return run.locks[0].handover_ns.mean; }

/// h(n) = h0 + c n: what 8 and 32 threads say about 16.
void add_ticket(std::vector<Form>& forms) {
    const auto at = [](const Bench& bench, int n) {
        return hand_over(bench.run("lines", {fmt::format("groups.threads.count={}", n), "machine.discipline=fifo"}));
    };
    forms.push_back({"D5 ticket's hand-over is linear in N", "ticket", 16, true, [at](const Bench& bench) {
                         const double few = at(bench, 8);
                         constexpr double linear = 0.05;
                         return Outcome{few + (at(bench, 32) - few) / 3, at(bench, 16), linear};
                     }});
}

void add_random_winner(std::vector<Form>& forms) {
    for (const int n : {4, 8, 16}) {
        const Sets sets{"locks.lock.type=tas", fmt::format("groups.threads.count={}", n)};
        const auto quantile = [sets, n](double still_waiting, double model::LockResult::*figure) {
            return [=](const Bench& bench) {
                const double predicted = closed_forms::hand_overs_random(n, still_waiting);
                Outcome outcome = bench.over_seeds(
                    "lines", sets, predicted, [figure](const model::RunResult& run) { return run.locks[0].*figure; });
                outcome.allowed += 0.5 / predicted + 0.05;  // whole numbers; the histogram's last places
                return outcome;
            };
        };
        forms.push_back({"D7 random winner: half are back after", "tas", n, n == 8,
                         quantile(0.5, &model::LockResult::reacquire_p50)});
        forms.push_back({"D7 random winner: 99 % are back after", "tas", n, n == 8,
                         quantile(0.01, &model::LockResult::reacquire_p99)});
        forms.push_back({"D8 Jain's index, random winner", "tas", n, n == 8, [sets, n](const Bench& bench) {
                             // (1 - J) M / (n - 1), which is (n - 2) / n: nobody wins twice in a row.
                             return bench.over_seeds("lines", sets, (n - 2.0) / n, [n](const model::RunResult& run) {
                                 const auto m = static_cast<double>(run.locks[0].acquisitions);
                                 return (1 - run.locks[0].jain.value_or(0)) * m / (n - 1);
                             });
                         }});
        forms.push_back({"D8 Jain's index, FIFO", "ticket", n, n == 8, [n](const Bench& bench) {
                             const auto run = bench.run("lines", {fmt::format("groups.threads.count={}", n)});
                             constexpr double nearly = 1e-4;  // shares of q and q + 1
                             return Outcome{1, run.locks[0].jain.value_or(0), nearly};
                         }});
    }
}

/// h = (B h_local + h_remote) / (B + 1): what B = 1 and B = 31 say about others.
void add_cohorts(std::vector<Form>& forms) {
    for (const int bound : {3, 7}) {
        forms.push_back({fmt::format("D9 {} hand-overs in the node, one across", bound), "hticket", 40, bound == 7,
                         [bound](const Bench& bench) {
                             const auto at = [&bench](int b) {
                                 return hand_over(bench.run("nodes", {"locks.lock.type=hticket",
                                                                      fmt::format("locks.lock.hticket.bound={}", b)}));
                             };
                             constexpr int few = 1, many = 31;
                             const double h_few = at(few), h_many = at(many);
                             const double across = (h_few - h_many) / (1.0 / (few + 1) - 1.0 / (many + 1));
                             const double local = h_few - across / (few + 1);
                             constexpr double linear = 0.05;
                             return Outcome{local + across / (bound + 1), at(bound), linear};
                         }});
    }
}

void add_two_speeds(std::vector<Form>& forms) {
    for (const char* lock : {"ticket", "mcs"}) {
        forms.push_back({"D10 two speeds: all at the pace of the sum", lock, 8, true, [lock](const Bench& bench) {
                             const auto run = bench.run("two-speeds", {std::string("locks.lock.type=") + lock});
                             return Outcome{closed_forms::two_speeds(4, 1, 4, 2), throughput(run)};
                         }});
    }
}

/// Of n readers that come at once and share a server the k-th is done after k c: c (n + 1) / 2 in the mean. One more
/// reader has fetched the line for them from its owner.
void add_readers(std::vector<Form>& forms) {
    for (const int n : {4, 16, 48}) {
        forms.push_back({"D12 readers one after another: mean finish", "", n, n == 16, [n](const Bench& bench) {
                             constexpr double service = 10;  // ns
                             const auto run = bench.run("readers", {fmt::format("groups.threads.count={}", n + 1)});
                             std::vector<double> ends;
                             for (const model::ThreadResult& thread : run.threads) {
                                 ends.push_back(thread.finished_at_ns);
                             }
                             std::sort(ends.begin(), ends.end());
                             double sum = 0;
                             for (auto end = ends.begin() + 1; end != ends.end(); ++end) { sum += *end; }
                             return Outcome{service * (n + 1) / 2, sum / n - (ends[1] - service)};
                         }});
    }
}

std::vector<Form> all_forms() {
    std::vector<Form> forms;
    add_bounds(forms);
    add_little(forms);
    add_queues(forms);
    add_ticket(forms);
    add_random_winner(forms);
    add_cohorts(forms);
    add_two_speeds(forms);
    add_readers(forms);
    return forms;
}

std::string family(const std::string& name) { return name.substr(0, name.find(' ')); }

void take_result(Point& point, const PoolResult& result) {
    point.problem = result.problem;
    if (!result.finished) { return; }
    double predicted = 0, measured = 0, allowed = 0;
    if (std::sscanf(result.text.c_str(), "%lf %lf %lf", &predicted, &measured, &allowed) != 3) { return; }
    point.published = point.at.published = predicted;
    point.simulated = measured;
    point.allowed_error = allowed;
}

/// One criterion for each of D1 to D12: all its points as near as they must be.
Criterion judged_family(const Validation& found, const std::string& which) {
    Criterion criterion;
    criterion.text = which;
    criterion.limit = 1;
    double worst = 0;
    std::size_t n = 0, within = 0;
    for (const Point& point : found.points) {
        if (family(point.workload) != which || !point.simulated) { continue; }
        const double off = std::abs(*point.ratio() - 1) / *point.allowed_error;
        worst = std::max(worst, off);
        within += off <= 1 ? 1 : 0;
        ++n;
    }
    if (n == 0) {
        criterion.why = "no point has a result";
        return criterion;
    }
    criterion.value = worst;
    criterion.holds = within == n;
    criterion.shown =
        fmt::format("{} of {} within what the formula allows; the worst uses {:.0f} % of it", within, n, worst * 100);
    return criterion;
}

void judge(Validation& found) {
    summarise_points(found);
    std::set<std::string> done;
    for (const Point& point : found.points) {
        const std::string which = family(point.workload);
        if (done.insert(which).second) { found.criteria.push_back(judged_family(found, which)); }
    }
    const auto open = [&found](const char* text, const char* why) {
        Criterion criterion;
        criterion.text = text;
        criterion.why = why;
        found.criteria.push_back(criterion);
    };
    open("D6 collapse of a ticket lock (Boyd-Wickizer and others 2012)",
         "needs service times that are exponential and grow with the number of waiters");
    open("D11 more threads than CPUs", "needs tasks");
}

}  // namespace

PreparedSet prepare_closed_forms(const model::Catalogue& catalogue, const PrepareOptions& options) {
    const auto bench = std::make_shared<Bench>(catalogue, options);
    bench->check();
    PreparedSet prepared;
    Validation& found = prepared.validation;
    found.name = closed_forms_name;
    found.title = "what follows by arithmetic";
    found.source = "queueing theory and algebra; formulas in tools/locksim/validating/closed_forms.hpp";
    found.machine = "ideal";
    for (const Form& form : all_forms()) {
        if (options.quick && !form.quick) { continue; }
        Point point;
        point.lock = form.lock;
        point.workload = form.name;
        point.threads = form.threads;
        found.points.push_back(point);
        prepared.jobs.push_back({.label = fmt::format("{}: {}, {} {}", found.name, form.name, form.lock, form.threads),
                                 .weight = 40,
                                 .work = [form, bench] {
                                     const Outcome outcome = form.run(*bench);
                                     return fmt::format("{} {} {}", outcome.predicted, outcome.measured,
                                                        outcome.allowed);
                                 }});
    }
    prepared.finish = [](Validation& all, const std::vector<PoolResult>& results) {
        for (std::size_t i = 0; i < results.size(); ++i) { take_result(all.points[i], results[i]); }
        judge(all);
    };
    return prepared;
}

}  // namespace locksim
