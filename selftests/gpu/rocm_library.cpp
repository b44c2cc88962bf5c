#include "selftests/gpu/rocm_library.h"

#include <dlfcn.h>
#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/read_whole_file.h"
#include "machine/loader.h"
#include "selftests/gpu/trusted_library.h"

namespace rocvet::gpu {
namespace {

std::vector<std::string>& added_folders() {
  static std::vector<std::string> folders;
  return folders;
}

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
  found.insert(found.end(), added_folders().begin(), added_folders().end());
  return found;
}

bool has_library(const std::string& folder, const std::string& stem) {
  glob_t matches{};
  const bool found = glob((folder + "/" + stem + ".so*").c_str(), 0, nullptr, &matches) == 0;
  globfree(&matches);
  return found;
}

std::string path_of(void* handle, const std::string& fallback) {
  char origin[4096];
  // The loader tells the folder of the file; the name is the one that was asked for.
  if (dlinfo(handle, RTLD_DI_ORIGIN, origin) != 0) return fallback;
  const std::size_t slash = fallback.rfind('/');
  std::string path = std::string(origin) + "/" +
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

void add_library_folders(const std::vector<std::string>& folders) {
  added_folders().insert(added_folders().end(), folders.begin(), folders.end());
}

bool rocm_library_is_installed(const std::string& stem) {
  std::vector<std::string> places = folders();
  if (const char* path = std::getenv("LD_LIBRARY_PATH")) {
    for (std::string& folder : split_library_path(path)) places.push_back(std::move(folder));
  }
  const auto holds = [&](const std::string& folder) {
    return !folder.empty() && has_library(folder, stem);
  };
  if (std::ranges::any_of(places, holds)) return true;
  const auto cache = read_whole_file("/etc/ld.so.cache", 64u << 20);
  return cache && cache->find(stem + ".so") != std::string::npos;
}

Result<Library> open_rocm_library(const std::string& stem, std::span<const int> majors,
                                  const std::string& beside) {
  std::vector<std::string> names;
  for (const int major : majors) names.push_back(stem + ".so." + std::to_string(major));
  names.push_back(stem + ".so");

  std::string complaint, distrusted;
  const auto try_open = [&](const std::string& name) -> void* {
    const std::string file = library_to_open(name, distrusted);
    if (file.empty()) return nullptr;
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (handle != nullptr) return handle;
    const char* words = dlerror();
    // "not found" for the name itself is no news; for anything else it says what is broken.
    const std::string text = words != nullptr ? words : "";
    const bool absent = text.starts_with(file + ":") &&
                        text.find("cannot open shared object file: No such file") != text.npos;
    if (!absent && complaint.empty()) complaint = text;
    return nullptr;
  };
  for (const std::string& name : names) {
    if (void* handle = try_open(name)) return Library{handle, path_of(handle, name)};
  }
  std::vector<std::string> places = folders();
  if (!beside.empty()) places.insert(places.begin(), beside);
  for (const std::string& folder : places) {
    for (const std::string& name : names) {
      const std::string path = folder + "/" + name;
      if (access(path.c_str(), F_OK) != 0) continue;
      if (void* handle = try_open(path)) return Library{handle, path_of(handle, path)};
    }
  }
  if (distrusted.empty()) distrusted = why_left_out(stem);
  if (!distrusted.empty()) return Error{Error::Kind::denied, stem, distrusted};
  if (!complaint.empty()) {
    return Error{Error::Kind::failed, stem, "is installed but does not load: " + complaint};
  }
  std::string tried;
  for (const std::string& name : names) tried += (tried.empty() ? "" : ", ") + name;
  return missing(stem, "was not found (looked for " + tried +
                           " where the loader looks, in ROCM_PATH, HIP_PATH and /opt/rocm*)");
}

}  // namespace rocvet::gpu
