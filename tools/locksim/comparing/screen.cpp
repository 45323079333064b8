#include "tools/locksim/comparing/screen.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

constexpr std::size_t label_width = 10;

}  // namespace

void LabelledLines::add(const std::string& label, const std::string& text) {
    std::string head = pad_right(label, label_width);
    if (head.size() > label_width) { head += " "; }
    for (const std::string& line : wrap(printable(text), width_ - label_width)) {
        lines_.push_back(head + line);
        head = std::string(label_width, ' ');
    }
}

void LabelledLines::add_short(const std::string& label, const std::string& text) {
    lines_.push_back(pad_right(label, label_width) + shorten(printable(text), width_ - label_width));
}

void LabelledLines::add_command(const std::string& label, const std::vector<std::string>& words) {
    std::string head = pad_right(label, label_width);
    for (const std::string& line : wrap_command(words, width_ - label_width)) {
        lines_.push_back(head + line);
        head = std::string(label_width, ' ');
    }
}

void LabelledLines::add_event(const std::string& label, const Events& events) {
    if (events.empty()) { return add_short(label, "no further event"); }
    add_short(label, headline(events.front()));
    if (const std::string more = details(events.front()); !more.empty()) { add_short("", more); }
}

void LabelledLines::add_following(const std::string& label, const Events& events, std::size_t most) {
    std::string head = label;
    for (std::size_t i = 1; i < std::min(events.size(), most + 1); ++i) {
        add_short(head, headline(events[i]));
        head.clear();
    }
}

void LabelledLines::append(const LabelledLines& others) {
    lines_.insert(lines_.end(), others.lines_.begin(), others.lines_.end());
}

std::string LabelledLines::text() const {
    std::string text;
    for (const std::string& line : lines_) { text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n"; }
    return text;
}

std::string parting_text(const std::vector<std::string>& keys, const Events& a, const Events& b,
                         const std::string& name_a, const std::string& name_b) {
    if (a.empty()) { return fmt::format("{} has ended, {} goes on", name_a, name_b); }
    if (b.empty()) { return fmt::format("{} has ended, {} goes on", name_b, name_a); }
    const auto has = [&keys](const char* key) { return std::find(keys.begin(), keys.end(), key) != keys.end(); };
    if (has("cpu") || has("thread")) { return "another one is next"; }
    return fmt::format("{} differ{}", join(keys, ", "), keys.size() == 1 ? "s" : "");
}

std::string owners_text(const OwnersAfter& owners, const std::string& name_a, const std::string& name_b) {
    const std::string same = owners.same == 0 ? "" : fmt::format("after {}: ", counted(owners.same, "more owner"));
    return fmt::format("{}{} in {}; {} in {}", same, join(owners.a, ", "), name_a, join(owners.b, ", "), name_b);
}

}  // namespace locksim
