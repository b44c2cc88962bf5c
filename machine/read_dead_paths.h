// Paths that settings name and that are not there: what an upgrade or a removal left behind.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "machine/software.h"
#include "machine/source.h"

namespace rocvet {

/// `loader_path`: folders of ld.so.conf; of them, of PATH and of LD_LIBRARY_PATH only those that
/// name ROCm count. A path that could not be looked at is not dead.
std::vector<DeadPath> read_dead_paths(Source& source, const std::vector<std::string>& loader_path,
                                      const std::map<std::string, std::string>& environment);

}  // namespace rocvet
