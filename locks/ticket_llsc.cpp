// The catalogue row and the parameters of ticket-llsc. The algorithm is in ticket_llsc.hpp.

#include "locks/ticket_llsc.hpp"

namespace locks {

std::vector<model::ParameterSpec> TicketLlscSpinlock::Options::parameters() {
    const Options preset;
    return {
        {.name = "retry_after",
         .preset = preset.retry_after,
         .doc = "failed store-exclusives in a row before it relaxes",
         .min = 1},
        {.name = "retry_relaxes", .preset = preset.retry_relaxes, .doc = "hints each time; 0: retry at once"},
        {.name = "retry_doubling", .preset = preset.retry_doubling, .doc = "twice as many hints each time"},
        {.name = "retry_cap", .preset = preset.retry_cap, .doc = "but not more than these", .min = 1},
    };
}

TicketLlscSpinlock::Options TicketLlscSpinlock::Options::from(const model::ParameterValues& values) {
    Options options;
    options.retry_after = std::get<std::int64_t>(values.at("retry_after"));
    options.retry_relaxes = std::get<std::int64_t>(values.at("retry_relaxes"));
    options.retry_doubling = std::get<bool>(values.at("retry_doubling"));
    options.retry_cap = std::get<std::int64_t>(values.at("retry_cap"));
    return options;
}

extern const LockEntry ticket_llsc_entry;
const LockEntry ticket_llsc_entry = exclusive_lock<TicketLlscSpinlock>(
    "the ticket lock by load-exclusive and store-exclusive (arm64): fair once it has a ticket",
    "locks/ticket_llsc.hpp");

}  // namespace locks
