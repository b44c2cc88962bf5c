// ROCm under the Windows Subsystem for Linux.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checks/check.h"

namespace rocvet {

struct WslRocm {
  std::string version;             ///< "7.2.1"
  bool uses_librocdxg = false;     ///< librocdxg is its way to the GPU (from 7.2, or installed)
  bool detects_by_itself = false;  ///< no HSA_ENABLE_DXG_DETECTION is needed (from 7.13)
  std::vector<std::string> librocdxg_files;
  bool cache_known = false, in_loader_cache = false, in_loader_path = false;
  std::string package;              ///< "rocdxg-roct 1.1.0"; "" when it is not installed
  std::string wsl_runtime_package;  ///< hsa-runtime-rocr4wsl-amdgpu; "" when it is not installed
  std::optional<bool> rocminfo_lists_gpu;
};

WslRocm wsl_rocm(const Machine& machine);

}  // namespace rocvet
