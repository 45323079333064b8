#include "tools/locksim/comparing/event.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "model/scenario/reading/units.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

using Json = nlohmann::json;

/// The value of a key that every event has; null stands for the default.
template <class T>
T value_of(const Json& line, const char* key) {
    const auto found = line.find(key);
    if (found == line.end()) { throw std::runtime_error(fmt::format("expected a key \"{}\"", key)); }
    if (found->is_null()) { return T{}; }
    constexpr bool is_text = std::is_same_v<T, std::string>;
    if (is_text ? !found->is_string() : !found->is_number_integer()) {
        throw std::runtime_error(
            fmt::format("\"{}\": {}: expected {}", key, found->dump(), is_text ? "a text" : "a whole number"));
    }
    return found->template get<T>();
}

/// Of two causes that differ in their text: a step whose data had not come when a log ended has no time yet.
bool same_cause(const std::string& a, const std::string& b) {
    if (a == b) { return true; }
    if (a.empty() || b.empty()) { return false; }
    Json left = Json::parse(a);
    Json right = Json::parse(b);
    const auto unknown = [](const Json& cause) { return !cause.contains("t_ps") || cause["t_ps"].is_null(); };
    if (!unknown(left) && !unknown(right)) { return false; }
    left.erase("t_ps");
    right.erase("t_ps");
    return left == right;
}

/// Words that hold pointers are read best as such.
std::string word(std::uint64_t value) {
    return value < (1U << 20U) ? fmt::format("{}", value) : fmt::format("{:#x}", value);
}

/// A path that would fill the line keeps its end.
std::string short_place(const std::string& where) {
    constexpr std::size_t most = 44;
    if (where.size() <= most) { return where; }
    const std::size_t slash = where.find('/', where.size() - most);
    return slash == std::string::npos ? where : ".." + where.substr(slash);
}

}  // namespace

Event event_from(const Json& line) {
    if (!line.is_object()) { throw std::runtime_error("expected an object: one event"); }
    Event event;
    event.t_ps = value_of<std::int64_t>(line, "t_ps");
    event.cpu = line.contains("cpu") && line["cpu"].is_null() ? -1 : value_of<std::int32_t>(line, "cpu");
    event.thread = value_of<std::string>(line, "thread");
    event.label = value_of<std::string>(line, "label");
    event.operation = value_of<std::string>(line, "op");
    if (line.contains("for")) { event.instruction = value_of<std::string>(line, "for"); }
    event.where = value_of<std::string>(line, "where");
    event.variable = value_of<std::string>(line, "var");
    event.old_value = value_of<std::uint64_t>(line, "old");
    event.new_value = value_of<std::uint64_t>(line, "new");
    if (line.contains("polls")) { event.polls = value_of<std::uint64_t>(line, "polls"); }
    event.line_before = value_of<std::string>(line, "line_before");
    event.line_after = value_of<std::string>(line, "line_after");
    if (const auto cause = line.find("cause"); cause != line.end() && !cause->is_null()) {
        event.cause = cause->dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    return event;
}

Event parse_event(std::string_view line) { return event_from(Json::parse(line)); }

nlohmann::ordered_json json_of(const Event& event) {
    using Out = nlohmann::ordered_json;
    const auto text = [](const std::string& value) { return value.empty() ? Out(nullptr) : Out(value); };
    Out out;
    out["t_ps"] = event.t_ps;
    out["cpu"] = event.cpu < 0 ? Out(nullptr) : Out(event.cpu);
    out["thread"] = text(event.thread);
    out["label"] = text(event.label);
    out["op"] = text(event.operation);
    if (!event.instruction.empty()) { out["for"] = event.instruction; }
    out["where"] = text(event.where);
    out["var"] = text(event.variable);
    out["old"] = event.old_value;
    out["new"] = event.new_value;
    if (event.polls > 0) { out["polls"] = event.polls; }
    out["line_before"] = text(event.line_before);
    out["line_after"] = text(event.line_after);
    out["cause"] = event.cause.empty() ? Out(nullptr) : Out::parse(event.cause);
    return out;
}

std::vector<std::string> differing_keys(const Event& a, const Event& b, Causes causes) {
    std::vector<std::string> keys;
    const auto compare = [&keys](const char* key, bool equal) {
        if (!equal) { keys.emplace_back(key); }
    };
    compare("t_ps", a.t_ps == b.t_ps);
    compare("cpu", a.cpu == b.cpu);
    compare("thread", a.thread == b.thread);
    compare("label", a.label == b.label);
    compare("op", a.operation == b.operation);
    compare("for", a.instruction == b.instruction);
    compare("where", a.where == b.where);
    compare("var", a.variable == b.variable);
    compare("old", a.old_value == b.old_value);
    compare("new", a.new_value == b.new_value);
    compare("polls", a.polls == b.polls);
    compare("line_before", a.line_before == b.line_before);
    compare("line_after", a.line_after == b.line_after);
    if (causes == Causes::compared) { compare("cause", same_cause(a.cause, b.cause)); }
    return keys;
}

bool same(const Event& a, const Event& b, Causes causes) { return differing_keys(a, b, causes).empty(); }

bool same_but_for_time(const Event& a, const Event& b) {
    return a.cpu == b.cpu && a.thread == b.thread && a.label == b.label && a.operation == b.operation &&
           a.instruction == b.instruction && a.where == b.where && a.variable == b.variable &&
           a.old_value == b.old_value && a.new_value == b.new_value;
}

std::string actor_of(const Event& event) {
    if (!event.thread.empty()) { return event.thread; }
    return event.cpu < 0 ? nobody : fmt::format("CPU {}", event.cpu);
}

std::string headline(const Event& event) {
    return fmt::format("{} {} {}", model::format_time({event.t_ps}), actor_of(event), deed(event));
}

std::string deed(const Event& event) {
    std::string text = event.operation;
    if (!event.instruction.empty()) { text += fmt::format(" for {}", event.instruction); }
    if (!event.variable.empty()) { text += " " + event.variable; }
    if (event.old_value != event.new_value) {
        text += fmt::format(": {} -> {}", word(event.old_value), word(event.new_value));
    } else if (!event.variable.empty()) {
        text += fmt::format(": {}", word(event.old_value));
    }
    return text;
}

std::string details(const Event& event) {
    std::vector<std::string> parts;
    if (event.cpu >= 0) { parts.push_back(fmt::format("CPU {}", event.cpu)); }
    if (!event.where.empty()) { parts.push_back(short_place(event.where)); }
    if (!event.label.empty()) { parts.push_back(fmt::format("\"{}\"", event.label)); }
    if (!event.line_before.empty() || !event.line_after.empty()) {
        parts.push_back(event.line_before == event.line_after
                            ? fmt::format("line {}", event.line_after)
                            : fmt::format("line {} to {}", event.line_before, event.line_after));
    }
    if (event.polls > 0) { parts.push_back(counted(event.polls, "poll")); }
    return join(parts, ", ");
}

}  // namespace locksim
