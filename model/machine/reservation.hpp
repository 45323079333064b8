#pragma once
// A CPU's reservation (arm64: exclusive monitor): armed by a load-exclusive, and what a store-exclusive depends on.
// Lost when someone takes the granule exclusive (at the snoop, not at the grant), at an interrupt, and by one's own
// store-exclusive. A read by others never clears it.

#include <cstdint>

#include "sim/time.hpp"

namespace model {

class Context;

/// Why it was lost: for stories.
enum class ReservationLoss : std::uint8_t { none, never_armed, taken, interrupt, used };

struct Reservation {
    std::uint64_t granule = 0;  ///< simulated address of its first byte
    sim::Time lost_at{};        ///< holds before this time; Time::max(): no loss is on its way
    ReservationLoss loss = ReservationLoss::never_armed;
    std::int32_t cpu = -1;
    std::int32_t lost_to = -1;    ///< the CPU that takes the granule
    Reservation* next = nullptr;  ///< others on the granule
    Reservation* previous = nullptr;
    bool listed = false;
    Context* sleeper = nullptr;  ///< in a WFE that its loss ends

    bool holds(sim::Time now) const { return now < lost_at; }
};

}  // namespace model
