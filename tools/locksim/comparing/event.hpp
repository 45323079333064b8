#pragma once
// One step of a run as an event log has it, for comparing: schema locksim.events/1, see seeing/README.md.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace locksim {

struct Event {
    std::int64_t t_ps = 0;
    std::int32_t cpu = -1;  ///< -1: of no CPU
    std::string thread, label, operation;
    std::string instruction;  ///< of a fetch: what it is for
    std::string where, variable;
    std::uint64_t old_value = 0, new_value = 0;
    std::uint64_t polls = 0;  ///< of a wait that ends
    std::string line_before, line_after;
    std::string cause;  ///< its JSON text; empty: none
};

/// Throws std::runtime_error, saying what was expected.
Event event_from(const nlohmann::json& line);
Event parse_event(std::string_view line);
/// With the keys of the event log.
nlohmann::ordered_json json_of(const Event& event);

/// Why something took long is told by hindsight, and may be unknown at the edge of a log.
enum class Causes { compared, ignored };

bool same(const Event& a, const Event& b, Causes causes);
/// Those keys of the event log that differ.
std::vector<std::string> differing_keys(const Event& a, const Event& b, Causes causes);
/// The same step of the same thread, whenever it came and whatever it cost.
bool same_but_for_time(const Event& a, const Event& b);

/// Who: its thread, or the CPU that was interrupted, or `nobody`.
std::string actor_of(const Event& event);
constexpr const char* nobody = "the run";
/// "exchange l: 0 -> 1".
std::string deed(const Event& event);
/// "4.5us little exchange l: 0 -> 1".
std::string headline(const Event& event);
/// "CPU 1, locks/tas.hpp:20, "acquire l", line I to M".
std::string details(const Event& event);

}  // namespace locksim
