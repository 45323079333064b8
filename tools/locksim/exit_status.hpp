#pragma once
// What the command hands to its caller, and the exceptions that lead there. An exit status is part of the
// interface: scripts and CI jobs branch on it.

#include <stdexcept>

namespace locksim {

enum class ExitStatus {
    ok = 0,             ///< ran, and every expectation held
    unexpected = 1,     ///< ran, but an expectation failed; without expectations: the verdict is not ok
    bad_input = 2,      ///< usage, configuration, a file that cannot be read
    internal = 3,       ///< the simulator caught itself
    not_written = 4,    ///< a result could not be written
    interrupted = 130,  ///< SIGINT or SIGTERM; what was finished is kept
};

/// A mistake of the user's outside of configuration files (those are model::ConfigError): exit 2.
class InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A result could not be written: exit 4.
class OutputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Whoever read the output has gone (`locksim ... | head`): no error, but no reason to go on either.
class ClosedPipe : public std::runtime_error {
public:
    ClosedPipe() : std::runtime_error("closed pipe") {}
};

}  // namespace locksim
