#include "model/scenario/reading/table_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/scenario/reading/config_error.hpp"

namespace model {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_letter(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

}  // namespace

std::string joined_path(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

TableReader::TableReader(const Node& table, std::string path) : table_(table), path_(std::move(path)) {
    if (!table.is_table()) { reject(table, path_, "a table"); }
}

const Node* TableReader::take(const FieldSpec& spec) {
    known_.emplace_back(spec.name);
    const Node* value = table_.find(spec.name);
    if (value == nullptr && spec.required && missing_.empty()) {
        missing_ = fmt::format("{} is missing: {}", joined_path(path_, spec.name), spec.doc);
    }
    return value;
}

void TableReader::finish() const {
    for (const auto& entry : *table_.get_if<Node::Table>()) {
        if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) { continue; }
        throw ConfigError(entry.position, fmt::format("{}: unknown key{}", joined_path(path_, entry.key),
                                                      suggestion(entry.key, known_)));
    }
    if (!missing_.empty()) { throw ConfigError(table_.position, missing_); }
}

const Node::Table& entries_of(const Node& parent, const std::string& path, std::string_view key) {
    static const Node::Table none;
    const Node* table = parent.find(key);
    if (table == nullptr) { return none; }
    if (!table->is_table()) { reject(*table, joined_path(path, key), "a table"); }
    return *table->get_if<Node::Table>();
}

void check_name(const Node::Entry& entry, const std::string& path) {
    const std::string& name = entry.key;
    if (!name.empty() && is_letter(name.front()) && std::all_of(name.begin(), name.end(), is_name_letter)) { return; }
    throw ConfigError(entry.position,
                      fmt::format("{}: expected a name of letters, digits, - and _ that begins with a letter", path));
}

}  // namespace model
