#pragma once
// Text for people: numbers with units, padding by display width, wrapping, plain tables.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace locksim {

/// "1 790 112": groups of three, separated by spaces.
std::string group_digits(std::uint64_t count);
/// At most five characters: "999", "12.0k", "1.79M".
std::string compact_count(double count);
/// Three digits and the unit that suits them: "0 ns", "400 ns", "19.9 ms", "200 ms".
std::string friendly_time(double ns);
/// The same without the space, for where many stand side by side: "19.9ms".
std::string tight_time(double ns);
/// Host time, coarser: "41 ms", "0.6 s", "12.3 s".
std::string host_time(double seconds);
/// "12.5 %".
std::string percent(double share);
/// Up to four digits after the point, without trailing zeros: "0.51", "12 041", "1.25".
std::string plain_number(double value);

/// Control characters become spaces, so that no title can move the cursor or end a line.
std::string printable(std::string_view text);
/// Columns on a terminal; counts UTF-8 code points.
std::size_t display_width(std::string_view text);
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);
/// At most `width` columns; what is cut ends in "..".
std::string shorten(std::string_view text, std::size_t width);
/// Breaks at spaces, but not inside "61 204" or "19.9 ms"; a word longer than `width` is cut where it must.
std::vector<std::string> wrap(std::string_view text, std::size_t width);
/// Lines that were laid out for another width: those that are longer go on below where their text begins.
std::string rewrapped(std::string_view text, std::size_t width);
/// A shell command over as many lines as it takes, each but the last ending in " \", so that it can be
/// pasted.
std::vector<std::string> wrap_command(const std::vector<std::string>& words, std::size_t width);
/// As a POSIX shell reads it back.
std::string shell_quote(std::string_view word);
/// As RFC 4180 wants it: in quotes where it must be.
std::string csv_cell(const std::string& cell);
std::string upper_case(std::string_view text);
/// "1 more variant", "2 more variants".
std::string counted(std::size_t n, std::string_view one);
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// Columns two spaces apart. The last left-aligned column is not padded: no line ends in spaces.
class TextTable {
public:
    enum class Align { left, right };
    explicit TextTable(std::vector<Align> columns) : columns_(std::move(columns)) {}

    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    std::vector<std::size_t> widths() const;
    std::vector<std::string> lines() const;

private:
    std::vector<Align> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace locksim
