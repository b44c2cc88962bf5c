// TOML files -> rows. Strict: what is not in db/schema.h is an error with file:line:column.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "db/schema.h"

namespace rocvet::db {

/// Adds the rows of one file's text. `file` is how errors and `where` name it.
Result<Done> load_text(std::string_view text, const std::string& file, Tables& into);

/// All *.toml below `directory`, in the order of their paths. Errors: the directory is missing or
/// empty of TOML files, a file cannot be read, or a line is wrong.
Result<Tables> load_directory(const std::string& directory);

/// Rows of `overlay` in front of those of `base`; a base row with the same key is left out.
Tables merge(const Tables& base, const Tables& overlay);

}  // namespace rocvet::db
