#pragma once
// A configuration as a tree of values, each with the place where it was written. Own and copyable, because trees
// are overlaid (machine file, scenario, variant, options) and every value must keep its own place for messages.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/scenario/scenario.hpp"

namespace model {

class Node {
public:
    struct Entry;
    using Array = std::vector<Node>;
    using Table = std::vector<Entry>;  ///< in the order of the file

    Node() = default;
    template <class Value>
    Node(Value value, SourcePosition where) : position(std::move(where)), value_(std::move(value)) {}

    bool is_table() const { return std::holds_alternative<Table>(value_); }

    /// The value if it has this type, else null.
    template <class Value>
    const Value* get_if() const {
        return std::get_if<Value>(&value_);
    }
    template <class Value>
    Value* get_if() {
        return std::get_if<Value>(&value_);
    }

    /// The value at `key`; null if there is none or this is no table.
    const Node* find(std::string_view key) const;
    Node* find(std::string_view key);

    /// Of a table.
    Node& insert(std::string key, Node value);
    void erase(std::string_view key);
    std::vector<std::string> keys() const;

    /// As it would be written, shortened: for messages.
    std::string text() const;

    SourcePosition position;

private:
    std::variant<Table, Array, bool, std::int64_t, double, std::string> value_;
};

struct Node::Entry {
    std::string key;
    SourcePosition position;  ///< of the key
    Node value;
};

/// A TOML basic string with its quotes.
std::string toml_string(std::string_view text);

/// A TOML key: bare where that is allowed.
std::string key_text(std::string_view key);

}  // namespace model
