#pragma once
// Checks a text against the Chrome trace-event format, as far as locksim writes it: JSON object format, the fields that
// each phase type requires, order of time, slices that do not overlap, flows that start and end inside slices.

#include <string>
#include <vector>

namespace locksim_test {

/// What is wrong with it, a sentence each; empty: nothing.
std::vector<std::string> faults_of_trace(const std::string& text);

}  // namespace locksim_test
