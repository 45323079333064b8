#include "model/scenario/reading/toml_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

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

/// Walks over a text as TOML's lexer does and looks for keys such as a.a.a. ... with thousands of parts: the library
/// makes a table of each, and the stack ends before the text does. What is no TOML is left to the library.
class KeyCheck {
public:
    explicit KeyCheck(std::string_view text) : rest_(text) {}

    /// The line of the first key that is too long; 0: none is.
    int line_of_endless_key() {
        while (!rest_.empty() && dots_ < most_key_parts) {
            const char c = rest_.front();
            if (c == '#') {
                skip(std::min(rest_.find('\n'), rest_.size()));
            } else if (c == '"' || c == '\'') {
                skip_string(c);
            } else {
                if (c == '.') { ++dots_; }
                if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) { dots_ = 0; }
                skip(1);
            }
        }
        return dots_ < most_key_parts ? 0 : line_;
    }

private:
    void skip(std::size_t count) {
        line_ += static_cast<int>(std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(count), '\n'));
        rest_.remove_prefix(count);
    }

    void skip_string(char quote) {
        const std::string three(3, quote);
        const std::string_view end = std::string_view(three).substr(0, rest_.starts_with(three) ? 3 : 1);
        std::size_t at = end.size();
        while (at < rest_.size() && !rest_.substr(at).starts_with(end)) {
            at += quote == '"' && rest_[at] == '\\' ? 2 : 1;
        }
        skip(std::min(at + end.size(), rest_.size()));
    }

    std::string_view rest_;
    int line_ = 1;
    int dots_ = 0;
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
    if (const int line = KeyCheck(text).line_of_endless_key(); line != 0) {
        throw ConfigError({name, line}, fmt::format("a key of more than {} parts", most_key_parts));
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
    std::string text(most_bytes + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (stream.bad()) { throw ConfigError(where, "cannot be read: " + std::string(std::strerror(errno))); }
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (text.size() > most_bytes) {
        throw ConfigError(where, fmt::format("more than {} MiB: expected a configuration file", most_bytes >> 20U));
    }
    return read_toml_text(text, path);
}

Node read_toml_value(const std::string& text, const SourcePosition& position) {
    if (KeyCheck(text).line_of_endless_key() != 0) { return {text, position}; }
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
