#include "selftests/gpu/trusted_library.h"

#include <unistd.h>

#include <cstdlib>

#include "base/path_walk.h"
#include "base/trusted_path.h"
#include "machine/loader.h"
#include "machine/read_loader_cache.h"
#include "selftests/worker/environment.h"
#include "source/read_value.h"

namespace rocvet::gpu {
namespace {

LoaderSettings settings_here(Source& source) {
  LoaderSettings settings;
  if (const char* path = std::getenv("LD_LIBRARY_PATH"))
    settings.library_path = split_library_path(path);
  settings.cache = read_loader_cache(source);
  settings.default_folders = default_loader_folders(source);
  return settings;
}

/// One for the process: its cache and the headers of ROCm's libraries are read once. Who could
/// change a file is asked anew each time.
Loader& loader_here() {
  static const auto source = live_source();
  static Loader loader(*source, settings_here(*source));
  return loader;
}

std::string why_not(const std::string& file) {
  const auto changer = who_else_changes({file});
  if (!changer) return "";
  return file + " is not loaded as root: " + describe(*changer) +
         " could have changed it (run rocvet as that user, or give the folder to root)";
}

}  // namespace

std::string library_to_open(const std::string& name, std::string& distrusted) {
  if (::geteuid() != 0) return name;
  Loader& loader = loader_here();
  std::string path = name;
  if (!name.starts_with('/')) {
    const auto found = loader.find_by_name(name);
    if (!found) return "";
    path = found->path;
  }
  for (const LoadedObject& object : loader.replay(path).objects) {
    if (std::string why = why_not(object.path); !why.empty()) {
      if (distrusted.empty()) distrusted = std::move(why);
      return "";
    }
  }
  return path;
}

std::string why_left_out(const std::string& stem) {
  const char* callers = std::getenv(worker::kCallersLibraryPath);
  if (callers == nullptr) return "";
  const auto source = live_source();
  for (const std::string& folder : split_library_path(callers)) {
    if (folder.empty()) continue;
    for (const std::string& name : list_of(*source, folder)) {
      if (!name.starts_with(stem + ".so")) continue;
      if (std::string why = why_not(join_path(folder, name)); !why.empty()) return why;
    }
  }
  return "";
}

}  // namespace rocvet::gpu
