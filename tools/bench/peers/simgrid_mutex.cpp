// SimGrid: as many actors as CPUs on one mutex, each on a host of its own.
//   sleep    sections are sleep_for(): the cheapest activity that takes time
//   execute  sections are execute(): what a SimGrid model of computing would use
//   bare     no sections: nothing but lock and unlock

#include <simgrid/s4u.hpp>

#include "tools/bench/peers/sample.hpp"

namespace s4u = simgrid::s4u;

int main(int argc, char** argv) {
    s4u::Engine engine(&argc, argv);
    const peers::Arguments arguments = peers::arguments(argc, argv);
    auto* zone = s4u::create_full_zone("machine");
    std::vector<s4u::Host*> cpus;
    for (int n = 0; n < arguments.cpus; ++n) {
        constexpr double flops_per_second = 1;  // a simulated second is a cycle
        cpus.push_back(zone->create_host("cpu" + std::to_string(n), flops_per_second)->seal());
    }
    zone->seal();

    const bool bare = arguments.how == "bare";
    const bool execute = arguments.how == "execute";
    const auto spend = [bare, execute](int cycles) {
        if (bare) { return; }
        if (execute) {
            s4u::this_actor::execute(cycles);
        } else {
            s4u::this_actor::sleep_for(cycles);
        }
    };
    peers::Sample sample(arguments.seconds);
    const s4u::MutexPtr mutex = s4u::Mutex::create();
    for (s4u::Host* cpu : cpus) {
        s4u::Actor::create("worker", cpu, [&] {
            for (;;) {
                mutex->lock();
                spend(peers::critical_cycles);
                sample.count_acquisition();
                mutex->unlock();
                spend(peers::think_cycles);
            }
        });
    }
    engine.run();
    return 1;  // Sample ends the program
}
