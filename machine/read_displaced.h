// What LD_LIBRARY_PATH changes for the programs here: libraries of ROCm that they would get from
// another file without it, or not at all.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "machine/access.h"
#include "machine/loader.h"
#include "machine/settings.h"
#include "machine/software.h"
#include "source/source.h"

namespace rocvet {

/// A value of LD_LIBRARY_PATH with a folder of ROCm's libraries in it.
struct LibraryPath {
  std::vector<std::string> folders;  ///< all, in order
  std::vector<std::string> others;   ///< those without a library of ROCm
  std::string set_by;                ///< as DisplacedLibrary has it
};

/// The process's own first, then those that services, profile files and /etc/environment set and
/// that differ from it. At most eight.
std::vector<LibraryPath> read_library_paths(Source& source,
                                            const std::map<std::string, std::string>& environment,
                                            const std::vector<Service>& services,
                                            const std::vector<VariableSetting>& variables);

/// Replays a program under each of the paths and without their folders of ROCm, and adds what
/// differs to `out`. The loader's own path is as before afterwards.
void compare_library_paths(Source& source, Loader& loader, const std::vector<LibraryPath>& paths,
                           const std::string& program, const std::function<Replay()>& replay,
                           std::vector<DisplacedLibrary>& out);

}  // namespace rocvet
