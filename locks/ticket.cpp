// The catalogue row of ticket. The algorithm is in ticket.hpp.

#include "locks/ticket.hpp"

namespace locks {

extern const LockEntry ticket_entry;
const LockEntry ticket_entry =
    exclusive_lock<TicketSpinlock>("take a number, wait until it is called: FIFO, O(n) re-reads", "locks/ticket.hpp");

}  // namespace locks
