// What the kernels of peak.hip say of themselves and of what each block did, for the host as well.
#pragma once

#include "types.h"

namespace rocvet::kernel {

/// Places in the array of shapes: those of the types, then those of block-scaled elements.
inline constexpr int kPeakFp6 = kTypes, kPeakFp4 = kTypes + 1, kPeaks = kTypes + 2;

struct PeakShape {
  u32 threads;      ///< of a block; 0: this target has no instructions of its own for the type
  u32 dynamic_lds;  ///< bytes of the launch
  u32 operations;   ///< of a block in one step: a multiply-add counts as two
};

struct PeakBlock {
  u32 portions;  ///< that this block took
  u32 digest;    ///< of the sums of its first portion
  u32 changed;   ///< threads that got other sums in a later one
  u32 unit;      ///< where it ran, as the hardware numbers its units; on RDNA pairs of them
  u64 cycles;    ///< of the engine clock, from its first instruction to its last; 0 on the host
};

}  // namespace rocvet::kernel
