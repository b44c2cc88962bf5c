// Opens a library of ROCm that this program does not link. In worker processes only: loading one
// runs vendor code.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace rocvet::gpu {

struct Library {
  void* handle = nullptr;  ///< never closed: ROCm's libraries do not survive it
  std::string path;

  std::string folder() const { return path.substr(0, path.rfind('/')); }
  /// nullptr when the library has no such symbol.
  void* symbol(const char* name) const;
};

/// `stem` "libamdhip64", `majors` newest first. As a program of the user would: by the dynamic
/// loader's own rules first, then ROCM_PATH and HIP_PATH, then /opt/rocm and /opt/rocm-*, newest
/// first. `beside` comes before these folders: where the HIP runtime in use lies. Error::missing:
/// it is nowhere. Error::failed: it is there and does not load, in the loader's words.
Result<Library> open_rocm_library(const std::string& stem, std::span<const int> majors,
                                  const std::string& beside = "");

/// More places for open_rocm_library to look, after those that it knows.
void add_library_folders(const std::vector<std::string>& folders);

/// Whether open_rocm_library could find `stem`: by looking, without loading anything. A cache of
/// the loader that names a file which is gone makes it say yes.
bool rocm_library_is_installed(const std::string& stem);

}  // namespace rocvet::gpu
