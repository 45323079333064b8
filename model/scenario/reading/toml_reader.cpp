#include "model/scenario/reading/toml_reader.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "model/scenario/reading/config_error.hpp"

// Some malformed texts ("[[[") fail assertions of the library. The user's mistake must not abort the program.
namespace {
struct FailedAssertion {};
constexpr void require(bool holds) {
    if (!holds) { throw FailedAssertion{}; }
}
}  // namespace
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

}  // namespace

Node read_toml_text(std::string_view text, const std::string& name) {
    try {
        return converted(toml::parse(text, std::string_view(name)), name);
    } catch (const toml::parse_error& error) {
        throw ConfigError(position_of(error.source(), name), fmt::format("no valid TOML: {}", error.description()));
    } catch (const FailedAssertion&) { throw ConfigError({name, line_of_failed_assertion(text)}, "no valid TOML"); }
}

Node read_toml_file(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    // An empty file makes operator<< fail, a folder makes the stream bad.
    if (!stream || (stream.peek(), stream.bad()) || (!stream.eof() && !(text << stream.rdbuf()))) {
        throw ConfigError({path, 0}, "cannot be read");
    }
    return read_toml_text(text.str(), path);
}

Node read_toml_value(const std::string& text, const SourcePosition& position) {
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
