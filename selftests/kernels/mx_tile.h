// The block-scaled matrix instruction of gfx950: a 16 x 16 product over 128 elements of K.
//
// Which elements a lane holds: row lane % 16 of its operand, and with q = lane / 16
//   fp4, fp6   K from 32 * q on, 32 elements in a row
//   fp8        K from 16 * q on and from 64 + 16 * q on, 16 elements each
// but the scale in the lowest byte of its scale register is always that of K from 32 * q on (for
// fp8 that of elements which other lanes hold). So for every format K goes through the instruction
// in the order of memory. Sources, both of AMD and run by AMD on gfx950, in ROCm/composable_kernel:
// the register tables of test/mx_mfma_op/mx_mfma_op.hpp (fp8, fp4, scales), and the pieces that
// include/ck_tile/core/arch/mma/scale/mfma/scale_gfx9.hpp gives each type (fp6: one). AMD's article
// on the matrix cores of CDNA 4 loads fp8 and fp4 in the same way.
#pragma once

#include "mx.h"
#include "tile.h"

namespace rocvet::kernel {

/// A lane's 32 elements.
template <Mx format>
struct MxOperand {
  static constexpr int kWords = bits_of(format);
  u32 word[kWords];
};

#if ROCVET_AMD && defined(__gfx950__)
template <Mx format>
struct MxTile {
  using Sums = Vector<float, 4>;
  static constexpr int kM = 16, kN = 16, kSums = 4;
  static constexpr Spot d(int lane, int sum) { return {4 * (lane / 16) + sum, lane % 16}; }

  /// Scales stand in vector registers: of scalar ones the hardware reads other bits
  /// (llvm/llvm-project#158117).
  static ROCVET_DEVICE void issue(Sums& d, const MxOperand<format>& a, const MxOperand<format>& b,
                                  u32 scale_a, u32 scale_b) {
    constexpr int kCode = static_cast<int>(format);
    d = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(padded(a), padded(b), d, kCode, kCode, 0,
                                                         static_cast<int>(scale_a), 0,
                                                         static_cast<int>(scale_b));
  }

 private:
  /// The builtin takes 8 words of every format.
  static ROCVET_DEVICE I32x8 padded(const MxOperand<format>& operand) {
    I32x8 words = {};
    ROCVET_UNROLL
    for (int i = 0; i < MxOperand<format>::kWords; ++i) {
      words[i] = static_cast<int>(operand.word[i]);
    }
    return words;
  }
};
#endif

}  // namespace rocvet::kernel
