// Opens a library of ROCm that this program does not link. In worker processes only: loading one
// runs vendor code.
#pragma once

#include <span>
#include <string>

#include "machine/result.h"

namespace rocvet::gpu {

struct Library {
  void* handle = nullptr;  ///< never closed: ROCm's libraries do not survive it
  std::string path;

  /// nullptr when the library has no such symbol.
  void* symbol(const char* name) const;
};

/// `stem` "libamdhip64", `majors` newest first. As a program of the user would: by the dynamic
/// loader's own rules first, then ROCM_PATH and HIP_PATH, then /opt/rocm and /opt/rocm-*, newest
/// first. Error::missing: it is nowhere. Error::failed: it is there and does not load, in the
/// loader's words.
Result<Library> open_rocm_library(const std::string& stem, std::span<const int> majors);

}  // namespace rocvet::gpu
