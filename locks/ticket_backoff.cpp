// The catalogue row and the parameters of ticket-backoff. The algorithm is in ticket_backoff.hpp.

#include "locks/ticket_backoff.hpp"

namespace locks {

std::vector<model::ParameterSpec> TicketBackoffSpinlock::Options::parameters() {
    return {{.name = "multiplier",
             .preset = Options{}.multiplier,
             .doc = "cycles of pause for each ticket that is served before",
             .min = 1,
             .max = 1'000'000},
            {.name = "next",
             .preset = Options{}.next,
             .doc = "cycles of pause where only the holder's ticket is before; 0: as for the others",
             .max = 1'000'000},
            {.name = "prefetchw",
             .preset = Options{}.prefetchw,
             .doc = "ask for the line to write it before each access (SOSP 2013, on the Opteron)"}};
}

TicketBackoffSpinlock::Options TicketBackoffSpinlock::Options::from(const model::ParameterValues& values) {
    return {.multiplier = std::get<std::int64_t>(values.at("multiplier")),
            .next = std::get<std::int64_t>(values.at("next")),
            .prefetchw = std::get<bool>(values.at("prefetchw"))};
}

extern const LockEntry ticket_backoff_entry;
const LockEntry ticket_backoff_entry = exclusive_lock<TicketBackoffSpinlock>(
    "the ticket lock whose waiters pause by their place in the queue between two looks: FIFO",
    "locks/ticket_backoff.hpp");

}  // namespace locks
