// What the command line changes of a judgement: --ignore, --fail-on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "report/report.h"

namespace rocvet {

/// Whether an id, code or glob matches a check, a self-test or a root cause; an error has "did you
/// mean".
Result<Done> names_a_part(std::string_view pattern, const Database& database);

/// What these match counts no more: findings and self-tests say so, root causes go, and with a
/// root cause's findings it goes too. Judges anew.
void ignore(Report& report, const std::vector<std::string>& patterns);

/// Warnings fail, those of root causes that are suspicions too. Judges anew.
void fail_on_warnings(Report& report);

}  // namespace rocvet
