// Paths that settings name and that are not there: what an upgrade or a removal left behind.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "machine/system.h"
#include "source/source.h"

namespace rocvet {

struct DeadPath {
  std::string named_by;  ///< "ld.so.conf", "/etc/alternatives/hipcc", or a variable: "LD_PRELOAD"
  std::string path;
};

/// `loader_path`: folders of ld.so.conf; of them, of PATH and of LD_LIBRARY_PATH only those that
/// name ROCm count. A path that could not be looked at is not dead.
std::vector<DeadPath> read_dead_paths(Source& source, const std::vector<std::string>& loader_path,
                                      const std::map<std::string, std::string>& environment);

/// Whether it is a variable by which compilers and build systems find a part of ROCm: "HCC_HOME".
bool names_tool_folder(std::string_view variable);

/// They are kept as Kernel::settings["dead paths"], a line each: who names it, a tab, the path.
std::string dead_paths_text(const std::vector<DeadPath>& dead);
std::vector<DeadPath> dead_paths(const Kernel& kernel);

}  // namespace rocvet
