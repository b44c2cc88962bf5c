// rocvet_dbc DIRECTORY OUTPUT: compiles the TOML files into the blob that rocvet embeds.
#include <cstdio>
#include <fstream>

#include "db/blob.h"
#include "db/check_knowledge.h"
#include "db/check_rows.h"
#include "db/load.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: rocvet_dbc DIRECTORY OUTPUT\n");
    return 3;
  }
  auto tables = rocvet::db::load_directory(argv[1]);
  if (!tables) {
    std::fprintf(stderr, "%s\n", tables.error().text().c_str());
    return 3;
  }
  auto problems = rocvet::db::check_knowledge(*tables);
  for (auto& problem : rocvet::db::check_rows(*tables)) problems.push_back(std::move(problem));
  for (const auto& problem : problems)
    std::fprintf(stderr, "%s: %s\n", problem.where.c_str(), problem.what.c_str());
  if (!problems.empty()) return 3;
  // `where` as a reader of the repository names the file, wherever the tree was built.
  const std::string prefix = std::string(argv[1]) + "/";
  for (std::size_t i = 0; i < rocvet::db::tables().size(); ++i) {
    const std::size_t where = *rocvet::db::tables()[i].column("where");
    for (auto& row : tables->rows[i]) {
      if (row[where].starts_with(prefix)) row[where] = "db/" + row[where].substr(prefix.size());
    }
  }
  std::ofstream out(argv[2], std::ios::binary | std::ios::trunc);
  const std::string blob = rocvet::db::encode(*tables);
  out.write(blob.data(), static_cast<std::streamsize>(blob.size()));
  out.close();
  if (!out) {
    std::fprintf(stderr, "%s: cannot be written\n", argv[2]);
    return 3;
  }
  return 0;
}
