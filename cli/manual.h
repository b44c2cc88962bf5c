// The manual: every check, self-test and root cause has a page, which `explain` prints.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "db/database.h"

namespace rocvet::cli {

/// An Error says that there is no such page, with "did you mean".
Result<std::string> manual_page(std::string_view id, const Database& database);

}  // namespace rocvet::cli
