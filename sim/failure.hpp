#pragma once
// The simulator caught itself: an internal check failed, a run stopped making steps, a stack overflowed. The
// command turns this into exit status 3. Never thrown on a fiber other than the main one: Engine::fail carries
// the message there.

#include <stdexcept>
#include <string>

namespace sim {

class InternalError : public std::runtime_error {
public:
    explicit InternalError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace sim
