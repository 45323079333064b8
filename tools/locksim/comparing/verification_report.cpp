// What `verify` prints.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/scenario/reading/units.hpp"
#include "tools/locksim/comparing/screen.hpp"
#include "tools/locksim/comparing/verification.hpp"
#include "tools/locksim/report.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_lines = 24;

std::size_t index_of(Role role) { return static_cast<std::size_t>(role); }

/// What is special about a process.
std::string process_text(const Verification& verification, Role role) {
    const bool fixed = verification.fixed_layout[index_of(role)];
    switch (role) {
        case Role::plain:
            return fixed ? "addresses not randomised" : "addresses randomised (the system refuses to switch that off)";
        case Role::moved:
            return fmt::format("other environment, folder /, locale {}; all addresses moved",
                               verification.locale[index_of(role)]);
        case Role::polling: return "as A, with spin elision off";
    }
    return "";
}

std::string name_of(const VerifiedRun& run) {
    return fmt::format("{}, seed {}, phase {}", run.variant, run.seed, run.phase);
}

std::string outcome_text(const Outcome& outcome) {
    if (outcome.error.empty()) { return outcome.digest; }
    return "error: " + outcome.error;
}

/// What a difference between these processes points at.
std::string meaning_of(const VerifiedRun& run) {
    const bool moved = run.outcomes[1] != run.outcomes[0];
    const bool polling = run.outcomes[2] != run.outcomes[0];
    std::string text;
    if (moved) {
        text =
            "B differs from A: something of the host decides, such as an address, memory that was not initialised, "
            "the environment or the locale";
    }
    if (polling) {
        text += std::string(text.empty() ? "" : "; ") +
                "C differs from A: it polls where A sleeps, so a wait that does more than read its word (a predicate "
                "that counts), or a fault of the elision";
    }
    return text;
}

void add_difference(LabelledLines& lines, const FirstDifference& difference) {
    const std::string a = letter_of(difference.a);
    const std::string b = letter_of(difference.b);
    if (difference.step == 0) { return lines.add("first", fmt::format("{} and {}: {}", a, b, difference.note)); }
    lines.add("first",
              fmt::format("event {} is the first that differs between {} and {}: {}", group_digits(difference.step), a,
                          b, parting_text(difference.keys, difference.events_a, difference.events_b, a, b)));
    lines.add_event("  " + a, difference.events_a);
    lines.add_event("  " + b, difference.events_b);
}

/// What became of it, in at most so many lines.
void add_aftermath(LabelledLines& lines, const FirstDifference& difference, std::size_t most) {
    if (difference.step == 0) { return; }
    const std::string a = letter_of(difference.a);
    const std::string b = letter_of(difference.b);
    LabelledLines owners(lines.width());
    if (!difference.after.owners.empty()) {
        const OwnersAfter& first = difference.after.owners.front();
        owners.add("owners", fmt::format("of {}: {}", first.lock, owners_text(first, a, b)));
    }
    if (owners.size() > most) { return; }
    constexpr std::size_t most_following = 2;
    const std::size_t following = std::min((most - owners.size()) / 2, most_following);
    lines.add_following("then " + a, difference.events_a, following);
    lines.add_following("then " + b, difference.events_b, following);
    lines.append(owners);
}

/// A log of the run around the event.
std::vector<std::string> log_command(const Verification& verification, const VerifiedRun& run, const Options& options) {
    const RunName name{.file = verification.file, .variant = run.variant, .seed = run.seed, .phase = run.phase};
    std::vector<std::string> words = repeat_command(options, name);
    words.emplace_back("--events FILE");
    const FirstDifference& first = run.differences.front();
    if (!first.events_a.empty() && !first.events_b.empty()) {
        const std::int64_t at = std::min(first.events_a.front().t_ps, first.events_b.front().t_ps);
        constexpr std::int64_t margin_ps = 1'000'000;
        words.push_back(fmt::format("--window {}..{}", model::format_time({std::max<std::int64_t>(0, at - margin_ps)}),
                                    model::format_time({at + margin_ps})));
    }
    return words;
}

std::string count_text(const Verification& verification) {
    const std::string done = verification.runs.size() == verification.planned
                                 ? counted(verification.planned, "run")
                                 : fmt::format("{} of {} runs", verification.runs.size(), verification.planned);
    return fmt::format("{} in 3 processes, {}", done, host_time(verification.host_seconds));
}

void add_failure(LabelledLines& lines, const Verification& verification, const VerifiedRun& run) {
    lines.add("FAILED", fmt::format("{}: in all three: {}", name_of(run), run.outcomes[0].error));
    if (verification.first_differing() == nullptr) { lines.add("", "the other runs are the same in all three"); }
}

/// One for all runs, as `run` prints it.
std::string combined_text(const Verification& verification) {
    if (verification.runs.size() == 1) { return verification.runs.front().outcomes[0].digest; }
    std::vector<model::RunResult> results(verification.runs.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        results[i].digest = std::stoull(verification.runs[i].outcomes[0].digest, nullptr, 16);
    }
    return fmt::format("{} (of {} runs)", hex_digest(combined_digest(results)), results.size());
}

Json events_json(const std::vector<Event>& events) {
    Json all = Json::array();
    for (const Event& event : events) { all.push_back(json_of(event)); }
    return all;
}

Json difference_json(const FirstDifference& difference) {
    Json json;
    json["between"] = {to_string(difference.a), to_string(difference.b)};
    json["step"] = difference.step == 0 ? Json(nullptr) : Json(difference.step);
    json["keys"] = difference.keys;
    json["before"] = difference.before ? json_of(*difference.before) : Json(nullptr);
    json["events"] = {{to_string(difference.a), events_json(difference.events_a)},
                      {to_string(difference.b), events_json(difference.events_b)}};
    json["note"] = difference.note.empty() ? Json(nullptr) : Json(difference.note);
    return json;
}

Json run_json(const VerifiedRun& run) {
    Json json{{"variant", run.variant},
              {"seed", run.seed},
              {"phase", run.phase},
              {"config_digest", run.config_digest},
              {"same", run.same()}};
    for (const Role role : roles) {
        const Outcome& outcome = run.outcomes[index_of(role)];
        json["digests"][std::string(to_string(role))] = outcome.digest.empty() ? Json(nullptr) : Json(outcome.digest);
        json["errors"][std::string(to_string(role))] = outcome.error.empty() ? Json(nullptr) : Json(outcome.error);
    }
    json["differences"] = Json::array();
    for (const FirstDifference& difference : run.differences) {
        json["differences"].push_back(difference_json(difference));
    }
    return json;
}

}  // namespace

std::string verification_screen(const Verification& verification, const Options& options, std::size_t width) {
    LabelledLines lines(width);
    const std::string count = count_text(verification);
    std::string title = shorten(printable(verification.title), width);
    if (display_width(title) + 2 + count.size() <= width) {
        title = pad_right(title, width - count.size()) + count;
    } else {
        title += "\n" + pad_left(count, width);
    }
    for (const Role role : roles) {
        lines.add(fmt::format("{} {}", letter_of(role), to_string(role)), process_text(verification, role));
    }
    const VerifiedRun* failed = verification.first_failed();
    if (failed != nullptr) { add_failure(lines, verification, *failed); }
    const VerifiedRun* run = verification.first_differing();
    if (run == nullptr) {
        if (failed != nullptr || verification.runs.empty()) { return title + "\n" + lines.text(); }
        lines.add("same",
                  fmt::format("{}, each with one digest in all three", counted(verification.runs.size(), "run")));
        lines.add("digest", combined_text(verification));
        return title + "\n" + lines.text();
    }
    std::string outcomes;
    for (const Role role : roles) {
        outcomes += fmt::format("{}{} {}", outcomes.empty() ? "" : ", ", letter_of(role),
                                outcome_text(run->outcomes[index_of(role)]));
    }
    lines.add("DIFFERS", fmt::format("B from A in {}, C from A in {} of {}", verification.differing(Role::moved),
                                     verification.differing(Role::polling), counted(verification.runs.size(), "run")));
    lines.add("", fmt::format("{}: {}", name_of(*run), outcomes));
    for (const FirstDifference& difference : run->differences) { add_difference(lines, difference); }
    LabelledLines end(width);
    end.add("means", meaning_of(*run));
    if (run->differences.size() == 1) {
        end.add_command("next", log_command(verification, *run, options));
        const std::size_t used =
            lines.size() + end.size() + static_cast<std::size_t>(std::count(title.begin(), title.end(), '\n')) + 1;
        if (used < most_lines) { add_aftermath(lines, run->differences.front(), most_lines - used); }
    }
    lines.append(end);
    return title + "\n" + lines.text();
}

std::string verification_details(const Verification& verification) {
    std::string text = "\nrun: digest in A, B, C\n";
    for (const VerifiedRun& run : verification.runs) {
        std::string outcomes = outcome_text(run.outcomes[0]);
        if (run.same()) {
            outcomes += " in all";
        } else {
            outcomes += ", " + outcome_text(run.outcomes[1]) + ", " + outcome_text(run.outcomes[2]);
        }
        text += fmt::format("  {}: {}\n", name_of(run), outcomes);
        for (const FirstDifference& difference : run.differences) {
            const auto& events = difference.events_a.empty() ? difference.events_b : difference.events_a;
            text +=
                fmt::format("    {} and {} from event {} on: {}\n", letter_of(difference.a), letter_of(difference.b),
                            difference.step, events.empty() ? difference.note : headline(events.front()));
        }
    }
    return text;
}

std::string verification_json(const Verification& verification, std::string_view version) {
    Json json{{"schema", "locksim.verify/1"},
              {"locksim", version},
              {"scenario", {{"title", verification.title}, {"file", verification.file}}},
              {"same", verification.first_differing() == nullptr},
              {"planned", verification.planned}};
    json["processes"] = Json::array();
    for (const Role role : roles) {
        json["processes"].push_back({{"name", to_string(role)},
                                     {"addresses_randomised", !verification.fixed_layout[index_of(role)]},
                                     {"locale", verification.locale[index_of(role)]},
                                     {"spin_elision_toggled", role == Role::polling}});
    }
    json["runs"] = Json::array();
    for (const VerifiedRun& run : verification.runs) { json["runs"].push_back(run_json(run)); }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace locksim
