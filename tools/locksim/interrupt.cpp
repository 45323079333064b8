#include "tools/locksim/interrupt.hpp"

namespace locksim {

namespace {

volatile std::sig_atomic_t signal_came = 0;

extern "C" void note_interrupt(int) {
    signal_came = 1;
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
    signal_came = 0;
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, nullptr, &old_int_);
    sigaction(SIGTERM, nullptr, &old_term_);
    // What the caller has told us to ignore (nohup, a background job) stays ignored.
    if (old_int_.sa_handler != SIG_IGN) { sigaction(SIGINT, &action, nullptr); }
    if (old_term_.sa_handler != SIG_IGN) { sigaction(SIGTERM, &action, nullptr); }
}

InterruptGuard::~InterruptGuard() {
    sigaction(SIGINT, &old_int_, nullptr);
    sigaction(SIGTERM, &old_term_, nullptr);
}

bool interrupted() { return signal_came != 0; }

}  // namespace locksim
