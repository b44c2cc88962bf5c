// What is passed on of a log is judged like the log: each message that the database knows is still
// that message without names and secrets.
#include <doctest/doctest.h>

#include "db/check_knowledge.h"
#include "db/load.h"
#include "source/redaction.h"

using namespace rocvet;

namespace {

/// Makes of each example of `table` what a snapshot keeps of it; how many there are.
std::size_t redact_examples(db::Tables& tables, std::string_view table) {
  const std::size_t index = db::table_index(table).value();
  const std::size_t column = db::tables()[index].column("hit").value();
  std::size_t count = 0;
  for (db::Row& row : tables.rows[index]) {
    std::string redacted;
    for (const std::string_view hit : db::list_items(row[column])) {
      Redactor redactor(7);
      redactor.learn(hit);
      if (!redacted.empty()) redacted += db::kListSeparator;
      redacted += redactor.text(hit);
      ++count;
    }
    row[column] = redacted;
  }
  return count;
}

}  // namespace

TEST_CASE("each known message is known when it is redacted") {
  auto tables = db::load_directory(ROCVET_SOURCE_DIR "/db");
  REQUIRE(tables);
  CHECK(redact_examples(*tables, "text") > 1000);
  CHECK(redact_examples(*tables, "event") > 500);
  for (const db::Problem& problem : db::check_knowledge(*tables)) {
    CAPTURE(problem.where);
    FAIL_CHECK(problem.what);
  }
}
