// See crash_report.hpp.

#include "sim/crash_report.hpp"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sim/failure.hpp"

namespace sim {

namespace {

struct Active {
    const StackPool* stacks = nullptr;
    const Engine* engine = nullptr;
    CrashReport::Describe describe = nullptr;
    const void* model = nullptr;
    std::uint64_t steps_seen = 0;
    int idle_seconds = 0;
    struct sigaction old_segv {
    }, old_bus{}, old_alarm{};
    stack_t old_stack{};
};
Active active;
alignas(16) char signal_stack[64 * 1024];

[[noreturn]] void die(const char* what, long index) {
    char who[256] = "";
    active.describe(active.model, index, who, sizeof who);
    char line[512];
    const int n = std::snprintf(line, sizeof line, "locksim: %s in %s\n", what, who);
    if (n > 0 && write(STDERR_FILENO, line, std::strlen(line)) < 0) { _exit(3); }
    _exit(3);
}

void on_fault(int, siginfo_t* info, void*) {
    const long guard = active.stacks->guard_hit(reinterpret_cast<std::uintptr_t>(info->si_addr));
    if (guard >= 0) { die("stack overflow", guard); }
    die("invalid memory access", -1);
}

void on_alarm(int) {
    const std::uint64_t steps = active.engine->steps();
    active.idle_seconds = steps == active.steps_seen ? active.idle_seconds + 1 : 0;
    active.steps_seen = steps;
    if (active.idle_seconds >= CrashReport::seconds_without_step) { die("10 s without a step", -1); }
}

}  // namespace

CrashReport::CrashReport(const StackPool& stacks, const Engine& engine, Describe describe, const void* model) {
    if (active.engine != nullptr) { throw InternalError("two simulations at a time in one process"); }
    active = Active{};
    active.stacks = &stacks;
    active.engine = &engine;
    active.describe = describe;
    active.model = model;

    stack_t alternate{};
    alternate.ss_sp = signal_stack;
    alternate.ss_size = sizeof signal_stack;
    sigaltstack(&alternate, &active.old_stack);

    struct sigaction fault {};
    fault.sa_sigaction = on_fault;
    fault.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &fault, &active.old_segv);
    sigaction(SIGBUS, &fault, &active.old_bus);

    struct sigaction alarm {};
    alarm.sa_handler = on_alarm;
    alarm.sa_flags = SA_RESTART | SA_ONSTACK;
    sigaction(SIGALRM, &alarm, &active.old_alarm);
    const itimerval every_second{{1, 0}, {1, 0}};
    setitimer(ITIMER_REAL, &every_second, nullptr);
}

CrashReport::~CrashReport() {
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &active.old_alarm, nullptr);
    sigaction(SIGSEGV, &active.old_segv, nullptr);
    sigaction(SIGBUS, &active.old_bus, nullptr);
    sigaltstack(&active.old_stack, nullptr);
    active = Active{};
}

}  // namespace sim
