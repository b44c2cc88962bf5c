// The kernel's messages of this boot, as lines. What they mean is decided in checks/kernel_log.
#pragma once

#include <string>
#include <vector>

namespace rocvet {

struct KernelLine {
  double seconds = -1;  ///< since boot; -1 when the line has no stamp
  std::string text;     ///< without the stamp
};

struct KernelLog {
  std::string origin;  ///< "cmd/dmesg", "/var/log/kern.log", "journal" …
  std::vector<KernelLine> lines;
};

}  // namespace rocvet
