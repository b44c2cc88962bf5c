#include "db/schema.h"

#include "db/schema_tables.h"

namespace rocvet::db {

std::span<const TableSpec> tables() {
  return schema::kTables;
}

std::optional<std::size_t> table_index(std::string_view name) {
  for (std::size_t i = 0; i < tables().size(); ++i) {
    if (tables()[i].name == name) return i;
  }
  return std::nullopt;
}

Tables::Tables() : rows(tables().size()) {}

std::vector<std::string_view> list_items(std::string_view cell) {
  std::vector<std::string_view> items;
  while (!cell.empty()) {
    const std::size_t end = cell.find(kListSeparator);
    items.push_back(cell.substr(0, end));
    cell = end == std::string_view::npos ? std::string_view{} : cell.substr(end + 1);
  }
  return items;
}

}  // namespace rocvet::db
