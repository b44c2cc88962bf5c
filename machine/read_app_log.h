// What the failing application printed: evidence of the user's, not of the machine's.
#pragma once

#include <string>

#include "source/source.h"

namespace rocvet {

/// `file` (of the machine rocvet runs on, whatever the source is), or cmd/app.log of a snapshot
/// when `file` is "". At most the last 4 MiB; colours and other terminal codes are taken out.
/// A pipe is read to its end, and not waited for without end (base/read_tail.h).
Result<std::string> read_app_log(Source& source, const std::string& file);

}  // namespace rocvet
