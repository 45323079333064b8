#pragma once
// Reads a table of a configuration into a struct by the struct's field list; what is left over is an error.

#include <string>
#include <utility>
#include <vector>

#include "model/scenario/reading/fields.hpp"
#include "model/scenario/reading/node.hpp"
#include "model/scenario/reading/value_reader.hpp"

namespace model {

/// "a.b" of a table's path and a key; the top level has the empty path.
std::string joined_path(const std::string& path, std::string_view key);

/// A visitor of field lists.
class TableReader {
public:
    /// Throws ConfigError if `table` is none.
    TableReader(const Node& table, std::string path);

    template <class Member>
    void operator()(const FieldSpec& spec, Member&& member) {
        if (const Node* value = take(spec)) {
            read_value(*value, joined_path(path_, spec.name), spec, std::forward<Member>(member));
        }
    }

    /// A key that somebody else reads.
    void allow(std::string_view key) { known_.emplace_back(key); }

    /// Throws ConfigError for the first key that nobody asked for, else for the first required one that is missing
    /// (in this order, because a misspelled key is both).
    void finish() const;

private:
    const Node* take(const FieldSpec& spec);

    const Node& table_;
    std::string path_;
    std::vector<std::string> known_;
    std::string missing_;
};

/// A table that has the fields of `out` and no others.
template <class Struct>
void read_table(const Node& table, const std::string& path, Struct& out, const std::vector<std::string>& allowed = {}) {
    TableReader reader(table, path);
    visit_fields(out, reader);
    for (const auto& key : allowed) { reader.allow(key); }
    reader.finish();
}

/// The entries of the table at `key`; none where there is no such key. Throws ConfigError if it is no table.
const Node::Table& entries_of(const Node& parent, const std::string& path, std::string_view key);

/// A name that a file gives to a lock, a group, a variant ...: letters, digits, - and _, a letter first, so that
/// comparisons and paths can spell it. Throws ConfigError.
void check_name(const Node::Entry& entry, const std::string& path);

}  // namespace model
