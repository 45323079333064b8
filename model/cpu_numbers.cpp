// The words of the vocabulary for CPUs and nodes.

#include "model/machine/machine.hpp"
#include "model/scenario/reading/fields.hpp"
#include "model/smp.hpp"

namespace smp {

inline namespace simulated {

static_assert(max_cpus == model::max_cpus);  // what a machine file may have

std::int32_t nr_cpu_ids() { return model::current->machine().topology().cpus(); }

std::int32_t cpu_to_node(std::int32_t cpu) { return model::current->machine().topology().node_of(cpu); }

}  // namespace simulated

}  // namespace smp
