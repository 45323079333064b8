#include "tools/locksim/side_by_side/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

int decimals_of(const Estimate& ratio) {
    int decimals = ratio.value < 9.995 ? 2 : ratio.value < 99.95 ? 1 : 0;
    if (ratio.value > 0 && ratio.value < 0.1) { decimals = static_cast<int>(std::ceil(-std::log10(ratio.value))) + 1; }
    if (!ratio.interval || ratio.exact()) { return decimals; }
    constexpr int most = 6;
    const double width = ratio.interval->high - ratio.interval->low;
    decimals = std::max(decimals, std::min(static_cast<int>(std::ceil(-std::log10(width))), most));
    // No bound that is not 1 may read as 1.
    const auto reads_as_one = [&decimals](double bound) {
        return bound != 1 && fmt::format("{:.{}f}", bound, decimals) == fmt::format("{:.{}f}", 1.0, decimals);
    };
    while (decimals < most && (reads_as_one(ratio.interval->low) || reads_as_one(ratio.interval->high))) { ++decimals; }
    return decimals;
}

/// Where a wait has become twice as long or half as long, and the seeds show it: "; longest wait 28.7 times (95 %:
/// ...)".
std::string waits_text(const Row& row, const Row& reference) {
    constexpr double telling = 2;
    for (const Measure measure : {Measure::longest_wait_ns, Measure::p99_wait_ns}) {
        const auto ratio = estimate_ratio(paired(row, reference, measure));
        if (!ratio || (ratio->value < telling && ratio->value > 1 / telling)) { continue; }
        if (ratio->interval && ratio->interval->contains(1)) { continue; }
        std::string text = fmt::format(
            "; {} {} times", measure == Measure::longest_wait_ns ? "longest wait" : "p99 wait", ratio_text(*ratio));
        if (ratio->interval && !ratio->exact()) { text += fmt::format(" ({})", interval_text(*ratio)); }
        return text;
    }
    return "";
}

std::string sentence(const Row& row, const SideBySide& found) {
    const Row& reference = found.reference();
    const Measure measure = found.main_measure();
    const Relation related = relation(row, reference, measure, found.model_error);
    if (related == Relation::same_runs) {
        return fmt::format("{} runs as {} does, event for event{}", row.name, reference.name,
                           row.sets == reference.sets ? "" : ": what was varied changes nothing here");
    }
    const std::string waits = waits_text(row, reference);
    if (related == Relation::not_comparable) {
        const Row& missing = row.mean(measure) ? reference : row;
        return fmt::format("{} and {}: no ratio, {} has no {}{}", row.name, reference.name, missing.name,
                           row_of(measure).text, waits);
    }
    const Estimate ratio = *estimate_ratio(paired(row, reference, measure));
    if (ratio.exact()) {
        const std::string times = related == Relation::equal ? "exactly" : ratio_text(ratio) + " times";
        return fmt::format("{} takes {} as long as {} in each of {}{}", row.name, times, reference.name,
                           counted(ratio.n, "seed"), waits);
    }
    if (related == Relation::not_shown) {
        return fmt::format("{}: no difference from {} that {} show (95 %: {}){}", row.name, reference.name,
                           counted(ratio.n, "seed"), interval_text(ratio), waits);
    }
    const std::string interval = ratio.interval ? fmt::format(" (95 %: {})", interval_text(ratio)) : "";
    const std::string within = related == Relation::within_error
                                   ? fmt::format(": within model error, {:.0f} %", *found.model_error * 100)
                                   : "";
    return fmt::format("{} takes {} times as long as {}{}{}{}", row.name, ratio_text(ratio), reference.name, interval,
                       within, waits);
}

// Verdicts --------------------------------------------------------------------------------------------------

/// As a lock does it and as several do.
struct Verb {
    const char* one;
    const char* many;
    bool of_threads;  ///< goes on with whom it concerns
};
Verb verb_of(model::VerdictKind kind) {
    switch (kind) {
        case model::VerdictKind::ok: return {"is ok", "are ok", false};
        case model::VerdictKind::starvation: return {"starves", "starve", true};
        case model::VerdictKind::livelock: return {"livelocks", "livelock", true};
        case model::VerdictKind::lost_wakeup: return {"loses a wakeup of", "lose a wakeup of", true};
        case model::VerdictKind::deadlock: return {"deadlocks", "deadlock", true};
        case model::VerdictKind::invariant_broken: return {"breaks an invariant", "break an invariant", false};
        case model::VerdictKind::exclusion_violated: return {"lets two in at once", "let two in at once", false};
    }
    return {"", "", false};
}

/// "little, big and 3 more": whom the verdict concerns in any run.
std::string threads_text(const std::vector<const Row*>& rows, model::VerdictKind kind) {
    std::vector<std::string> names;
    for (const Row* row : rows) {
        for (const Sample& sample : row->samples) {
            if (sample.verdict != kind) { continue; }
            for (const std::string& name : sample.threads) {
                if (std::find(names.begin(), names.end(), name) == names.end()) { names.push_back(name); }
            }
        }
    }
    constexpr std::size_t most = 3;
    if (names.size() <= most) { return join(names, ", "); }
    const std::size_t more = names.size() - (most - 1);
    names.resize(most - 1);
    return fmt::format("{} and {} more", join(names, ", "), more);
}

/// "a", "a and b", "a, b and c".
std::string listed(std::vector<std::string> names) {
    if (names.size() < 2) { return join(names, ""); }
    const std::string last = names.back();
    names.pop_back();
    return fmt::format("{} and {}", join(names, ", "), last);
}

std::string verdict_sentence(const SideBySide& found, model::VerdictKind kind) {
    std::vector<const Row*> having;
    std::vector<std::string> names;
    std::vector<std::string> others;
    for (const Row& row : found.rows) {
        if (row.samples.empty()) { continue; }
        const std::size_t count = row.count(kind);
        if (count == 0) {
            others.push_back(row.name);
            continue;
        }
        having.push_back(&row);
        names.push_back(count == row.samples.size()
                            ? row.name
                            : fmt::format("{} (in {} of {} seeds)", row.name, count, row.samples.size()));
    }
    if (having.empty()) { return ""; }
    const Verb verb = verb_of(kind);
    std::string text = fmt::format("{} {}", listed(names), names.size() == 1 ? verb.one : verb.many);
    if (const std::string whom = threads_text(having, kind); verb.of_threads && !whom.empty()) { text += " " + whom; }
    if (others.empty()) { return text; }
    return fmt::format("{}; {} {} not", text, listed(others), others.size() == 1 ? "does" : "do");
}

}  // namespace

std::string value_text(double value, Unit unit) {
    switch (unit) {
        case Unit::time: return tight_time(value);
        case Unit::rate: return compact_count(value) + "/s";
        case Unit::index: return fmt::format("{:.3f}", value);
        case Unit::count: break;
    }
    return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : 1);
}

std::string ratio_text(const Estimate& ratio) { return fmt::format("{:.{}f}", ratio.value, decimals_of(ratio)); }

std::string interval_text(const Estimate& ratio) {
    const int decimals = decimals_of(ratio);
    return fmt::format("{:.{}f} to {:.{}f}", ratio.interval->low, decimals, ratio.interval->high, decimals);
}

std::vector<std::string> comparison_sentences(const SideBySide& found) {
    std::vector<std::string> sentences;
    for (const Row& row : found.rows) {
        if (&row != &found.reference() && !row.samples.empty()) { sentences.push_back(sentence(row, found)); }
    }
    return sentences;
}

std::vector<std::string> verdict_sentences(const SideBySide& found) {
    using Kind = model::VerdictKind;
    std::vector<std::string> sentences;
    for (const Kind kind : {Kind::exclusion_violated, Kind::invariant_broken, Kind::deadlock, Kind::lost_wakeup,
                            Kind::livelock, Kind::starvation}) {
        if (std::string text = verdict_sentence(found, kind); !text.empty()) { sentences.push_back(std::move(text)); }
    }
    return sentences;
}

std::vector<std::string> caveats(const SideBySide& found) {
    std::vector<std::string> texts;
    if (found.runs() < found.planned) {
        texts.push_back(fmt::format("stopped early: {} of {} runs finished", found.runs(), found.planned));
    }
    if (found.seeds.first == found.seeds.last) {
        texts.push_back(fmt::format("one seed: no intervals (--seeds {}..{} gives some)", found.seeds.first,
                                    found.seeds.first + 4));
    } else if (std::all_of(found.rows.begin(), found.rows.end(),
                           [](const Row& row) { return row.same_in_every_seed(); })) {
        texts.emplace_back(
            "every seed runs alike: nothing here is drawn at random ([noise], jitter), so the intervals say nothing");
    }
    return texts;
}

}  // namespace locksim
