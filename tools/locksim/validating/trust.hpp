#pragma once
// What `validate --write` leaves in a machine file, [validated], and what it means for a scenario on that machine.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/scenario/scenario.hpp"
#include "tools/locksim/validating/validation.hpp"

namespace locksim {

/// [validated] of a machine file.
struct ValidationRecord {
    std::string set;
    double median_error = 0;  ///< median |ln(simulated / published)|
    double worst = 1;         ///< off by so many times
    bool holds = false;       ///< whether the set met its limits
    std::int32_t least_threads = 0, most_threads = 0;
    double least_critical_ns = 0, most_critical_ns = 0;
    std::vector<std::string> locks;  ///< types
    std::string version, date;
};

/// The record of a machine file; none: it has none. Throws model::ConfigError.
std::optional<ValidationRecord> read_record(const std::string& machine_file);

/// The set's record. It has counted points.
ValidationRecord record_of(const Validation& found, const std::string& version, const std::string& date);

/// The machine file's text with this record in place of an older one, or at its end; all else stays as it is.
std::string with_record(const std::string& text, const ValidationRecord& record);

/// How far a scenario is from what its machine was validated on.
struct Trust {
    std::optional<ValidationRecord> record;
    bool numbers_changed = false;           ///< the scenario changes the machine's numbers: the record says nothing
    std::vector<std::string> extrapolates;  ///< "96 threads > 48", "lock cna"

    bool applies() const { return record && !numbers_changed; }
};
/// Never throws: what cannot be read counts as no record.
Trust trust_of(const model::Scenario& scenario);

/// "off 11 % (lockhammer-x86-2); extrapolates: 96 threads > 48, lock cna"; "not validated".
std::string trust_text(const Trust& trust);

}  // namespace locksim
