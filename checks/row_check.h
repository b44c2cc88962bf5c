// Checks that are rows of the database (db/check_row.h), run.
#pragma once

#include <vector>

#include "checks/check.h"

namespace rocvet {

/// What the row says of the machine. A bad value is the row's verdict, good ones are a pass; where
/// a need is not met, or the machine has no such thing, a skip; a fact that could not be read is
/// unknown. A sentence or a step with a gap is said of each bad value by itself, one without gaps
/// once of all.
std::vector<Finding> run_row(const Context& context, const CheckRow& row);
/// What one check says, be it a row or C++. A check that throws is for run_checks to catch.
std::vector<Finding> findings_of(const Context& context, const Check& check);

}  // namespace rocvet
