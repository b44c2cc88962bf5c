// rocvet explain ID: the manual page of a check or a self-test.
#include "cli/manual.h"
#include "cli/output.h"

namespace rocvet::cli {

int explain_verb(int argc, char** argv) {
  std::string id;
  CLI::App app("Prints the manual page of a check, a self-test or a root cause.", "rocvet explain");
  app.add_option("id", id,
                 "a code (RV102), an id (kfd-not-accessible), a self-test or a root cause")
      ->required();
  std::string overlay;
  add_database_option(app, overlay);
  if (const auto status = parse(app, argc, argv)) return *status;

  const auto database = open_database(overlay);
  if (!database) return complain(database.error().text());
  const auto page = manual_page(id, **database);
  if (!page) return complain("explain: " + page.error().what);
  if (auto done = print(*page); !done) return complain(done.error().text());
  return 0;
}

}  // namespace rocvet::cli
