// The catalogue: one line a lock, one line a workload. A new one is its own file and a line here.

#include "locks/catalogue.hpp"

namespace locks {

extern const model::LockEntry clh_entry;
extern const model::LockEntry mcs_entry;
extern const model::LockEntry spin_debug_entry;
extern const model::LockEntry tas_entry;
extern const model::LockEntry ticket_entry;
extern const model::LockEntry ticket_llsc_entry;
extern const model::LockEntry ttas_entry;

extern const model::WorkloadEntry counter_workload;
extern const model::WorkloadEntry atomic_counter_workload;
extern const model::WorkloadEntry llsc_counter_workload;
extern const model::WorkloadEntry timer_expiry_workload;

const model::Catalogue& catalogue() {
    static const model::Catalogue all{
        .locks = {&tas_entry, &ttas_entry, &ticket_entry, &ticket_llsc_entry, &mcs_entry, &clh_entry,
                  &spin_debug_entry},
        .workloads = {&counter_workload, &atomic_counter_workload, &llsc_counter_workload, &timer_expiry_workload},
    };
    return all;
}

}  // namespace locks
