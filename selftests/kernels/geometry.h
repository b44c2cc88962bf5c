// What a loaded code object says of its own kernels: how the host must launch them. Asking the
// device keeps host and device in step whatever target, compiler or hipRTC made the code.
#pragma once

#include "types.h"

namespace rocvet::kernel {

/// NAME_sm90 writes C in boxes of so many rows, 128 bytes of each.
inline constexpr u32 kSumRows = 16;

struct Geometry {
  u32 threads;           ///< of a block; 0: this target has no instructions for the type
  u32 block_m, block_n;  ///< rows and columns of C; of attention, queries and keys of a tile
  u32 dynamic_lds;       ///< bytes of the launch
  /// Not 0: use NAME_sm90, whose matrices are NVIDIA tensor maps, with a grid that is a multiple of
  /// so many blocks. They share the block's rows of B, each bringing its part.
  u32 cluster;
  u32 fp8;  ///< an Fp8
};

}  // namespace rocvet::kernel
