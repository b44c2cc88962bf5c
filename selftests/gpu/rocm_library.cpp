#include "selftests/gpu/rocm_library.h"

#include <dlfcn.h>
#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace rocvet::gpu {
namespace {

std::vector<std::string> folders() {
  std::vector<std::string> found;
  for (const char* variable : {"ROCM_PATH", "HIP_PATH", "ROCM_HOME"}) {
    if (const char* root = std::getenv(variable)) found.push_back(root + std::string("/lib"));
  }
  for (const char* pattern : {"/opt/rocm/lib", "/opt/rocm-*/lib", "/opt/rocm/core*/lib"}) {
    glob_t matches{};
    if (glob(pattern, 0, nullptr, &matches) == 0) {
      for (std::size_t i = matches.gl_pathc; i-- > 0;) found.push_back(matches.gl_pathv[i]);
    }
    globfree(&matches);
  }
  for (const char* folder : {"/usr/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/local/lib"}) {
    found.push_back(folder);
  }
  return found;
}

std::string path_of(void* handle, const std::string& fallback) {
  char origin[4096];
  // The loader tells the folder of the file; the name is the one that was asked for.
  if (dlinfo(handle, RTLD_DI_ORIGIN, origin) != 0) return fallback;
  const std::size_t slash = fallback.rfind('/');
  const std::string path = std::string(origin) + "/" +
                           (slash == std::string::npos ? fallback : fallback.substr(slash + 1));
  char* real = realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string resolved = real;
  std::free(real);
  return resolved;
}

}  // namespace

void* Library::symbol(const char* name) const {
  return dlsym(handle, name);
}

Result<Library> open_rocm_library(const std::string& stem, std::span<const int> majors) {
  std::vector<std::string> names;
  for (const int major : majors) names.push_back(stem + ".so." + std::to_string(major));
  names.push_back(stem + ".so");

  std::string complaint;
  const auto try_open = [&](const std::string& name) -> void* {
    void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (handle != nullptr) return handle;
    const char* words = dlerror();
    // "not found" for the name itself is no news; for anything else it says what is broken.
    const std::string text = words != nullptr ? words : "";
    const bool absent = text.starts_with(name + ":") &&
                        text.find("cannot open shared object file: No such file") != text.npos;
    if (!absent && complaint.empty()) complaint = text;
    return nullptr;
  };
  for (const std::string& name : names) {
    if (void* handle = try_open(name)) return Library{handle, path_of(handle, name)};
  }
  for (const std::string& folder : folders()) {
    for (const std::string& name : names) {
      const std::string path = folder + "/" + name;
      if (access(path.c_str(), F_OK) != 0) continue;
      if (void* handle = try_open(path)) return Library{handle, path_of(handle, path)};
    }
  }
  if (!complaint.empty()) {
    return Error{Error::Kind::failed, stem, "is installed but does not load: " + complaint};
  }
  std::string tried;
  for (const std::string& name : names) tried += (tried.empty() ? "" : ", ") + name;
  return missing(stem, "is not installed (looked for " + tried +
                           " where the loader looks, in ROCM_PATH, HIP_PATH and /opt/rocm*)");
}

}  // namespace rocvet::gpu
