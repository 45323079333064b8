#pragma once
// What `verify` makes different in one of its processes, none of which may change a run: the environment, the folder,
// the locale, and where in memory things are.

#include <string>
#include <vector>

namespace locksim {

// Before the program is loaded, in the child process:

/// Asks for a layout of the address space without randomisation, the same in every such process. False: refused.
bool fix_layout();
/// Asks for a randomised layout in which later mappings lie higher than earlier ones (elsewhere: lower).
void randomise_layout();
/// The present environment, much larger and with another locale.
std::vector<std::string> disturbed_environment();

// In the program itself:

bool layout_is_fixed();
/// Other addresses for what is mapped and allocated later, allocations no longer in rising order, another locale.
/// Returns its name.
std::string disturb_process();

}  // namespace locksim
