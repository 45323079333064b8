#pragma once
// How much is measured, and how figures are taken: in turns with a reference (A B A B), so that both see the same
// hours of the host, and the least of each: what others do on the host only ever adds.

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <vector>

namespace bench {

struct Effort {
    int repeats = 15;          ///< pairs of samples behind a figure
    double sample_ns = 4e6;    ///< host time that one sample should take
    std::int64_t starts = 20;  ///< start-ups in a sample
};

/// CPU time of this process, in nanoseconds: other processes on the host do not count.
inline double cpu_time_ns() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

inline double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

struct Compared {
    double ns = 0;     ///< of the subject: the least of its samples
    double ratio = 0;  ///< of the least to the reference's least
    double reference_ns = 0;
    double median_ratio = 0;  ///< of the pairs: far from `ratio` where the host was disturbed
};

/// `subject` and `reference` take one sample each and return ns per unit.
template <class Subject, class Reference>
Compared compare(const Effort& effort, Subject subject, Reference reference) {
    std::vector<double> subjects, references, ratios;
    for (int n = 0; n < effort.repeats; ++n) {
        references.push_back(reference());
        subjects.push_back(subject());
        ratios.push_back(subjects.back() / references.back());
    }
    const double subject_ns = least(subjects), reference_ns = least(references);
    return {subject_ns, subject_ns / reference_ns, reference_ns, median(ratios)};
}

}  // namespace bench
