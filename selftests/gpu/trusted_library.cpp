#include "selftests/gpu/trusted_library.h"

#include <unistd.h>

#include <cstdlib>

#include "base/trusted_path.h"
#include "machine/loader.h"
#include "machine/read_loader_cache.h"

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

std::string why_not(const std::string& file) {
  const auto changer = who_else_changes({file});
  if (!changer) return "";
  return file + " is not loaded as root: " + describe(*changer) +
         " could have changed it (run rocvet as that user, or give the folder to root)";
}

}  // namespace

std::string why_distrusted(const std::string& name) {
  if (::geteuid() != 0) return "";
  const auto source = live_source();
  Loader loader(*source, settings_here(*source));
  std::string path = name;
  if (!name.starts_with('/')) {
    const auto found = loader.find_by_name(name);
    if (!found) return "";
    path = found->path;
  }
  for (const LoadedObject& object : loader.replay(path).objects) {
    if (std::string why = why_not(object.path); !why.empty()) return why;
  }
  return "";
}

}  // namespace rocvet::gpu
