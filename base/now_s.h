#pragma once

#include <chrono>

namespace rocvet {

/// Seconds of the monotonic clock, since whenever it began.
inline double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace rocvet
