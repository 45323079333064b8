#pragma once
// The benchmarks by name. Adding one: a function in its file, a line in benches.cpp.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/bench/effort.hpp"
#include "tools/bench/row.hpp"

namespace bench {

struct Request {
    std::string filter;              ///< part of the name; empty: all
    std::vector<std::int32_t> cpus;  ///< empty: those of the benchmark
    Effort effort;
};

std::vector<Row> run_benches(const Request& request);
const std::vector<std::string>& bench_names();

// One row each.
Row measure_switch(std::int32_t cpus, const Effort& effort);
Row measure_hit_load(std::int32_t cpus, const Effort& effort);
Row measure_hit_store(std::int32_t cpus, const Effort& effort);
Row measure_hit_store_buffered(std::int32_t cpus, const Effort& effort);
Row measure_miss(std::int32_t cpus, const Effort& effort);
Row measure_miss_store(std::int32_t cpus, const Effort& effort);
Row measure_miss_buffered(std::int32_t cpus, const Effort& effort);
Row measure_miss_store_buffered(std::int32_t cpus, const Effort& effort);
Row measure_miss_domains(std::int32_t cpus, const Effort& effort);
Row measure_miss_readers(std::int32_t cpus, const Effort& effort);
Row measure_miss_beside_idle(std::int32_t cpus, const Effort& effort);
Row measure_miss_beside_waiters(std::int32_t cpus, const Effort& effort);
Row measure_miss_beside_sharers(std::int32_t cpus, const Effort& effort);
Row measure_spin_wait_100(std::int32_t cpus, const Effort& effort);
Row measure_spin_wait_10000(std::int32_t cpus, const Effort& effort);
Row measure_spin_wait_1000000(std::int32_t cpus, const Effort& effort);
Row measure_acquire(std::int32_t cpus, const Effort& effort);
Row measure_acquire_polling(std::int32_t cpus, const Effort& effort);
Row measure_start(std::int32_t cpus, const Effort& effort);
Row measure_memory(std::int32_t cpus, const Effort& effort);

}  // namespace bench
