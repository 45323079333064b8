#pragma once
// Ctrl-C while runs go on: the first signal asks them to end, the second one ends the process.

#include <csignal>

namespace locksim {

/// While it lives, SIGINT and SIGTERM are noted; after the first one both have their default effect again.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

private:
    struct sigaction old_int_ {
    }, old_term_{};
};

/// Whether a signal came since the last guard was made.
bool interrupted();

}  // namespace locksim
