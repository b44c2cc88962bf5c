// The block-scaled matrix instruction: a 16 x 16 product over 128 elements of K.
//
// gfx950. Which elements a lane holds: row lane % 16 of its operand, and with q = lane / 16
//   fp4, fp6   K from 32 * q on, 32 elements in a row
//   fp8        K from 16 * q on and from 64 + 16 * q on, 16 elements each
// but the scale in the lowest byte of its scale register is always that of K from 32 * q on (for
// fp8 that of elements which other lanes hold). So for every format K goes through the instruction
// in the order of memory. Sources, both of AMD and run by AMD on gfx950, in ROCm/composable_kernel:
// the register tables of test/mx_mfma_op/mx_mfma_op.hpp (fp8, fp4, scales), and the pieces that
// include/ck_tile/core/arch/mma/scale/mfma/scale_gfx9.hpp gives each type (fp6: one). AMD's article
// on the matrix cores of CDNA 4 loads fp8 and fp4 in the same way.
//
// gfx1250. A lane has 64 elements of row lane % 16, and with h = lane / 16
//   fp4, fp6   K from 32 * h and from 64 + 32 * h on, 32 elements each
//   fp8        K from 16 * h, 32 + 16 * h, 64 + 16 * h and 96 + 16 * h on, 16 elements each
// Lanes 0 to 15 give the scales of their rows, one byte for each 32 elements in the order of K.
// Sources: ROCm/composable_kernel's intrinsics for gfx125 (which bytes are which scales) and AMD's
// simulator rocjitsu, which runs it (shared/mma_exec.h). It numbers the elements of K otherwise,
// in A and B alike, to the same blocks and the same product.
#pragma once

#include "mx.h"
#include "tile.h"

namespace rocvet::kernel {

/// A lane's elements.
template <Mx format>
struct MxOperand {
  static constexpr int kWords = kMxOfLane * bits_of(format) / 32;
  u32 word[kWords];
};

#if ROCVET_AMD
using I32x16 = int __attribute__((ext_vector_type(16)));
/// As many words as a builtin takes of every format.
template <class Words, Mx format>
ROCVET_DEVICE Words padded(const MxOperand<format>& operand) {
  Words words = {};
  ROCVET_UNROLL
  for (int i = 0; i < MxOperand<format>::kWords; ++i) {
    words[i] = static_cast<int>(operand.word[i]);
  }
  return words;
}
#endif

#if ROCVET_AMD && defined(__gfx950__)
template <Mx format>
struct MxTile {
  using Sums = Vector<float, 4>;
  static constexpr int kLanes = 64, kM = 16, kN = 16, kSums = 4;
  static constexpr Spot d(int lane, int sum) { return {4 * (lane / 16) + sum, lane % 16}; }
  static constexpr int byte(int lane, int at) { return mx_byte(format, lane / 16, at); }
  /// Of the four scales of a row's step, what a lane gives the instruction, and where it begins.
  static constexpr int scale_byte(int lane) { return lane / 16; }
  static ROCVET_DEVICE u32 scale(const u8* from) { return *from; }

  /// Scales stand in vector registers: of scalar ones the hardware reads other bits
  /// (llvm/llvm-project#158117).
  static ROCVET_DEVICE void issue(Sums& d, const MxOperand<format>& a, const MxOperand<format>& b,
                                  u32 scale_a, u32 scale_b) {
    constexpr int kCode = static_cast<int>(format);
    d = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(padded<I32x8>(a), padded<I32x8>(b), d,
                                                         kCode, kCode, 0, static_cast<int>(scale_a),
                                                         0, static_cast<int>(scale_b));
  }
};
#elif ROCVET_AMD && defined(__gfx1250__)
template <Mx format>
struct MxTile {
  using Sums = Vector<float, 8>;
  static constexpr int kLanes = 32, kM = 16, kN = 16, kSums = 8;
  static constexpr Spot d(int lane, int sum) { return {sum + 8 * (lane / 16), lane % 16}; }
  static constexpr int byte(int lane, int at) { return mx_byte_of_half(format, lane / 16, at); }
  static constexpr int scale_byte(int) { return 0; }
  static ROCVET_DEVICE u32 scale(const u8* from) { return *reinterpret_cast<const u32*>(from); }

  /// Scales in E8M0, of lanes 0 to 15.
  static ROCVET_DEVICE void issue(Sums& d, const MxOperand<format>& a, const MxOperand<format>& b,
                                  u32 scale_a, u32 scale_b) {
    constexpr int kCode = static_cast<int>(format);
    d = __builtin_amdgcn_wmma_scale_f32_16x16x128_f8f6f4(
        kCode, padded<I32x16>(a), kCode, padded<I32x16>(b), 0, d, 0, 0, static_cast<int>(scale_a),
        0, 0, static_cast<int>(scale_b), false, false);
  }
};
#endif

}  // namespace rocvet::kernel
