#include "model/scenario/reading/toml_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "model/scenario/reading/config_error.hpp"

// Some malformed texts ("[[[") fail assertions of the library. The user's mistake must not abort the program.
namespace {
struct FailedAssertion {};
constexpr void require(bool holds) {
    if (!holds) { throw FailedAssertion{}; }
}
}  // namespace
// The depth of values is the library's to limit, that of dotted keys is not: check_keys() does.
#define TOML_MAX_NESTED_VALUES 64
#define TOML_ASSERT(expression) ::require(static_cast<bool>(expression))

#include <toml++/toml.h>

namespace model {
namespace {

SourcePosition position_of(const toml::source_region& source, const std::string& file) {
    return {file, static_cast<int>(source.begin.line)};
}

Node converted(const toml::node& source, const std::string& file);

/// The library sorts tables by name: the order of the file is that of the keys' positions.
Node converted_table(const toml::table& source, const std::string& file) {
    struct Placed {
        const toml::key* key;
        const toml::node* value;
    };
    std::vector<Placed> placed;
    for (const auto& [key, value] : source) { placed.push_back({&key, &value}); }
    std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
        const auto& left = a.key->source().begin;
        const auto& right = b.key->source().begin;
        return std::tie(left.line, left.column) < std::tie(right.line, right.column);
    });

    Node::Table table;
    for (const auto& [key, value] : placed) {
        table.push_back({std::string(key->str()), position_of(key->source(), file), converted(*value, file)});
    }
    return {std::move(table), position_of(source.source(), file)};
}

Node converted_array(const toml::array& source, const std::string& file) {
    Node::Array array;
    for (const auto& element : source) { array.push_back(converted(element, file)); }
    return {std::move(array), position_of(source.source(), file)};
}

Node converted(const toml::node& source, const std::string& file) {
    const SourcePosition where = position_of(source.source(), file);
    if (const auto* table = source.as_table()) { return converted_table(*table, file); }
    if (const auto* array = source.as_array()) { return converted_array(*array, file); }
    if (const auto* text = source.as_string()) { return {text->get(), where}; }
    if (const auto* integer = source.as_integer()) { return {std::int64_t{integer->get()}, where}; }
    if (const auto* number = source.as_floating_point()) { return {number->get(), where}; }
    if (const auto* boolean = source.as_boolean()) { return {boolean->get(), where}; }
    throw ConfigError(where, "a date or a time of day: no key takes one (durations are strings: \"20us\")");
}

constexpr std::size_t most_bytes = std::size_t{4} << 20U;  // a hundred times the largest scenario that makes sense
constexpr int most_key_parts = 16;

/// How many bytes the UTF-8 character at the front of `text` has; 0: that is none.
std::size_t character_bytes(std::string_view text) {
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
    const unsigned first = byte(0);
    std::size_t bytes = 1;
    if (first >= 0x80) { bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2; }
    if ((first >= 0x80 && first < 0xc2) || first > 0xf4) { return 0; }
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) { return 0; }
    }
    const unsigned second = byte(1);  // neither longer than need be, nor a surrogate, nor beyond U+10FFFF
    const bool is_wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                          (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
    return is_wrong ? 0 : bytes;
}

/// Looks for what the library cannot stand, before it sees the text: walks over it as TOML's lexer does.
///   Bytes that are no UTF-8: it names the line where its block of bytes began.
///   Other characters than ASCII outside of strings and comments, where TOML has none: undefined behaviour in its 3.3.
///   Keys such as a.a.a. ... with thousands of parts: it makes a table of each, and the stack ends before the text
///   does.
/// All other mistakes are left to the library.
class Skim {
public:
    explicit Skim(std::string_view text) : rest_(text) {
        if (rest_.starts_with("\xef\xbb\xbf")) { rest_.remove_prefix(3); }  // a byte order mark
    }

    /// What is wrong, in the line line(); empty: nothing.
    std::string problem() {
        while (problem_.empty() && !rest_.empty()) {
            const char c = rest_.front();
            if (c == '#') {
                while (!rest_.empty() && rest_.front() != '\n') { skip_character(); }
            } else if ((c == '"' || c == '\'') && begins_token_) {
                skip_string(c);
            } else {
                plain(c);
            }
        }
        return problem_;
    }
    int line() const { return line_; }

private:
    void plain(char c) {
        if (c == '.' && ++dots_ == most_key_parts) {
            problem_ = fmt::format("a key of more than {} parts", most_key_parts);
            return;
        }
        if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) { dots_ = 0; }
        const std::string_view character = rest_.substr(0, character_bytes(rest_));
        if (character.size() > 1) {
            problem_ = fmt::format("no valid TOML: \"{}\" outside of quotes and comments", character);
            return;
        }
        begins_token_ = begins_token_after(c);
        skip_character();
    }

    /// Steps over a character of keys, values and their brackets. True: a quote behind it opens a string.
    bool begins_token_after(char c) {
        const bool is_opened = !open_.empty();
        switch (c) {
            case ' ':
            case '\t':
            case '\r': return true;
            case '\n':
                if (!is_opened) { in_value_ = false; }
                return true;
            case '=': return !std::exchange(in_value_, true);
            case '.': return !in_value_;
            case ',':
                if (is_opened) { in_value_ = open_.back() == '['; }
                return is_opened;
            case '[':
            case '{':
                if (!begins_token_) { return false; }  // as in x[
                if (in_value_) {
                    open_.push_back(c);
                    in_value_ = c == '[';
                }
                return true;
            case ']':
            case '}':
                if (is_opened && (in_value_ || c == '}')) {
                    open_.pop_back();
                    in_value_ = true;
                }
                return false;
            default: return false;
        }
    }

    void skip_character() {
        const std::size_t bytes = character_bytes(rest_);
        if (bytes == 0) {
            const auto byte = static_cast<unsigned char>(rest_.front());
            problem_ = fmt::format("no valid TOML: the byte 0x{:02x} is not UTF-8", byte);
            rest_ = {};
            return;
        }
        if (rest_.front() == '\n') { ++line_; }
        rest_.remove_prefix(bytes);
    }

    void skip_string(char quote) {
        const std::string three(3, quote);
        const std::string_view end = std::string_view(three).substr(0, rest_.starts_with(three) ? 3 : 1);
        rest_.remove_prefix(end.size());
        while (!rest_.empty() && !rest_.starts_with(end)) {
            const bool escaped = quote == '"' && rest_.front() == '\\';
            skip_character();
            if (escaped && !rest_.empty()) { skip_character(); }
        }
        rest_.remove_prefix(std::min(end.size(), rest_.size()));
        begins_token_ = false;
    }

    std::string_view rest_;
    std::string problem_;
    int line_ = 1;
    int dots_ = 0;
    std::string open_;          ///< the brackets of arrays and inline tables around this place
    bool in_value_ = false;     ///< right of a `=`, or in an array
    bool begins_token_ = true;  ///< a quote elsewhere, as in x"y" or =+["y", opens no string
};

/// A failed assertion has no position: it is in the first line with which the text fails.
int line_of_failed_assertion(std::string_view text) {
    int line = 1;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1), ++line) {
        try {
            (void)toml::parse(text.substr(0, end));
        } catch (const toml::parse_error&) {
            // Cut off inside a value: not yet.
        } catch (const FailedAssertion&) { break; }
    }
    return line;
}

/// "; did you mean ...?" where the folder holds a file of about this name.
std::string similar_file(const std::string& path) {
    const std::filesystem::path wanted(path);
    const std::filesystem::path folder = wanted.has_parent_path() ? wanted.parent_path() : ".";
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (at->path().extension() == ".toml") { names.push_back(at->path().filename().string()); }
    }
    std::sort(names.begin(), names.end());
    std::string nearest = nearest_name(wanted.filename().string(), names);
    if (nearest.empty()) { nearest = nearest_name(wanted.filename().string() + ".toml", names); }
    if (nearest.empty()) { return {}; }
    return fmt::format("; did you mean \"{}\"?", (wanted.parent_path() / nearest).string());
}

}  // namespace

Node read_toml_text(std::string_view text, const std::string& name) {
    Skim skim(text);
    if (const std::string problem = skim.problem(); !problem.empty()) {
        throw ConfigError({name, skim.line()}, problem);
    }
    try {
        return converted(toml::parse(text, std::string_view(name)), name);
    } catch (const toml::parse_error& error) {
        throw ConfigError(position_of(error.source(), name), fmt::format("no valid TOML: {}", error.description()));
    } catch (const FailedAssertion&) { throw ConfigError({name, line_of_failed_assertion(text)}, "no valid TOML"); }
}

Node read_toml_file(const std::string& path) {
    const SourcePosition where{path, 0};
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    std::error_code error;
    if (!stream) {
        throw ConfigError(where, "cannot be read: " + std::string(std::strerror(errno)) + similar_file(path));
    }
    if (std::filesystem::is_directory(path, error)) {
        throw ConfigError(where, "cannot be read: it is a folder; expected a file");
    }
    // A pipe has no size beforehand, and /dev/zero no end.
    std::string text;
    std::array<char, 16384> part{};
    while (text.size() <= most_bytes && (stream.read(part.data(), part.size()), stream.gcount() > 0)) {
        text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
    }
    if (stream.bad()) { throw ConfigError(where, "cannot be read: " + std::string(std::strerror(errno))); }
    if (text.size() > most_bytes) {
        throw ConfigError(where, fmt::format("more than {} MiB: expected a configuration file", most_bytes >> 20U));
    }
    return read_toml_text(text, path);
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t bytes = character_bytes(text);
        if (bytes == 0) { return false; }
        text.remove_prefix(bytes);
    }
    return true;
}

Node read_toml_value(const std::string& text, const SourcePosition& position) {
    if (!Skim(text).problem().empty()) { return {text, position}; }
    try {
        const toml::table parsed = toml::parse("value = " + text);
        const toml::node* value = parsed.get("value");
        if (parsed.size() == 1 && !value->is_date() && !value->is_time() && !value->is_date_time()) {
            Node node = converted(*value, position.file);
            node.position = position;
            return node;
        }
    } catch (const toml::parse_error&) {
        // No TOML value: a bare word such as 20us.
    } catch (const FailedAssertion&) {
        // Neither.
    }
    return {text, position};
}

}  // namespace model
