// What of a machine could not be looked at.
#pragma once

#include <string>

#include "base/result.h"

namespace rocvet {

/// Something of the machine that could not be looked at.
struct Unread {
  std::string place;  ///< a path, "cmd:NAME" for a command's output, "process:FIELD"
  Error error;        ///< denied, timed_out or failed
};

/// It exists, or may, and was not seen. What a thing is (a folder, too long, no ELF file) is an
/// answer.
bool was_not_seen(const Error& error);

}  // namespace rocvet
