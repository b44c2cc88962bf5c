// What the kernels of convert.hip say of themselves and of what each block did, for the host as
// well.
#pragma once

#include "memory.h"

namespace rocvet::kernel {

/// Formats that numbers of single precision are converted to and from. e4m3 and e5m2 are those of
/// the target: OCP, or AMD's FNUZ.
enum class Narrow { fp16, bf16, e4m3, e5m2, e2m3, e3m2, e2m1 };
inline constexpr int kNarrows = 7;

struct ConvertShape {
  u32 narrow, widen;  ///< numbers that a thread converts at a time; 0: there is no instruction
  u32 fnuz;           ///< whether e4m3 and e5m2 are FNUZ
  u32 scaled;         ///< whether the numbers may have a scale, a power of two, other than 1
};

/// What the result of input `at` adds to the digest of a block.
ROCVET_BOTH u32 convert_digest(u32 at, u32 result) {
  return mixed(at ^ mixed(result));
}

/// Inputs come in multiples of so many: that many threads convert at most 32 each.
inline constexpr u32 kConvertThreads = 256, kConvertStep = 32 * kConvertThreads;

struct ConvertBlock {
  u32 wrong;   ///< results that differ from what was expected
  u32 digest;  ///< sum of convert_digest() of all results
  u32 unit;    ///< where it ran, as the hardware numbers its units; on RDNA pairs of them
};

struct ConvertWrong {
  u32 at;   ///< place among the inputs
  u32 got;  ///< bits
  u32 block, unit;
};
/// The first results that are wrong, in the order in which they were found.
inline constexpr u32 kConvertWrongs = 16;
struct ConvertFound {
  u32 count;  ///< of those that were to be kept: may be more than there is room for
  ConvertWrong wrong[kConvertWrongs];
};

}  // namespace rocvet::kernel
