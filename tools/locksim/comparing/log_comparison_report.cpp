// What `diff` prints.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/locksim/comparing/log_comparison.hpp"
#include "tools/locksim/comparing/screen.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t shown_threads = 4;
constexpr std::size_t shown_words = 4;
constexpr std::size_t shown_following = 2;

std::string run_text(const RecordedEvents& log) {
    return fmt::format("{}, seed {}, phase {}: {}, {}; {}", log.variant, log.seed, log.phase, log.verdict, log.digest,
                       log.path);
}

/// Nobody wonders why two configurations differ, but who compares one with itself wants to know that.
void add_configuration(LabelledLines& lines, const RecordedEvents& a, const RecordedEvents& b) {
    if (a.config_digest == b.config_digest) { return; }
    const std::string files = a.file == b.file ? "of " + a.file : fmt::format("{} and {}", a.file, b.file);
    lines.add("config", fmt::format("two of them, {}", files));
}

void add_cut(LabelledLines& lines, const char* name, const RecordedEvents& log) {
    if (log.cut == 0) { return; }
    lines.add("cut", fmt::format("{} lacks {} of the events of {}: it has {}", name, group_digits(log.cut),
                                 describe(log.asked), describe(log.window)));
}

std::string thread_text(const ThreadAfter& thread) {
    const std::size_t all = std::max(thread.steps_a, thread.steps_b);
    std::string time;
    if (thread.later_b_ps != 0) {
        time = fmt::format(", {} {} in B", friendly_time(std::abs(static_cast<double>(thread.later_b_ps)) / 1e3),
                           thread.later_b_ps > 0 ? "later" : "earlier");
    }
    if (!thread.a && !thread.b) { return fmt::format("{}, the same{}", counted(thread.same, "step"), time); }
    const auto next = [](const std::optional<Event>& event) { return event ? deed(*event) : "nothing more"; };
    return fmt::format("{} of {} the same{}; then A {}, B {}", thread.same, counted(all, "step"), time, next(thread.a),
                       next(thread.b));
}

std::string words_text(const std::vector<WordAfter>& words) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(words.size(), shown_words); ++i) {
        const auto value = [](std::uint64_t v) {
            return v < (1U << 20U) ? fmt::format("{}", v) : fmt::format("{:#x}", v);
        };
        parts.push_back(fmt::format("{} is {} in A, {} in B", words[i].variable, value(words[i].a), value(words[i].b)));
    }
    std::string text = join(parts, "; ");
    if (words.size() > shown_words) { text += fmt::format("; {} more", words.size() - shown_words); }
    return text;
}

void add_aftermath(LabelledLines& lines, const Aftermath& after) {
    constexpr std::size_t most_lines = 22;
    for (const OwnersAfter& owners : after.owners) {
        if (lines.size() >= most_lines - 4) { break; }
        lines.add("owners", fmt::format("of {}: {}", owners.lock, owners_text(owners, "A", "B")));
    }
    std::size_t shown = 0;
    for (const ThreadAfter& thread : after.threads) {
        if (shown == shown_threads || lines.size() >= most_lines - 2) { break; }
        if (thread.thread == nobody) { continue; }
        lines.add(shorten(thread.thread, 9), thread_text(thread));
        ++shown;
    }
    if (!after.words.empty() && lines.size() < most_lines) { lines.add_short("at end", words_text(after.words)); }
}

std::string same_text(const LogComparison& comparison) {
    const std::string events =
        fmt::format("{} events in {}", group_digits(comparison.events_a.size()), describe(comparison.window));
    if (comparison.same()) { return fmt::format("{}, and the digests of the runs", events); }
    return fmt::format(
        "{}; but the digests of the runs differ: they part outside of this window, look for it with another --window",
        events);
}

Json run_json(const RecordedEvents& log) {
    return {{"path", log.path},
            {"scenario", {{"title", log.title}, {"file", log.file}, {"config_digest", log.config_digest}}},
            {"variant", log.variant},
            {"seed", log.seed},
            {"phase", log.phase},
            {"digest", log.digest},
            {"verdict", log.verdict},
            {"window_ps", {log.window.from.ps, log.window.to.ps}},
            {"cut", log.cut}};
}

Json event_or_null(const Events& events, std::size_t at) {
    return at < events.size() ? json_of(events[at]) : Json(nullptr);
}

Json difference_json(const LogComparison& comparison) {
    if (!comparison.parting) { return nullptr; }
    const std::size_t at = comparison.parting->at;
    Json json{{"event", at + 1},
              {"keys", comparison.parting->keys},
              {"a", event_or_null(comparison.events_a, at)},
              {"b", event_or_null(comparison.events_b, at)}};
    json["owners"] = Json::array();
    for (const OwnersAfter& owners : comparison.after.owners) {
        json["owners"].push_back({{"lock", owners.lock}, {"same", owners.same}, {"a", owners.a}, {"b", owners.b}});
    }
    json["threads"] = Json::array();
    for (const ThreadAfter& thread : comparison.after.threads) {
        json["threads"].push_back({{"thread", thread.thread},
                                   {"steps_a", thread.steps_a},
                                   {"steps_b", thread.steps_b},
                                   {"same", thread.same},
                                   {"a", thread.a ? json_of(*thread.a) : Json(nullptr)},
                                   {"b", thread.b ? json_of(*thread.b) : Json(nullptr)}});
    }
    json["words"] = Json::array();
    for (const WordAfter& word : comparison.after.words) {
        json["words"].push_back({{"var", word.variable}, {"a", word.a}, {"b", word.b}});
    }
    return json;
}

}  // namespace

std::string comparison_screen(const LogComparison& comparison, std::size_t width) {
    LabelledLines lines(width);
    lines.add_short("A", run_text(comparison.a));
    lines.add_short("B", run_text(comparison.b));
    add_configuration(lines, comparison.a, comparison.b);
    add_cut(lines, "A", comparison.a);
    add_cut(lines, "B", comparison.b);
    if (!comparison.parting) {
        lines.add("same", same_text(comparison));
        return lines.text();
    }
    const std::size_t at = comparison.parting->at;
    const Events a = comparison.events_a.subspan(at);
    const Events b = comparison.events_b.subspan(at);
    lines.add("first",
              fmt::format("event {} of {} is the first that differs: {}", group_digits(at + 1),
                          describe(comparison.window), parting_text(comparison.parting->keys, a, b, "A", "B")));
    lines.add_event("  A", a);
    lines.add_event("  B", b);
    lines.add_following("then A", a, shown_following);
    lines.add_following("then B", b, shown_following);
    add_aftermath(lines, comparison.after);
    return lines.text();
}

std::string comparison_json(const LogComparison& comparison, std::string_view version) {
    Json json{{"schema", "locksim.diff/1"},
              {"locksim", version},
              {"same", comparison.same()},
              {"a", run_json(comparison.a)},
              {"b", run_json(comparison.b)},
              {"window_ps", {comparison.window.from.ps, comparison.window.to.ps}},
              {"events", {comparison.events_a.size(), comparison.events_b.size()}},
              {"difference", difference_json(comparison)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace locksim
