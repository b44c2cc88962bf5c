// Opening a file that must be a regular one.
#pragma once

#include <sys/stat.h>

#include <string>

#include "base/result.h"

namespace rocvet {

/// A descriptor for reading, and what fstat says of it. What is there is asked before it is opened:
/// to open a watchdog starts it, a tape rewinds, a pipe's writer wakes. Error: the path cannot be
/// opened ("ENOENT …", "EISDIR …"), or "is not a regular file".
Result<int> open_regular(const std::string& path, struct stat& info, const std::string& where);

}  // namespace rocvet
