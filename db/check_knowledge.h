// What the loader cannot see of the rows about causes, messages and texts: names that are not
// there, templates that do not fit their own examples, relations that go round.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "db/schema.h"

namespace rocvet::db {

struct Problem {
  std::string where, what;  ///< "db/causes/access.toml:12:1", one sentence
};

/// Of all rows together. Rows that come from the binary have no examples any more: what those would
/// show is not looked for.
std::vector<Problem> check_knowledge(const Tables& tables);
/// Of rows laid over others, in `merged` together: the first problem of a row that is laid over, as
/// an error at its place.
Result<Done> check_overlay(const Tables& overlay, const Tables& merged);

}  // namespace rocvet::db
