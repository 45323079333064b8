// locksim-bench: what the simulator costs the host, as ratios taken in one run. See README.md.

#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>

#include "sim/failure.hpp"
#include "tools/bench/benches.hpp"
#include "tools/bench/report.hpp"

int main(int argc, char** argv) {
    CLI::App app("Measures what the simulator costs the host, as ratios to a bare switch between fibers.",
                 "locksim-bench");
    bench::Request request;
    std::string format = "table";
    bool quick = false;
    app.add_option("--format", format, "table or json")->check(CLI::IsMember({"table", "json"}))->capture_default_str();
    app.add_option("--filter", request.filter,
                   "only benchmarks whose name contains this: " + CLI::detail::join(bench::bench_names(), ", "));
    app.add_option("--cpus", request.cpus, "numbers of CPUs, such as 8,64 (hits and start have their own)")
        ->delimiter(',')
        ->check(CLI::Range(2, 4096));
    app.add_flag("--quick", quick, "tiny samples: shows that it works, not how fast it is");
    CLI::Option* repeat = app.add_option("--repeat", request.effort.repeats, "pairs of samples behind each figure")
                              ->check(CLI::Range(1, 1000))
                              ->capture_default_str();
    try {
        app.parse(argc, argv);
        if (quick) {
            request.effort.sample_ns = 2e5;
            request.effort.starts = 2;
            if (repeat->count() == 0) { request.effort.repeats = 3; }
        }
        const auto rows = bench::run_benches(request);
        if (rows.empty()) {
            std::fprintf(stderr, "locksim-bench: no benchmark's name contains \"%s\"\n", request.filter.c_str());
            return 2;
        }
        std::fputs((format == "json" ? bench::json(rows) : bench::table(rows)).c_str(), stdout);
        return 0;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const sim::InternalError& error) {
        std::fprintf(stderr, "locksim-bench: %s\n", error.what());
        return 3;
    }
}
