// SystemC: as many threads as CPUs poll one ticket lock, two plain words, without any model of memory.
//   poll      every poll is an event: wait(period); sections last as long, in poll periods, as locksim's
//   in_phase  the same, but sections are whole poll periods, so that threads wake at the same instants
//   clock     as in_phase, but threads wait for the edge of one clock: a poll is no timed event of its own any more

#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <memory>
#include <systemc>

#include "tools/bench/peers/sample.hpp"

namespace {

using sc_core::sc_time;

class Machine : public sc_core::sc_module {
public:
    Machine(const sc_core::sc_module_name& name, const peers::Arguments& arguments)
        : sc_module(name), sample_(arguments.seconds) {
        const bool clocked = arguments.how == "clock";
        if (clocked) {
            clock_ = std::make_unique<sc_core::sc_clock>("clock", sc_time(peers::poll_cycles, sc_core::SC_NS));
        }
        const bool in_phase = arguments.how == "in_phase";
        for (int n = 0; n < arguments.cpus; ++n) {
            sc_core::sc_spawn_options options;
            if (clocked) { options.set_sensitivity(&clock_->posedge_event()); }
            sc_core::sc_spawn([this, clocked, in_phase] { clocked ? work_by_clock() : work(in_phase); },
                              sc_core::sc_gen_unique_name("cpu"), &options);
        }
    }

private:
    static constexpr int critical_periods = peers::critical_cycles / peers::poll_cycles;
    static constexpr int think_periods = peers::think_cycles / peers::poll_cycles;

    /// A simulated nanosecond is a cycle.
    void work(bool in_phase) {
        const sc_time poll(peers::poll_cycles, sc_core::SC_NS);
        const sc_time critical = in_phase ? poll * critical_periods : sc_time(peers::critical_cycles, sc_core::SC_NS);
        const sc_time think = in_phase ? poll * think_periods : sc_time(peers::think_cycles, sc_core::SC_NS);
        for (;;) {
            for (const unsigned mine = take(); !is_called(mine);) { wait(poll); }
            wait(critical);
            release();
            wait(think);
        }
    }

    void work_by_clock() {
        for (;;) {
            for (const unsigned mine = take(); !is_called(mine);) { wait(); }
            wait(critical_periods);
            release();
            wait(think_periods);
        }
    }

    unsigned take() {
        sample_.count_access();
        return next_++;
    }
    bool is_called(unsigned mine) {
        sample_.count_access();
        return owner_ == mine;
    }
    void release() {
        sample_.count_access();
        ++owner_;
        sample_.count_acquisition();
    }

    std::unique_ptr<sc_core::sc_clock> clock_;  // where it is not needed its events would only cost time
    peers::Sample sample_;
    unsigned next_ = 0, owner_ = 0;
};

}  // namespace

int sc_main(int argc, char** argv) {
    Machine machine("machine", peers::arguments(argc, argv));
    sc_core::sc_start();
    return 1;  // Sample ends the program
}
