#include "tools/locksim/interrupt.hpp"

namespace locksim {

namespace {

volatile std::sig_atomic_t signal_came = 0;

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

extern "C" void note_interrupt(int) {
    signal_came = 1;
    for (const int number : signals) {
        struct sigaction action {};
        sigaction(number, nullptr, &action);
        if (action.sa_handler == note_interrupt) { std::signal(number, SIG_DFL); }
    }
}

}  // namespace

InterruptGuard::InterruptGuard() {
    signal_came = 0;
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < signals.size(); ++i) {
        sigaction(signals[i], nullptr, &old_[i]);
        // What the caller has told us to ignore (nohup, a background job) stays ignored.
        if (old_[i].sa_handler != SIG_IGN) { sigaction(signals[i], &action, nullptr); }
    }
}

InterruptGuard::~InterruptGuard() {
    for (std::size_t i = 0; i < signals.size(); ++i) { sigaction(signals[i], &old_[i], nullptr); }
}

InterruptsHeld::InterruptsHeld() {
    sigset_t held;
    sigemptyset(&held);
    for (const int number : signals) { sigaddset(&held, number); }
    sigprocmask(SIG_BLOCK, &held, &before_);
}

InterruptsHeld::~InterruptsHeld() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

bool interrupted() { return signal_came != 0; }

}  // namespace locksim
