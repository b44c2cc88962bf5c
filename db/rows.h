// The rows of one table as they were loaded, before they are compiled into a blob.
#pragma once

#include <string>
#include <vector>

#include "db/schema_tables.h"

namespace rocvet::db {

/// That the table has the columns asked for is checked when rocvet is compiled. The tables must
/// outlive it.
template <TableName kName>
class Rows {
 public:
  explicit Rows(const Tables& tables) : rows_(tables.rows[kTableIndex<kName>]) {}
  std::size_t size() const { return rows_.size(); }
  /// "" for a column that the row does not fill.
  const std::string& get(std::size_t row, ColumnOf<kName> column) const {
    return rows_[row][column.index()];
  }

 private:
  const std::vector<Row>& rows_;
};

}  // namespace rocvet::db
