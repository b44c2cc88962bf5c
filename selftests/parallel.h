// Work on the host, spread over the threads that a worker may use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <system_error>
#include <thread>
#include <vector>

namespace rocvet {

/// Calls work(part, first, last) for the parts of [0, count), all at once; returns when all are
/// done. There are at most `threads` parts; fewer threads than that only make it slower.
inline void in_parallel(
    int threads, std::uint64_t count,
    const std::function<void(std::size_t, std::uint64_t, std::uint64_t)>& work) {
  const auto parts = static_cast<std::uint64_t>(
      std::clamp<std::uint64_t>(count, 1, static_cast<std::uint64_t>(std::max(threads, 1))));
  std::vector<std::thread> others;
  for (std::uint64_t part = 1; part < parts; ++part) {
    const std::uint64_t first = count * part / parts, last = count * (part + 1) / parts;
    try {
      others.emplace_back(work, part, first, last);
    } catch (const std::system_error&) {  // a limit of the user or container: do it here
      work(part, first, last);
    }
  }
  work(0, 0, count / parts);
  for (std::thread& other : others) other.join();
}

}  // namespace rocvet
