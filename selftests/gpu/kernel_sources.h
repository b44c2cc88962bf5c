// The source of the kernels, as hipRTC gets it.
#pragma once

#include <span>

namespace rocvet::gpu {

struct KernelSource {
  const char* name;  ///< "gemm.hip", "tile.h"
  const char* text;
};

/// gemm.hip first, then every header that kernels include.
std::span<const KernelSource> kernel_sources();

}  // namespace rocvet::gpu
