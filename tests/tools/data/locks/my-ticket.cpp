// A user's lock: the ticket lock of the tree under a name of its own, so that both must run alike.

#include "locks/lock.hpp"
#include "locks/ticket.hpp"

namespace locks {

static LockEntry row() {
    LockEntry entry = exclusive_lock<TicketSpinlock>("the tree's ticket lock, compiled by --locks", "my-ticket.cpp");
    entry.traits.name = "my-ticket";
    return entry;
}

extern const LockEntry my_ticket_entry;
const LockEntry my_ticket_entry = row();

}  // namespace locks
