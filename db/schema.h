// What a database file may hold: the tables, their columns, and what each column takes.
// The loader, the blob, the export and `rocvet db check` all work from this one description.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocvet::db {

enum class Kind {
  text,
  number,   ///< integer or float
  boolean,  ///< stored as "true" or "false"
  list,     ///< array of strings, or one string
  range,    ///< a version range (db/version.h)
  version,  ///< one version with at least two parts, such as "6.2.4"
  word,     ///< one of `words`
  date,     ///< a TOML date, stored as YYYY-MM-DD
  rows,     ///< array of tables: rows of the table named in `words`, their `of` is this row's id
};

struct Column {
  std::string_view name;
  Kind kind = Kind::text;
  bool required = false;
  std::string_view words = {};  ///< Kind::word: the choices, separated by spaces
  /// Kept in the binary; what only the build's own tests want is not.
  bool kept = true;
};

/// One `[[name]]` of the TOML files. `key` names the columns that tell two rows apart: an overlay
/// row with the same key takes the place of the embedded one.
struct TableSpec {
  std::string_view name;
  std::string_view about;
  std::span<const Column> columns;
  std::string_view key;
  /// The table whose rows these are written in (Kind::rows); "" for a table of its own.
  std::string_view parent = {};

  constexpr std::optional<std::size_t> column(std::string_view wanted) const {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].name == wanted) return i;
    }
    return std::nullopt;
  }
};

/// Every table of its own ends with these columns: source (required), checked (required), basis,
/// note, and `where` (file:line:column, filled in by the loader); one with a parent begins with
/// `of` and ends with `where`. `places`, where a table has it, is the loader's too: the line and
/// column of each value, for what can only be judged beside other rows.
std::span<const TableSpec> tables();
std::optional<std::size_t> table_index(std::string_view name);

/// One row: a text per column of its table, "" where the file says nothing. Lists are joined with
/// kListSeparator.
using Row = std::vector<std::string>;
inline constexpr char kListSeparator = '\x1f';

/// All rows, by table index.
struct Tables {
  std::vector<std::vector<Row>> rows;
  Tables();
};

/// The parts of a list cell; none for "".
std::vector<std::string_view> list_items(std::string_view cell);

}  // namespace rocvet::db
