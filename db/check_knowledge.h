// What the loader cannot see of the rows about causes, messages and texts: names that are not
// there, templates that do not fit their own examples, relations that go round.
#pragma once

#include <string>
#include <vector>

#include "db/schema.h"

namespace rocvet::db {

struct Problem {
  std::string where, what;  ///< "db/causes/access.toml:12:1", one sentence
};

/// Of all rows together. Rows that come from the binary have no examples any more: what those would
/// show is not looked for.
std::vector<Problem> check_knowledge(const Tables& tables);

}  // namespace rocvet::db
