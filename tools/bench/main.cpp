// locksim-bench: what the simulator costs the host, as ratios taken in one run. See README.md.

#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>

#include "sim/failure.hpp"
#include "tools/bench/benches.hpp"
#include "tools/bench/peers.hpp"
#include "tools/bench/report.hpp"

namespace {

constexpr const char* peers_missing =
    "tools/bench/peers/run builds those whose packages are installed: libsimgrid-dev, libsystemc-dev";

std::vector<bench::Row> run_peers(const bench::Request& request) {
    const bench::PeersResult result = bench::compare_with_peers({request.filter, request.effort});
    for (const std::string& program : result.missing) {
        std::fprintf(stderr, "locksim-bench: %s is not built; %s\n", program.c_str(), peers_missing);
    }
    return result.rows;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Measures what the simulator costs the host, as ratios taken in one run.", "locksim-bench");
    bench::Request request;
    std::string format = "table";
    bool quick = false, peers = false;
    app.add_option("--format", format, "table or json")->check(CLI::IsMember({"table", "json"}))->capture_default_str();
    app.add_option("--filter", request.filter,
                   "only benchmarks whose name contains this: " + CLI::detail::join(bench::bench_names(), ", "));
    CLI::Option* cpus = app.add_option("--cpus", request.cpus, "numbers of CPUs, such as 8,64 (some have their own)")
                            ->delimiter(',')
                            ->check(CLI::Range(2, 4096));
    app.add_flag("--quick", quick, "tiny samples: shows that it works, not how fast it is");
    app.add_flag("--peers", peers, "compare with other simulators instead (tools/bench/peers/README.md)")
        ->excludes(cpus);
    CLI::Option* repeat = app.add_option("--repeat", request.effort.repeats, "pairs of samples behind each figure")
                              ->check(CLI::Range(1, 1000))
                              ->capture_default_str();
    try {
        app.parse(argc, argv);
        if (peers) {
            request.effort.sample_ns = 1e8;
            if (repeat->count() == 0) { request.effort.repeats = 7; }
        }
        if (quick) {
            request.effort.sample_ns = peers ? 1e7 : 2e5;
            request.effort.starts = 2;
            if (repeat->count() == 0) { request.effort.repeats = 3; }
        }
        const auto rows = peers ? run_peers(request) : bench::run_benches(request);
        if (rows.empty()) {
            std::fprintf(stderr, "locksim-bench: nothing measured%s\n",
                         request.filter.empty() ? "" : (" whose name contains \"" + request.filter + '"').c_str());
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
