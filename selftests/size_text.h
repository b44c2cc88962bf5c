#pragma once

#include <cstdint>
#include <string>

namespace rocvet {

/// "64 MiB", "64 KiB": whole units.
inline std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kKiB = 1024, kMiB = kKiB * 1024;
  return bytes >= kMiB ? std::to_string(bytes / kMiB) + " MiB"
                       : std::to_string(bytes / kKiB) + " KiB";
}

}  // namespace rocvet
