#include "tools/locksim/validating/published_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "model/scenario/reading/config_error.hpp"

namespace locksim {

namespace {

/// Cells never have quotes in them: these are figures and names.
std::vector<std::string> split_cells(const std::string& line) {
    std::vector<std::string> cells;
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
        end = line.find(',', begin);
        cells.push_back(line.substr(begin, end == std::string::npos ? end : end - begin));
        if (end == std::string::npos) { break; }
    }
    return cells;
}

}  // namespace

PublishedTable PublishedTable::read(const std::string& path) {
    std::ifstream in(path);
    if (!in) { throw model::ConfigError({path, 0}, "cannot be read: expected a table of published figures (CSV)"); }
    PublishedTable table;
    table.file_ = path;
    std::int32_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (!line.empty() && line.back() == '\r') { line.pop_back(); }
        if (line.empty() || line.front() == '#') { continue; }
        std::vector<std::string> cells = split_cells(line);
        if (table.columns_.empty()) {
            table.columns_ = std::move(cells);
            continue;
        }
        if (cells.size() != table.columns_.size()) {
            throw model::ConfigError(
                {path, number}, fmt::format("{}: expected {} cells, as the header has", line, table.columns_.size()));
        }
        table.rows_.push_back({std::move(cells), {path, number}});
    }
    if (table.columns_.empty()) { throw model::ConfigError({path, number}, "expected a header line and rows"); }
    return table;
}

bool PublishedTable::has(const std::string& column) const {
    return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
}

const std::string& PublishedTable::cell(const Row& row, const std::string& column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found == columns_.end()) {
        throw model::ConfigError({file_, 0},
                                 fmt::format("no column \"{}\"{}", column, model::suggestion(column, columns_)));
    }
    return row.cells[static_cast<std::size_t>(found - columns_.begin())];
}

double PublishedTable::number(const Row& row, const std::string& column) const {
    const std::string& text = cell(row, column);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        throw model::ConfigError(row.position, fmt::format("{} = {}: expected a number", column, text));
    }
    return value;
}

}  // namespace locksim
