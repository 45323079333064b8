#pragma once
// Ctrl-C while work goes on: the first signal asks it to end, the second one ends the process.

#include <array>
#include <csignal>
#include <stdexcept>

namespace locksim {

/// While it lives, SIGINT, SIGTERM and SIGHUP are noted; after the first one they have their default effect again.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

private:
    std::array<struct sigaction, 3> old_{};
};

/// While it lives, these signals wait: for what must not be left half done, such as renaming a result into place.
class InterruptsHeld {
public:
    InterruptsHeld();
    ~InterruptsHeld();
    InterruptsHeld(const InterruptsHeld&) = delete;
    InterruptsHeld& operator=(const InterruptsHeld&) = delete;

private:
    sigset_t before_{};
};

/// Thrown where interrupted work leaves nothing to report: exit 130.
class Interrupted : public std::runtime_error {
public:
    Interrupted() : std::runtime_error("interrupted") {}
};

/// Whether a signal came since the last guard was made.
bool interrupted();

}  // namespace locksim
