// Files of gzip.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace rocvet {

/// The text of a gzip file; text that is not gzip is returned as it is. At most 16 MiB.
Result<std::string> gunzip(const std::string& bytes, std::string_view where);

}  // namespace rocvet
