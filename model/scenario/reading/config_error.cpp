#include "model/scenario/reading/config_error.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace model {
namespace {

/// What a file holds is not for a terminal to obey: control characters as TOML escapes.
std::string visible(const std::string& text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            result += fmt::format("\\u{:04x}", byte);
        } else {
            result += c;
        }
    }
    return result;
}

/// A key or value of a megabyte would push all else off the screen.
std::string shortened(const std::string& message) {
    constexpr std::size_t most = 2000;
    constexpr std::size_t ends = 300;
    if (message.size() <= most) { return message; }
    const auto is_inside = [&](std::size_t at) { return (static_cast<unsigned char>(message[at]) & 0xc0U) == 0x80; };
    std::size_t head = ends;
    std::size_t tail = message.size() - ends;
    while (head > 0 && is_inside(head)) { --head; }
    while (tail < message.size() && is_inside(tail)) { ++tail; }
    return message.substr(0, head) + " [...] " + message.substr(tail);
}

std::string located(const SourcePosition& where, const std::string& message) {
    const std::string file = visible(where.file);
    if (where.line == 0) { return fmt::format("{}: {}", file, visible(shortened(message))); }
    return fmt::format("{}:{}: {}", file, where.line, visible(shortened(message)));
}

/// How many letters to insert, drop, replace or swap with their neighbour to get from one to the other.
std::size_t edits(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> distance(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) { distance[i][0] = i; }
    for (std::size_t j = 0; j <= b.size(); ++j) { distance[0][j] = j; }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = distance[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            distance[i][j] = std::min({replaced, distance[i - 1][j] + 1, distance[i][j - 1] + 1});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) { distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1); }
        }
    }
    return distance[a.size()][b.size()];
}

}  // namespace

ConfigError::ConfigError(SourcePosition where, const std::string& message)
    : std::runtime_error(located(where, message)), position_(std::move(where)) {}

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
    constexpr std::size_t longest = 100;  // nobody mistypes more, and the comparison is quadratic
    if (name.size() > longest) { return {}; }
    // A third of the letters wrong is still a typing mistake; more is another word.
    std::size_t limit = std::max<std::size_t>(1, name.size() / 3);
    std::string nearest;
    for (const auto& candidate : known) {
        if (candidate.size() > name.size() + limit || candidate.size() + limit < name.size()) { continue; }
        const std::size_t distance = edits(name, candidate);
        if (distance < limit || (distance == limit && nearest.empty())) {
            limit = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
    if (known.empty()) { return "; there is none"; }
    const std::string nearest = nearest_name(name, known);
    if (!nearest.empty()) { return fmt::format("; did you mean \"{}\"?", nearest); }
    constexpr std::size_t shown = 12;  // a list longer than this helps nobody in an error message
    const bool cut = known.size() > shown;
    const auto end = known.begin() + static_cast<std::ptrdiff_t>(cut ? shown : known.size());
    return fmt::format("; there are: {}{}", fmt::join(known.begin(), end, ", "), cut ? ", ..." : "");
}

}  // namespace model
