// Reading what a person names, which may be a file, a device or the end of a pipe.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "base/result.h"

namespace rocvet {

/// How long a pipe may keep us waiting.
struct Patience {
  std::chrono::milliseconds for_writer{3000};  ///< until somebody opens its other end
  std::chrono::milliseconds for_more{30000};   ///< from one piece to the next
};

/// At least the last `most` bytes, or all where there are fewer. A terminal is waited for without
/// end; of a device the end is where it has nothing more to say now.
Result<std::string> read_tail(const std::string& path, std::size_t most, Patience patience = {});

}  // namespace rocvet
