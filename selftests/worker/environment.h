// What a worker has of the caller's environment.
#pragma once

#include <string>
#include <vector>

namespace rocvet::worker {

/// The caller's own LD_LIBRARY_PATH stands here where a worker got another one.
constexpr const char* kCallersLibraryPath = "ROCVET_CALLERS_LIBRARY_PATH";

/// As NAME=VALUE. For root without what would make the loader take files that another user could
/// have put there: of LD_LIBRARY_PATH what is no plain absolute folder of root's, of LD_PRELOAD and
/// LD_AUDIT what is no such file. The loader looks at more places in a folder than anybody can
/// foretell ($LIB, glibc-hwcaps), and takes an empty entry for the current one.
std::vector<std::string> worker_environment();

}  // namespace rocvet::worker
