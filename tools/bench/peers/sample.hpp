#pragma once
// What the peers' programs share: arguments, and a sample of the host CPU time that their simulation takes once it
// runs. Nothing of locksim is in here.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

namespace peers {

// The work, in cycles of a simulated CPU, as in tools/bench/load.cpp.
constexpr int critical_cycles = 20;
constexpr int think_cycles = 30;
constexpr int poll_cycles = 9;  ///< one look of a spin loop: a hit and cpu_relax()

/// PROGRAM CPUS SECONDS HOW
struct Arguments {
    int cpus = 0;
    double seconds = 0;
    std::string how;
};

inline Arguments arguments(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s CPUS SECONDS HOW\n", argv[0]);
        std::exit(2);
    }
    return {std::atoi(argv[1]), std::atof(argv[2]), argv[3]};
}

/// Counts; prints "ACQUISITIONS ACCESSES NANOSECONDS" and ends the program when the time is over. A first fifth is
/// warm-up and does not count.
class Sample {
public:
    explicit Sample(double seconds) : wanted_ns_(seconds * 1e9), started_ns_(cpu_time_ns()) {}

    void count_access() { ++now_.accesses; }
    void count_acquisition() {
        if (++now_.acquisitions % acquisitions_per_look == 0) { look(); }
    }

private:
    static constexpr std::uint64_t acquisitions_per_look = 64;

    struct Counts {
        std::uint64_t acquisitions = 0;
        std::uint64_t accesses = 0;
    };

    static double cpu_time_ns() {
        timespec t{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
    }

    void look() {
        const double now_ns = cpu_time_ns();
        if (begin_.acquisitions == 0) {
            if (now_ns - started_ns_ < wanted_ns_ / 5) { return; }
            begin_ = now_;
            begin_ns_ = now_ns;
        } else if (now_ns - begin_ns_ >= wanted_ns_) {
            std::printf("%llu %llu %.0f\n", static_cast<unsigned long long>(now_.acquisitions - begin_.acquisitions),
                        static_cast<unsigned long long>(now_.accesses - begin_.accesses), now_ns - begin_ns_);
            std::fflush(stdout);
            std::_Exit(0);
        }
    }

    double wanted_ns_;
    double started_ns_;
    double begin_ns_ = 0;
    Counts now_, begin_;
};

}  // namespace peers
