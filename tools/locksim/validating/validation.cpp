#include "tools/locksim/validating/validation.hpp"

#include <algorithm>

namespace locksim {

const char* to_string(Counting counting) {
    switch (counting) {
        case Counting::counted: return "counted";
        case Counting::fit: return "fit";
        case Counting::shown: return "shown";
    }
    return "";
}

std::optional<double> Point::ratio() const { return simulated ? std::optional(*simulated / published) : std::nullopt; }

std::size_t Validation::counted() const {
    return static_cast<std::size_t>(std::count_if(points.begin(), points.end(), [](const Point& point) {
        return point.counts() && point.simulated.has_value();
    }));
}

std::optional<bool> Validation::holds() const {
    if (fitted) { return std::nullopt; }
    if (!problems.empty()) { return false; }
    bool judged = false;
    for (const Criterion& criterion : criteria) {
        if (criterion.holds && !*criterion.holds) { return false; }
        judged = judged || criterion.holds.has_value();
    }
    for (const Point& point : points) {
        if (!point.problem.empty()) { return false; }
    }
    return judged && complete ? std::optional(true) : std::nullopt;
}

}  // namespace locksim
