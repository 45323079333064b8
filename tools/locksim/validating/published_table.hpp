#pragma once
// A table of published figures: CSV with comment lines (#) in front, one header line, then rows.

#include <optional>
#include <string>
#include <vector>

#include "model/scenario/scenario.hpp"

namespace locksim {

class PublishedTable {
public:
    /// Throws model::ConfigError: no such file, no header, a row with another number of cells.
    static PublishedTable read(const std::string& path);

    struct Row {
        std::vector<std::string> cells;
        model::SourcePosition position;
    };
    const std::vector<Row>& rows() const { return rows_; }
    const std::vector<std::string>& columns() const { return columns_; }
    bool has(const std::string& column) const;
    const std::string& file() const { return file_; }

    /// Throws ConfigError: there is no such column.
    const std::string& cell(const Row& row, const std::string& column) const;
    /// Throws ConfigError: the cell is no number.
    double number(const Row& row, const std::string& column) const;

private:
    std::string file_;
    std::vector<std::string> columns_;
    std::vector<Row> rows_;
};

}  // namespace locksim
