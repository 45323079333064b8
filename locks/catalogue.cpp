// The catalogue: one line a lock, one line a workload. A new one is its own file and a line here.

#include "locks/catalogue.hpp"

namespace locks {

extern const model::LockEntry array_entry;
extern const model::LockEntry c_bo_mcs_entry;
extern const model::LockEntry clh_entry;
extern const model::LockEntry cna_entry;
extern const model::LockEntry hclh_entry;
extern const model::LockEntry hticket_entry;
extern const model::LockEntry mcs_entry;
extern const model::LockEntry osq_entry;
extern const model::LockEntry qspinlock_entry;
extern const model::LockEntry qspinlock_fetch_or_entry;
extern const model::LockEntry spin_debug_entry;
extern const model::LockEntry tas_entry;
extern const model::LockEntry tas_backoff_entry;
extern const model::LockEntry ticket_entry;
extern const model::LockEntry ticket_backoff_entry;
extern const model::LockEntry ticket_llsc_entry;
extern const model::LockEntry ttas_entry;

extern const model::WorkloadEntry counter_workload;
extern const model::WorkloadEntry atomic_counter_workload;
extern const model::WorkloadEntry atomic_operation_workload;
extern const model::WorkloadEntry llsc_counter_workload;
extern const model::WorkloadEntry mt_list_workload;
extern const model::WorkloadEntry timer_expiry_workload;
extern const model::WorkloadEntry waiter_flag_workload;

const model::Catalogue& catalogue() {
    static const model::Catalogue all{
        .locks = {&tas_entry, &tas_backoff_entry, &ttas_entry, &ticket_entry, &ticket_backoff_entry, &ticket_llsc_entry,
                  &array_entry, &mcs_entry, &clh_entry, &osq_entry, &qspinlock_entry, &qspinlock_fetch_or_entry,
                  &hclh_entry, &hticket_entry, &c_bo_mcs_entry, &cna_entry, &spin_debug_entry},
        .workloads = {&counter_workload, &atomic_counter_workload, &atomic_operation_workload, &llsc_counter_workload,
                      &mt_list_workload, &timer_expiry_workload, &waiter_flag_workload},
    };
    return all;
}

}  // namespace locks
