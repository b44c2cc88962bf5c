// System errors by name, so that a replayed snapshot words an error as the live machine did.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace rocvet {

/// EACCES -> "EACCES"; one that is not in our list -> "E13".
std::string errno_name(int number);
/// The Error for an errno by its name: EACCES and EPERM are denied, ENOENT and ENOTDIR missing,
/// ETIMEDOUT timed_out. `what` begins with the name, except that missing reads "does not exist".
Error errno_error(std::string where, std::string_view name);
/// As errno_error, and `what` begins with the name in every case (what open_device promises).
Error open_error(std::string where, std::string_view name);
Error too_large(std::string where, std::size_t limit);

}  // namespace rocvet
