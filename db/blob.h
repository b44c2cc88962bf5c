// The compiled database: every cell of every row, as offsets into one table of texts. Made from the
// TOML files when rocvet is built; read in place, so that start-up costs nothing.
//
// Layout, little-endian 32-bit words: magic, schema fingerprint, table count, text bytes; per table
// {row count, column count, word offset of its cells}; the cells (offset, length of a text), row
// by row; then the texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "db/schema.h"
#include "db/schema_tables.h"

namespace rocvet::db {

std::string encode(const Tables& tables);

/// A view of an encoded database; the bytes must outlive it.
class Blob {
 public:
  static Result<Blob> open(std::string_view bytes);
  std::size_t rows(std::size_t table) const;
  std::string_view cell(std::size_t table, std::size_t row, std::size_t column) const;
  Tables decode() const;

 private:
  std::uint32_t word(std::size_t index) const;
  std::string_view bytes_;
  std::size_t texts_ = 0;
};

/// All rows of a table, whichever it is.
class TableView {
 public:
  TableView(const Blob& blob, std::size_t table) : blob_(&blob), table_(table) {}
  std::size_t size() const { return blob_->rows(table_); }
  /// For what reads any table: "" for a column that the row does not fill or the table lacks.
  std::string_view find(std::size_t row, std::string_view column) const {
    const auto index = tables()[table_].column(column);
    return index ? cell(row, *index) : std::string_view{};
  }

 protected:
  std::string_view cell(std::size_t row, std::size_t column) const {
    return blob_->cell(table_, row, column);
  }

 private:
  const Blob* blob_;
  std::size_t table_;
};

/// All rows of one table; that it has the columns asked for is checked when rocvet is compiled.
template <TableName kName>
class Table : public TableView {
 public:
  using Column = ColumnOf<kName>;
  explicit Table(const Blob& blob) : TableView(blob, kTableIndex<kName>) {}
  /// "" for a column that the row does not fill.
  std::string_view get(std::size_t row, Column column) const { return cell(row, column.index()); }
};

}  // namespace rocvet::db
