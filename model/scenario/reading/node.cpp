#include "model/scenario/reading/node.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace model {
namespace {

struct TextOf {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return fmt::format("{}", value); }
    std::string operator()(const std::string& value) const {
        constexpr std::size_t shown = 60;
        return value.size() <= shown ? toml_string(value) : toml_string(value.substr(0, shown)) + "...";
    }
    std::string operator()(const Node::Array& value) const { return value.empty() ? "[]" : "[...]"; }
    std::string operator()(const Node::Table& value) const {
        return value.empty() ? "{}" : fmt::format("{{{} = ...}}", value.front().key);
    }
};

bool is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

}  // namespace

const Node* Node::find(std::string_view key) const {
    const auto* table = get_if<Table>();
    if (table == nullptr) { return nullptr; }
    for (const auto& entry : *table) {
        if (entry.key == key) { return &entry.value; }
    }
    return nullptr;
}

Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

Node& Node::insert(std::string key, Node value) {
    auto& table = std::get<Table>(value_);
    SourcePosition where = value.position;
    table.push_back({std::move(key), std::move(where), std::move(value)});
    return table.back().value;
}

void Node::erase(std::string_view key) {
    auto& table = std::get<Table>(value_);
    std::erase_if(table, [&](const Entry& entry) { return entry.key == key; });
}

std::vector<std::string> Node::keys() const {
    std::vector<std::string> names;
    if (const auto* table = get_if<Table>()) {
        for (const auto& entry : *table) { names.push_back(entry.key); }
    }
    return names;
}

std::string Node::text() const { return std::visit(TextOf{}, value_); }

std::string toml_string(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        switch (c) {
            case '"': result += "\\\""; break;
            case '\\': result += "\\\\"; break;
            case '\n': result += "\\n"; break;
            case '\t': result += "\\t"; break;
            case '\r': result += "\\r"; break;
            default: {
                const auto byte = static_cast<unsigned char>(c);
                if (byte < 0x20 || byte == 0x7f) {
                    result += fmt::format("\\u{:04x}", byte);
                } else {
                    result += c;
                }
            }
        }
    }
    return result + '"';
}

std::string key_text(std::string_view key) {
    const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), is_bare);
    return bare ? std::string(key) : toml_string(key);
}

}  // namespace model
