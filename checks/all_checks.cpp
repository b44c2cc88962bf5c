// The registry, in the order that reports print: topic by topic what is C++, then what is a row of
// the database. Explicit on purpose: a self-registering object in a static library is dropped by
// the linker when nobody refers to it. One list per topic folder, so that people adding checks do
// not meet in one file; a name in a list without its file is a link error, a file that is in no
// list fails tests/unit/checks/registry_test.cpp.
#include <deque>

#include "base/text.h"
#include "checks/check.h"
#include "db/schema_tables.h"

namespace rocvet {

#define ROCVET_CHECK(name) extern const Check name;
#include "checks/all_lists.inc"
#undef ROCVET_CHECK

namespace {

constexpr const Check* kAll[] = {
#define ROCVET_CHECK(name) &name,
#include "checks/all_lists.inc"
#undef ROCVET_CHECK
};

/// The checks of one database, with those that are made of its rows.
struct Registry {
  std::deque<Check> of_rows;
  std::vector<const Check*> all;
};

Registry make_registry(const Database& database) {
  Registry made;
  for (const std::string_view topic : words(db::schema::kCheckTopics)) {
    for (const Check* check : kAll) {
      if (check->topic == topic) made.all.push_back(check);
    }
    for (const CheckRow& row : database.check_rows()) {
      if (row.topic != topic) continue;
      made.of_rows.push_back({.code = row.code,
                              .id = row.id,
                              .topic = row.topic,
                              .title = row.title,
                              .doc = row.doc,
                              .row = &row});
      made.all.push_back(&made.of_rows.back());
    }
  }
  return made;
}

}  // namespace

std::span<const Check* const> checks_in_code() {
  return kAll;
}

std::span<const Check* const> all_checks(const Database& database) {
  return database.derived(&make_registry).all;
}

}  // namespace rocvet
