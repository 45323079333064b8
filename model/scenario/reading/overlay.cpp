#include "model/scenario/reading/overlay.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "model/scenario/reading/config_error.hpp"

namespace model {
namespace {

/// The tables whose keys are names given by a file. [machine.cpus] is none of them: every CPU exists, listed or not.
struct NamedTable {
    std::string_view path;
    std::string_view what;
};
constexpr std::array<NamedTable, 6> named_tables{{{"locks", "lock"},
                                                  {"lines", "line"},
                                                  {"flags", "flag"},
                                                  {"groups", "group"},
                                                  {"machine.clusters", "cluster"},
                                                  {"machine.distances", "distance"}}};

std::string path_text(const std::vector<std::string>& path, std::size_t parts) {
    return fmt::format("{}", fmt::join(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(parts), "."));
}

/// The element of an array that part `at` of the path names.
Node& array_element(Node::Array& array, const Override& change, std::size_t at) {
    const std::string& part = change.path[at];
    std::size_t index = array.size();
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    if (error != std::errc{} || end != part.data() + part.size() || index >= array.size()) {
        throw ConfigError(change.position,
                          fmt::format("{}: {} has the elements 0 to {}", path_text(change.path, at + 1),
                                      path_text(change.path, at), static_cast<int>(array.size()) - 1));
    }
    return array[index];
}

/// The value of `parent` that part `at` of the path names, made if it may be.
Node& child(Node& parent, const Override& change, std::size_t at) {
    if (auto* array = parent.get_if<Node::Array>()) { return array_element(*array, change, at); }
    if (!parent.is_table()) {
        throw ConfigError(change.position, fmt::format("{}: {} = {} has no keys", path_text(change.path, at + 1),
                                                       path_text(change.path, at), parent.text()));
    }
    const std::string& key = change.path[at];
    if (Node* found = parent.find(key)) { return *found; }
    const std::string parent_path = path_text(change.path, at);
    for (const auto& table : named_tables) {
        if (table.path != parent_path) { continue; }
        throw ConfigError(change.position, fmt::format("{}: no such {}{}", path_text(change.path, at + 1), table.what,
                                                       suggestion(key, parent.keys())));
    }
    return parent.insert(key, {Node::Table{}, change.position});
}

}  // namespace

std::vector<std::string> split_path(const std::string& path) {
    std::vector<std::string> parts{""};
    for (const char c : path) {
        if (c == '.') {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

std::vector<Override> overrides_in(const Node& table, const std::vector<std::string>& prefix) {
    std::vector<Override> changes;
    for (const auto& entry : *table.get_if<Node::Table>()) {
        std::vector<std::string> path = prefix;
        for (auto& part : split_path(entry.key)) { path.push_back(std::move(part)); }
        if (entry.value.is_table()) {
            for (auto& change : overrides_in(entry.value, path)) { changes.push_back(std::move(change)); }
        } else {
            changes.push_back({path, entry.position, entry.value});
        }
    }
    return changes;
}

void apply_override(Node& root, const Override& change) {
    constexpr std::size_t most_parts = 32;  // a tree as deep as a path is long would exhaust the stack
    if (change.path.size() > most_parts) {
        throw ConfigError(change.position,
                          fmt::format("{}...: a path of more than {} parts", path_text(change.path, 3), most_parts));
    }
    Node* place = &root;
    for (std::size_t at = 0; at < change.path.size(); ++at) { place = &child(*place, change, at); }
    if (place->is_table() && !place->get_if<Node::Table>()->empty()) {
        throw ConfigError(
            change.position,
            fmt::format("{} = {}: expected a table", path_text(change.path, change.path.size()), change.value.text()));
    }
    *place = change.value;
}

const Node* value_at(const Node& root, const std::vector<std::string>& path, std::vector<std::string>& known) {
    const Node* place = &root;
    for (const auto& part : path) {
        known = place->keys();
        const Node* next = place->find(part);
        if (const auto* array = place->get_if<Node::Array>()) {
            std::size_t index = array->size();
            std::from_chars(part.data(), part.data() + part.size(), index);
            next = index < array->size() ? &(*array)[index] : nullptr;
        }
        if (next == nullptr) { return nullptr; }
        place = next;
    }
    return place;
}

}  // namespace model
