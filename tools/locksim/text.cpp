#include "tools/locksim/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace locksim {

namespace {

struct Unit {
    double size;
    std::string_view name;
};

std::string without_trailing_zeros(std::string digits) {
    if (digits.find('.') == std::string::npos) { return digits; }
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') { digits.pop_back(); }
    return digits;
}

int decimals_for_three_digits(double value) { return value < 9.995 ? 2 : value < 99.95 ? 1 : 0; }

/// The smallest unit in which `value`, rounded to three digits, stays below 1000.
const Unit& suiting_unit(double value, std::span<const Unit> units) {
    for (const Unit& unit : units) {
        if (value / unit.size < 999.5) { return unit; }
    }
    return units.back();
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Bytes of the first `width` code points.
std::size_t bytes_of(std::string_view text, std::size_t width) {
    std::size_t bytes = 0;
    while (bytes < text.size()) {
        if (!is_continuation(text[bytes]) && width-- == 0) { break; }
        ++bytes;
    }
    return bytes;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a space between the two belongs to a number: "61 204", "19.9 ms".
bool is_glued(std::string_view before, std::string_view after) {
    if (before.empty() || !is_digit(before.back())) { return false; }
    const std::string_view word = after.substr(0, after.find_first_of(" ,;:.)"));
    static constexpr std::array<std::string_view, 10> units{"ps", "ns",  "us",  "ms",    "s",
                                                            "%",  "MHz", "GHz", "cycle", "cycles"};
    const bool is_group = word.size() == 3 && std::all_of(word.begin(), word.end(), is_digit);
    return is_group || std::find(units.begin(), units.end(), word) != units.end();
}

std::vector<std::string_view> unbreakable_words(std::string_view text) {
    std::vector<std::string_view> words;
    std::size_t begin = text.find_first_not_of(' ');
    while (begin < text.size()) {
        std::size_t end = text.find(' ', begin);
        while (end < text.size() && is_glued(text.substr(begin, end - begin), text.substr(end + 1))) {
            end = text.find(' ', end + 1);
        }
        end = std::min(end, text.size());
        words.push_back(text.substr(begin, end - begin));
        begin = text.find_first_not_of(' ', end);
    }
    return words;
}

std::string spaces(std::size_t n) { return std::string(n, ' '); }

}  // namespace

std::string group_digits(std::uint64_t count) {
    std::string digits = std::to_string(count);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
        digits.insert(static_cast<std::size_t>(at), 1, ' ');
    }
    return digits;
}

std::string compact_count(double count) {
    static constexpr std::array units{Unit{1, ""}, Unit{1e3, "k"}, Unit{1e6, "M"}, Unit{1e9, "G"}, Unit{1e12, "T"}};
    const Unit& unit = suiting_unit(count, units);
    if (unit.size == 1) { return fmt::format("{:.0f}", count); }
    const double value = count / unit.size;
    return fmt::format("{:.{}f}{}", value, decimals_for_three_digits(value), unit.name);
}

std::string friendly_time(double ns) {
    static constexpr std::array units{Unit{1, "ns"}, Unit{1e3, "us"}, Unit{1e6, "ms"}, Unit{1e9, "s"}};
    if (ns < 0) { return "-" + friendly_time(-ns); }
    const Unit& unit = suiting_unit(ns, units);
    const double value = ns / unit.size;
    return without_trailing_zeros(fmt::format("{:.{}f}", value, decimals_for_three_digits(value))) + " " +
           std::string(unit.name);
}

std::string tight_time(double ns) {
    std::string text = friendly_time(ns);
    std::erase(text, ' ');
    return text;
}

std::string host_time(double seconds) {
    return seconds < 0.1 ? friendly_time(seconds * 1e9) : fmt::format("{:.1f} s", seconds);
}

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string plain_number(double value) {
    if (!std::isfinite(value)) { return fmt::format("{}", value); }
    if (value < 0) { return "-" + plain_number(-value); }
    if (value >= 1e15) { return fmt::format("{:.4g}", value); }
    if (value >= 1000) { return group_digits(static_cast<std::uint64_t>(std::llround(value))); }
    return without_trailing_zeros(fmt::format("{:.4f}", value));
}

std::string printable(std::string_view text) {
    std::string result(text);
    std::replace_if(
        result.begin(), result.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7F; }, ' ');
    return result;
}

std::size_t display_width(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string pad_right(std::string_view text, std::size_t width) {
    const std::size_t used = display_width(text);
    return std::string(text) + spaces(used < width ? width - used : 0);
}

std::string pad_left(std::string_view text, std::size_t width) {
    const std::size_t used = display_width(text);
    return spaces(used < width ? width - used : 0) + std::string(text);
}

std::string shorten(std::string_view text, std::size_t width) {
    if (display_width(text) <= width) { return std::string(text); }
    if (width <= 2) { return std::string(text.substr(0, bytes_of(text, width))); }
    return std::string(text.substr(0, bytes_of(text, width - 2))) + "..";
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
    std::vector<std::string> lines;
    std::string line;
    for (std::string_view word : unbreakable_words(text)) {
        if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
            lines.push_back(std::move(line));
            line.clear();
        }
        while (display_width(word) > width) {
            const std::size_t bytes = bytes_of(word, width);
            lines.emplace_back(word.substr(0, bytes));
            word.remove_prefix(bytes);
        }
        if (!line.empty()) { line += ' '; }
        line += word;
    }
    if (!line.empty()) { lines.push_back(std::move(line)); }
    return lines;
}

namespace {

/// A line as what stands before its text and the text: an item's dash, or the first of two columns.
struct Laid {
    std::string_view head;
    std::string_view text;
    std::size_t indent;  ///< of the text
};

Laid laid_out(std::string_view line) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.find("  ", begin);
    if (gap != std::string_view::npos && line.find_first_not_of(' ', gap) != std::string_view::npos) {
        const std::size_t column = line.find_first_not_of(' ', gap);
        return {line.substr(0, gap), line.substr(column), column};
    }
    const std::size_t text = line.substr(begin).starts_with("- ") ? begin + 2 : begin;
    return {line.substr(0, text), line.substr(text), text};
}

}  // namespace

std::string rewrapped(std::string_view text, std::size_t width) {
    std::string result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (display_width(line) <= width) {
            result.append(line).append("\n");
            continue;
        }
        Laid laid = laid_out(line);
        std::string head = pad_right(laid.head, laid.indent);
        if (laid.indent > width / 2) {  // too little room beside it: below it
            for (const std::string& part : wrap(laid.head, width - 2)) { result += "  " + part + "\n"; }
            laid.indent = 6;
            head = std::string(laid.indent, ' ');
        }
        for (const std::string& part : wrap(laid.text, width - laid.indent)) {
            result += head + part + "\n";
            head = std::string(laid.indent, ' ');
        }
    }
    return result;
}

std::vector<std::string> wrap_command(const std::vector<std::string>& words, std::size_t width) {
    std::vector<std::string> lines;
    std::string line;
    for (const std::string& word : words) {
        if (!line.empty() && display_width(line) + 1 + display_width(word) > width - 2) {
            lines.push_back(line + " \\");
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    if (!line.empty()) { lines.push_back(std::move(line)); }
    return lines;
}

std::string shell_quote(std::string_view word) {
    static constexpr std::string_view safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%";
    if (!word.empty() && word.find_first_not_of(safe) == std::string_view::npos) { return std::string(word); }
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'') {
            quoted += "'\\''";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

std::string csv_cell(const std::string& cell) {
    if (cell.find_first_of(",\"\n\r") == std::string::npos) { return cell; }
    std::string result = "\"";
    for (const char c : cell) {
        if (c == '"') { result += '"'; }
        result += c;
    }
    return result + "\"";
}

std::string upper_case(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'a' && c <= 'z') { c = static_cast<char>(c - 'a' + 'A'); }
    }
    return result;
}

std::string counted(std::size_t n, std::string_view one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    return fmt::format("{}", fmt::join(parts, separator));
}

std::vector<std::size_t> TextTable::widths() const {
    std::vector<std::size_t> widths(columns_.size(), 0);
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) { widths[i] = std::max(widths[i], display_width(row[i])); }
    }
    return widths;
}

std::vector<std::string> TextTable::lines() const {
    const std::vector<std::size_t> columns = widths();
    std::vector<std::string> lines;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) { line += "  "; }
            line += columns_[i] == Align::left ? pad_right(row[i], columns[i]) : pad_left(row[i], columns[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace locksim
