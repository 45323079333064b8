#pragma once
// `verify`: every run of a plan in three unlike processes; where their digests differ, the first event that does.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/scenario/catalogue.hpp"
#include "tools/locksim/comparing/difference.hpp"
#include "tools/locksim/comparing/worker.hpp"
#include "tools/locksim/plan.hpp"

namespace locksim {

/// What a process yielded for one run: a digest, or what went wrong.
struct Outcome {
    std::string digest, error;
    bool operator==(const Outcome&) const = default;
};

/// Between two of the processes.
struct FirstDifference {
    Role a = Role::plain, b = Role::moved;
    std::uint64_t step = 0;                 ///< its number, from 1; 0: not found, `note` says why
    std::vector<std::string> keys;          ///< of the event log; empty where one run has no such step
    std::optional<Event> before;            ///< the last one that is the same
    std::vector<Event> events_a, events_b;  ///< the one that differs, and what follows it
    Aftermath after;
    std::string note;
};

struct VerifiedRun {
    std::string variant, config_digest;
    std::uint64_t seed = 0;
    std::int32_t phase = 1;
    std::array<Outcome, roles.size()> outcomes;  ///< in the order of `roles`
    std::vector<FirstDifference> differences;    ///< of moved and of polling, to plain

    bool same() const { return outcomes[1] == outcomes[0] && outcomes[2] == outcomes[0]; }
};

struct Verification {
    std::string title, file;
    std::array<bool, roles.size()> fixed_layout{};
    std::array<std::string, roles.size()> locale;
    std::vector<VerifiedRun> runs;
    std::size_t planned = 0;  ///< more than `runs` where something ended the command early
    bool interrupted = false;
    double host_seconds = 0;

    std::size_t differing(Role role) const;  ///< runs whose outcome differs from that of Role::plain
    const VerifiedRun* first_differing() const;
    const VerifiedRun* first_failed() const;  ///< the same in all processes, but an error
};

/// So many runs are searched for their first differing event; the others are only counted.
constexpr std::size_t most_located = 16;

/// `arguments`: of this command, with paths that hold in any folder. `progress(n, now_ps)`: run n is under way; false:
/// give up. Throws std::runtime_error where a process ends that should not.
Verification verify(const FilePlan& plan, const PhaseRange& phases, const std::vector<std::string>& arguments,
                    const std::function<bool(std::size_t, std::int64_t)>& progress);

/// At most 24 lines.
std::string verification_screen(const Verification& verification, const Options& options, std::size_t width);
/// Every run with its digests.
std::string verification_details(const Verification& verification);
/// "locksim.verify/1".
std::string verification_json(const Verification& verification, std::string_view version);

}  // namespace locksim
