// Names of the verdicts. What leads to each is judged in model/scenario/judging/judgement.cpp.

#include "model/metrics/run_result.hpp"

namespace model {

const std::vector<std::string>& verdict_names() {
    static const std::vector<std::string> names{"ok",       "starvation",       "livelock",          "lost_wakeup",
                                                "deadlock", "invariant_broken", "exclusion_violated"};
    return names;
}

const char* to_string(VerdictKind kind) { return verdict_names()[static_cast<std::size_t>(kind)].c_str(); }

}  // namespace model
