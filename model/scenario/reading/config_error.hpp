#pragma once
// A mistake in what the user wrote, and the help to mend it.

#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/scenario/scenario.hpp"

namespace model {

/// what(): "FILE:LINE: text: what was expected (did you mean ...?)"; without the line where `where.line` is 0.
class ConfigError : public std::runtime_error {
public:
    ConfigError(SourcePosition where, const std::string& message);
    const SourcePosition& position() const { return position_; }

private:
    SourcePosition position_;
};

/// The known name nearest to `name` by edits, or empty if none is near.
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

/// "; did you mean "X"?" where a name is near, else "; there are: A, B" (or ": there is none").
std::string suggestion(const std::string& name, const std::vector<std::string>& known);

/// The names of some things, for the above: names_in(locks, &LockConfig::name).
template <class Range, class Name>
std::vector<std::string> names_in(const Range& range, Name name) {
    std::vector<std::string> names;
    names.reserve(std::size(range));
    for (const auto& each : range) { names.emplace_back(std::invoke(name, each)); }
    return names;
}

}  // namespace model
