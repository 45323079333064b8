#pragma once
// Where two sequences of events part, and what becomes of them afterwards.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/locksim/comparing/event.hpp"

namespace locksim {

using Events = std::span<const Event>;

/// The first event that differs.
struct Parting {
    std::size_t at = 0;             ///< its index in both; the length of a sequence: that one has ended
    std::vector<std::string> keys;  ///< what differs; empty where one has ended
};
/// No value: the same to the end of both.
std::optional<Parting> find_parting(Events a, Events b, Causes causes);

/// Who had a lock from the parting on, as the steps labelled "release LOCK" tell, from the first owner that differs.
struct OwnersAfter {
    std::string lock;
    std::size_t same = 0;  ///< so many owners after the parting are the same
    std::vector<std::string> a, b;
};
/// A thread's own steps from the parting on.
struct ThreadAfter {
    std::string thread;
    std::size_t steps_a = 0, steps_b = 0;
    std::size_t same = 0;         ///< so many are the same but for their time
    std::optional<Event> a, b;    ///< the first that is not; none: it has no further step, or all are the same
    std::int64_t later_b_ps = 0;  ///< of the last that is the same: how much later it came in b
};
/// A word whose last value differs.
struct WordAfter {
    std::string variable;
    std::uint64_t a = 0, b = 0;
};

struct Aftermath {
    std::vector<OwnersAfter> owners;   ///< locks whose owners differ
    std::vector<ThreadAfter> threads;  ///< all, in the order of their first step
    std::vector<WordAfter> words;
};
/// `shown_owners`: how many of them.
Aftermath aftermath(Events a, Events b, const Parting& parting, std::size_t shown_owners);

}  // namespace locksim
