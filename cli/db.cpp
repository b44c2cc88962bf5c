// rocvet db check DIR | export | key | install | remove | show: the database as data.
#include "base/text.h"
#include "cli/db_archive.h"
#include "cli/output.h"
#include "db/blob_database.h"
#include "db/check.h"
#include "db/load.h"

namespace rocvet::cli {

int db_verb(int argc, char** argv) {
  std::string action, directory, format = "json", table, archive, sign;
  std::vector<std::string> keys;
  CLI::App app(
      "Checks a folder of database files, exports the database, or installs a newer one that is a "
      "signed archive.",
      "rocvet db");
  app.add_option("action", action, "check, export, key, install, remove or show")->required();
  app.add_option("directory", directory,
                 "check, export: the folder; it is laid over the built-in database. key, install: "
                 "the file");
  app.add_option("--db", directory, "the same");
  app.add_option("--format", format, "export: json, or csv (one table)");
  app.add_option("--table", table, "export: this table only");
  app.add_option("--archive", archive, "export: pack the folder, a whole database, into this file")
      ->check(not_empty);
  app.add_option("--sign", sign, "export --archive: the secret key's file");
  app.add_option("--key", keys, "install: trust this public key too (repeatable)");
  if (const auto status = parse(app, argc, argv)) return *status;
  if (action == "key") return make_keys(directory);
  if (action == "install") return install_archive(directory, keys);
  if (action == "remove") return remove_installed();
  if (action == "show") return show_database();
  if (action == "export" && !archive.empty()) return export_archive(directory, archive, sign);

  const auto* embedded = dynamic_cast<const db::BlobDatabase*>(&Database::embedded());
  db::Tables tables = embedded->blob().decode();
  std::size_t rows = 0;
  if (!directory.empty()) {
    auto overlay = db::load_directory(directory);
    if (!overlay) return complain(overlay.error().text());
    for (const auto& list : overlay->rows) rows += list.size();
    // A whole database stands alone; facts of a site are laid over the built-in one.
    const bool whole = !overlay->rows[*db::table_index("release")].empty();
    const db::Tables merged = whole ? *overlay : db::merge(tables, *overlay);
    // `check` tells every problem; nothing is exported of what no other verb would take.
    if (action == "export") {
      if (const auto ok = db::check_overlay(*overlay, merged); !ok)
        return complain(ok.error().text());
    }
    tables = merged;
  } else {
    for (const auto& list : tables.rows) rows += list.size();
  }

  if (action == "check") {
    std::string text;
    const auto problems = db::check(tables);
    for (const auto& problem : problems) text += problem.where + ": " + problem.what + "\n";
    text += std::to_string(rows) + " rows, " + std::to_string(problems.size()) +
            (problems.size() == 1 ? " problem\n" : " problems\n");
    const auto done = print(text);
    if (!done) return complain(done.error().text());
    return problems.empty() ? 0 : 1;
  }
  if (action != "export")
    return complain("db: takes check, export, key, install, remove or show, not '" + action + "'");
  if (format != "json" && format != "csv")
    return complain("db: --format takes json or csv, not '" + format + "'");
  std::optional<std::size_t> index;
  std::vector<std::string> names;
  for (const auto& spec : db::tables()) names.emplace_back(spec.name);
  if (!table.empty()) {
    index = db::table_index(table);
    if (!index)
      return complain("db: no table is called '" + table + "'" + did_you_mean(table, names));
  }
  if (format == "csv" && !index)
    return complain("db: --format csv takes --table (" + join(names, ", ") + ")");
  if (index) {
    for (std::size_t i = 0; i < tables.rows.size(); ++i) {
      if (i != *index) tables.rows[i].clear();
    }
  }
  const auto done =
      print(format == "csv" ? db::export_csv(tables, *index) : db::export_json(tables));
  return done ? 0 : complain(done.error().text());
}

}  // namespace rocvet::cli
