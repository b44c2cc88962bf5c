// The mounts of a process, as the kernel lists them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rocvet {

struct Mount {
  std::string device, path, type, options;  ///< options as in /proc/mounts, comma separated
};

/// /proc/mounts; octal escapes (\040) decoded.
std::vector<Mount> parse_mounts(std::string_view text);
/// The mount that holds `path`, nullptr when the list is empty.
const Mount* mount_of(const std::vector<Mount>& mounts, std::string_view path);

}  // namespace rocvet
