#include "db/load.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/text.h"
#include "base/toml.h"
#include "db/version.h"

namespace rocvet::db {
namespace {

// A database is a few hundred kilobytes; anything near this is not one.
constexpr std::size_t kMaxFileBytes = 8u << 20;

Error at(const std::string& file, const TomlNode& node, std::string what) {
  return malformed(file + ":" + std::to_string(node.line) + ":" + std::to_string(node.column),
                   std::move(what));
}

std::string number_text(const TomlNode& node) {
  if (node.kind == TomlNode::Kind::integer) return std::to_string(node.integer);
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(12);
  out << node.real;
  return out.str();
}

std::string allowed_words(std::string_view choices) {
  std::vector<std::string> list;
  for (const auto word : words(choices)) list.emplace_back(word);
  return join(list, ", ");
}

/// A cell's text, checked against its column.
Result<std::string> cell_text(const TomlNode& node, const Column& column, const std::string& file) {
  using Is = TomlNode::Kind;
  const auto wrong = [&](const std::string& wanted) {
    return at(file, node, "'" + std::string(column.name) + "' takes " + wanted);
  };
  const auto one_text = [&](const TomlNode& item) -> Result<std::string> {
    const std::string name = "'" + std::string(column.name) + "'";
    if (item.kind != Is::string) return at(file, item, name + " takes a string");
    if (trim(item.text).empty()) return at(file, item, name + " is empty");
    if (item.text.find_first_of(std::string_view("\x1e\x1f\0", 3)) != std::string::npos) {
      return at(file, item, name + " holds control characters");
    }
    return item.text;
  };
  switch (column.kind) {
    case Kind::text:
      return one_text(node);
    case Kind::number:
      if (node.kind != Is::integer && node.kind != Is::real) return wrong("a number");
      return number_text(node);
    case Kind::boolean:
      if (node.kind != Is::boolean) return wrong("true or false");
      return std::string(node.boolean ? "true" : "false");
    case Kind::date:
      if (node.kind != Is::date) return wrong("a date such as 2026-11-21");
      return node.text;
    case Kind::range: {
      if (node.kind != Is::string || trim(node.text).empty()) {
        return wrong("a version range in quotes, such as \">=6.2, <6.4\"; \"*\" means all");
      }
      if (auto range = VersionRange::parse(node.text); !range)
        return at(file, node, range.error().what);
      return node.text;
    }
    case Kind::version: {
      const auto version = Version::parse(node.text);
      if (node.kind != Is::string || !version || version->parts.size() < 2 ||
          version->text() != node.text) {
        return wrong("a version in quotes, such as \"6.2.4\"");
      }
      return node.text;
    }
    case Kind::word: {
      const auto choices = words(column.words);
      if (node.kind != Is::string ||
          std::find(choices.begin(), choices.end(), node.text) == choices.end()) {
        return wrong("one of " + allowed_words(column.words) +
                     (node.text.empty() ? "" : ", not '" + node.text + "'"));
      }
      return node.text;
    }
    case Kind::rows:
      break;
    case Kind::list: {
      if (node.kind == Is::string) return one_text(node);
      if (node.kind != Is::array) return wrong("a list of strings");
      std::string joined;
      for (const auto& item : node.items) {
        auto text = one_text(item);
        if (!text) return text.error();
        if (!joined.empty()) joined += kListSeparator;
        joined += *text;
      }
      return joined;
    }
  }
  return wrong("something else");
}

/// Whether a file may fill the column: where a row stands and whose it is are not for it to say.
bool is_given(const Column& column) {
  return column.name != "where" && column.name != "of" && column.name != "places";
}

/// "fix 12:7;needs 9:9": where the value of each key begins, for what is wrong only beside others.
std::string places_of(const TomlNode& table) {
  std::string places;
  for (const auto& [key, value] : table.members)
    places += key + " " + std::to_string(value.line) + ":" + std::to_string(value.column) + ";";
  return places;
}

/// One table of a file as a row of `spec`, and the rows that are written in it.
Result<Done> read_row(const TomlNode& table, const TableSpec& spec, const std::string& file,
                      const std::string& file_gfx, const std::string& of, Tables& into) {
  Row row(spec.columns.size());
  for (const auto& [key, value] : table.members) {
    const auto index = spec.column(key);
    if (!index || !is_given(spec.columns[*index])) {
      std::vector<std::string> names;
      for (const auto& column : spec.columns) {
        if (is_given(column)) names.emplace_back(column.name);
      }
      return at(file, value,
                "unknown key '" + key + "' in [[" + std::string(spec.name) + "]]" +
                    did_you_mean(key, names));
    }
    const Column& column = spec.columns[*index];
    if (column.kind == Kind::rows) {
      if (value.kind != TomlNode::Kind::array)
        return at(file, value, "'" + key + "' takes a list of tables");
      for (const auto& item : value.items) {
        if (item.kind != TomlNode::Kind::table)
          return at(file, item, "'" + key + "' takes a list of tables");
        const TableSpec& inner = tables()[*table_index(column.words)];
        if (auto done = read_row(item, inner, file, "", table.string_or("id"), into); !done)
          return done;
      }
      continue;
    }
    auto text = cell_text(value, column, file);
    if (!text) return text.error();
    row[*index] = std::move(*text);
  }
  row[*spec.column("where")] =
      file + ":" + std::to_string(table.line) + ":" + std::to_string(table.column);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Column& column = spec.columns[i];
    // A file about one gfx target says so once, in its [[target]].
    if (column.name == "gfx" && row[i].empty()) row[i] = file_gfx;
    if (column.name == "of") row[i] = of;
    if (column.name == "places") row[i] = places_of(table);
    if (column.required && row[i].empty()) {
      return at(file, table,
                "[[" + std::string(spec.name) + "]] without '" + std::string(column.name) + "'");
    }
  }
  // What only the loader can tell: a row of the binary has no examples any more.
  if (spec.name == "text" && row[*spec.column("prose")] != "true" &&
      row[*spec.column("hit")].empty())
    return at(file, table, "[[text]] of a program without 'hit'");
  into.rows[*table_index(spec.name)].push_back(std::move(row));
  return Done{};
}

std::string key_of(const Row& row, const TableSpec& spec) {
  std::string key;
  for (const auto name : words(spec.key)) key += row[*spec.column(name)] + '\x1e';
  return key;
}

Result<Done> load_document(const TomlNode& document, const std::string& file, Tables& into) {
  std::string file_gfx;
  if (const auto* target = document.find("target");
      target && target->items.size() == 1 && target->items[0].kind == TomlNode::Kind::table) {
    file_gfx = target->items[0].string_or("gfx");
  }
  const auto* schema = document.find("schema");
  if (!schema) return malformed(file + ":1:1", "no 'schema = 1'");
  if (schema->kind != TomlNode::Kind::integer || schema->integer != 1) {
    return at(file, *schema, "'schema' is not 1");
  }
  // In the order of the file, so that the first mistake is the one that is told.
  std::vector<const TomlMember*> sections;
  for (const auto& member : document.members) sections.push_back(&member);
  std::sort(sections.begin(), sections.end(),
            [](const auto* a, const auto* b) { return a->second.line < b->second.line; });
  for (const auto* section : sections) {
    const auto& [name, node] = *section;
    if (name == "schema") continue;
    const auto index = table_index(name);
    if (!index || !tables()[*index].parent.empty()) {
      std::vector<std::string> names;
      for (const auto& spec : tables()) {
        if (spec.parent.empty()) names.emplace_back(spec.name);
      }
      return at(file, node, "unknown table '" + name + "'" + did_you_mean(name, names));
    }
    if (node.kind != TomlNode::Kind::array)
      return at(file, node, "'" + name + "' takes [[" + name + "]] rows");
    for (const auto& item : node.items) {
      if (item.kind != TomlNode::Kind::table) {
        return at(file, item, "'" + name + "' takes [[" + name + "]] rows");
      }
      if (auto done = read_row(item, tables()[*index], file, file_gfx, "", into); !done)
        return done;
    }
  }
  return Done{};
}

}  // namespace

Result<Done> load_text(std::string_view text, const std::string& file, Tables& into) {
  const auto document = parse_toml(text, file);
  if (!document) return document.error();
  return load_document(*document, file, into);
}

Result<Tables> load_directory(const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code problem;
  if (!fs::is_directory(directory, problem)) return missing(directory, "is not a directory");
  std::vector<fs::path> files;
  bool figures = false;
  for (auto it = fs::recursive_directory_iterator(directory, problem);
       !problem && it != fs::recursive_directory_iterator(); it.increment(problem)) {
    // Figures of healthy parts have tables of their own (db/performance.h).
    if (it->is_directory(problem) && it->path().filename() == "performance") {
      it.disable_recursion_pending();
      figures = true;
    }
    if (it->path().extension() == ".toml" && it->is_regular_file(problem))
      files.push_back(it->path());
  }
  if (problem) return Error{Error::Kind::failed, directory, problem.message()};
  if (files.empty() && !figures) return missing(directory, "holds no .toml file");
  std::sort(files.begin(), files.end());

  Tables all;
  for (const auto& path : files) {
    const auto size = fs::file_size(path, problem);
    if (problem || size > kMaxFileBytes) {
      return Error{Error::Kind::failed, path.string(),
                   problem ? problem.message() : "is too large"};
    }
    std::ifstream stream(path, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    if (!stream) return Error{Error::Kind::denied, path.string(), "cannot be read"};
    if (auto done = load_text(text.str(), path.string(), all); !done) return done.error();
  }
  return all;
}

Tables merge(const Tables& base, const Tables& overlay) {
  Tables merged = overlay;
  for (std::size_t i = 0; i < tables().size(); ++i) {
    const TableSpec& spec = tables()[i];
    std::set<std::string> keys;
    // The rows in a row go with it: all of them are the overlay's, or none.
    const std::size_t owner = spec.parent.empty() ? i : *table_index(spec.parent);
    for (const auto& row : overlay.rows[owner]) keys.insert(key_of(row, tables()[owner]));
    for (const auto& row : base.rows[i]) {
      if (!keys.contains(key_of(row, spec))) merged.rows[i].push_back(row);
    }
  }
  return merged;
}

}  // namespace rocvet::db
