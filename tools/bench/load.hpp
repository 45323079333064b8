#pragma once
// A simulated machine under a load that never ends, run slice by slice: what hits, misses and acquisitions are measured
// on. The machine is a 48-thread server's (configs/machines has measured ones; here only the kind of work counts).

#include <cstdint>
#include <memory>
#include <vector>

#include "locks/ticket.hpp"
#include "model/machine/machine.hpp"
#include "tools/bench/effort.hpp"

namespace bench {

/// In so many cache domains of about the same size; at most one a CPU.
model::MachineConfig server(std::int32_t cpus, std::int32_t domains = 1);

/// One simulated CPU's part of the load.
struct alignas(64) Worker {
    smp::Atomic<std::uint32_t>* word = nullptr;
    std::int32_t cpus = 0;  ///< at work in this load
    locks::TicketSpinlock* lock = nullptr;
    std::uint64_t units = 0;  ///< done so far
};

// What a worker does, forever. A unit is an access or an acquisition.
void load_forever(void* worker);
void store_forever(void* worker);
void store_once_visible(void* worker);  ///< stores forever, from when the first store is visible
void add_forever(void* worker);
void acquire_forever(void* worker);
void park(void* worker);                       ///< spins on a word that nobody changes
void read_and_leave(void* worker);             ///< reads the word once, and its CPU is idle from then on
void change_when_all_have_read(void* worker);  ///< a unit is a change
void read_changes(void* worker);               ///< spins until the word has changed; counts nothing

class Load {
public:
    /// So many CPUs that do the same.
    struct Group {
        model::Context::Body body = nullptr;
        std::int32_t cpus = 1;
        bool on_another_line = false;
    };
    struct Plan {
        model::MachineConfig machine;
        bool spin_elision = true;
        std::vector<Group> groups;  ///< from CPU 0 on; CPUs beyond them are idle
    };
    /// Totals over the samples.
    struct Counts {
        std::uint64_t units = 0, events = 0, steps = 0, switches = 0, accesses = 0, transfers = 0;
        void add(const Counts& later, const Counts& earlier);
    };

    /// Warms up, and finds out how much simulated time makes a sample.
    Load(const Plan& plan, const Effort& effort);

    /// Host ns of one slice, and what it did.
    double slice(Counts& total);
    /// One sample: ns per unit.
    double sample_units() { return sample(&Counts::units); }
    /// One sample: ns per line transfer.
    double sample_transfers() { return sample(&Counts::transfers); }
    const Counts& counts() const { return counts_; }

private:
    void warm_up(const Effort& effort);
    double sample(std::uint64_t Counts::*unit);
    Counts now();

    model::Machine machine_;
    std::vector<Worker> workers_;
    sim::Time until_{};
    sim::Time slice_ = sim::microseconds(1);
    Counts counts_;
};

}  // namespace bench
