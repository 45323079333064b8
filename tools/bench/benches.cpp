// See benches.hpp.

#include "tools/bench/benches.hpp"

namespace bench {

namespace {

struct Bench {
    const char* name;
    std::vector<std::int32_t> cpus;
    bool any_cpus;  // the user may choose other numbers of CPUs
    Row (*measure)(std::int32_t cpus, const Effort& effort);
};

const std::vector<Bench>& benches() {
    static const std::vector<std::int32_t> ladder{2, 8, 64, 256, 1024};
    static const std::vector<std::int32_t> long_ladder{2, 8, 64, 256, 1024, 4096};
    static const std::vector<Bench> all{
        {"switch", long_ladder, true, measure_switch},
        {"hit_load", {1, 8}, false, measure_hit_load},
        {"hit_store", {1, 8}, false, measure_hit_store},
        {"hit_store_buffered", {1, 8}, false, measure_hit_store_buffered},
        {"miss", long_ladder, true, measure_miss},
        {"miss_store", ladder, true, measure_miss_store},
        {"miss_buffered", {8, 64, 1024}, true, measure_miss_buffered},
        {"miss_store_buffered", {8, 64, 1024}, true, measure_miss_store_buffered},
        {"miss_domains", {8, 64, 1024}, true, measure_miss_domains},
        {"miss_readers", {8, 64, 1024}, true, measure_miss_readers},
        {"miss_beside_idle", {64, 1024, 4096}, true, measure_miss_beside_idle},
        {"miss_beside_waiters", {64, 1024, 4096}, true, measure_miss_beside_waiters},
        {"miss_beside_sharers", {64, 1024, 4096}, true, measure_miss_beside_sharers},
        {"spin_wait_100", {2}, false, measure_spin_wait_100},
        {"spin_wait_10000", {2}, false, measure_spin_wait_10000},
        {"spin_wait_1000000", {2}, false, measure_spin_wait_1000000},
        {"acquire", ladder, true, measure_acquire},
        {"acquire_polling", {8, 64}, true, measure_acquire_polling},
        {"start", {2, 1024, 4096}, true, measure_start},
        {"memory_per_cpu", {256, 1024, 4096}, true, measure_memory},
    };
    return all;
}

}  // namespace

std::vector<Row> run_benches(const Request& request) {
    std::vector<Row> rows;
    for (const Bench& bench : benches()) {
        if (std::string(bench.name).find(request.filter) == std::string::npos) { continue; }
        for (const std::int32_t cpus : bench.any_cpus && !request.cpus.empty() ? request.cpus : bench.cpus) {
            Row row = bench.measure(cpus, request.effort);
            row.name = bench.name;
            row.cpus = cpus;
            rows.push_back(row);
        }
    }
    return rows;
}

const std::vector<std::string>& bench_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result;
        for (const Bench& bench : benches()) { result.emplace_back(bench.name); }
        return result;
    }();
    return names;
}

}  // namespace bench
