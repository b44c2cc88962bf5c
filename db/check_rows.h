// What is wrong with rows of [[check]] that the loader cannot see: facts, comparisons, gaps,
// conditions and observations that are not there, a manual without its headings, a code or an id
// that another check has.
#pragma once

#include <vector>

#include "db/check_knowledge.h"

namespace rocvet::db {

/// Where a row was read from a file, `where` is file:line:column; rows of the binary have no
/// columns.
std::vector<Problem> check_rows(const Tables& tables);

/// The headings of a check's manual, in order.
inline constexpr std::string_view kManualHeadings[] = {"## What it looks for", "## Why it matters",
                                                       "## How to mend it", "## Not this",
                                                       "## References"};

}  // namespace rocvet::db
