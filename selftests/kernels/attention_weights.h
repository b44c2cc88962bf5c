// From scores to weights: exponentials, their sum, and their form as operands of the next product.
#pragma once

#include "tile.h"

namespace rocvet::kernel {

using Pair = Vector<float, 2>;

/// Whether a matrix instruction sums the weights, four of a lane at once: there is no dot product
/// of bfloat16 numbers on CDNA 1 to 3.
template <Type type>
constexpr bool matrix_sums() {
#if defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__)
  return type == Type::bf16;
#else
  return false;
#endif
}

/// A lane's sum of weights. Of a matrix instruction's the four are equal.
template <Type type>
using Total = typename Select<matrix_sums<type>(), Vector<float, 4>, Vector<float, 1>>::type_t;

/// Two weights as halves of a word. Where no instruction rounds two to the nearest they are cut
/// short, which has no bias: the sum that they are divided by is of the very same numbers.
template <Type type>
ROCVET_DEVICE u32 pack_weights(Pair weight) {
#if defined(__gfx950__)
  if constexpr (type == Type::fp16) {
    using Halves = _Float16 __attribute__((ext_vector_type(2)));
    return bits<u32>(__builtin_convertvector(weight, Halves));
  } else {
    return pack_halves<type>(weight[0], weight[1]);
  }
#else
  if constexpr (type == Type::fp16) {
    return bits<u32>(__builtin_amdgcn_cvt_pkrtz(weight[0], weight[1]));
  } else {
    return high_halves(bits<u32>(static_cast<float>(weight[0])),
                       bits<u32>(static_cast<float>(weight[1])));
  }
#endif
}

/// Adds the four weights of two words.
template <Type type>
ROCVET_DEVICE void add_weights(Total<type>& total, u32 first, u32 second) {
  [[maybe_unused]] constexpr u32 kOnes = type == Type::fp16 ? 0x3c003c00 : 0x3f803f80;
  if constexpr (type == Type::fp16) {
    using Halves = _Float16 __attribute__((ext_vector_type(2)));
    for (int i = 0; i < 2; ++i) {
      const u32 word = i == 0 ? first : second;
#if defined(__gfx1250__)  // has no dot products of 16 bits
      const Halves halves = bits<Halves>(word);
      total[0] += static_cast<float>(halves[0]) + static_cast<float>(halves[1]);
#else
      total[0] = __builtin_amdgcn_fdot2(bits<Halves>(word), bits<Halves>(kOnes), total[0], false);
#endif
    }
  } else {
#if defined(__gfx908__)
    for (int i = 0; i < 2; ++i) {
      const u32 word = i == 0 ? first : second;
      total = __builtin_amdgcn_mfma_f32_4x4x2bf16(bits<I16x2>(kOnes), bits<I16x2>(word), total, 0,
                                                  0, 0);
    }
#elif defined(__gfx90a__) || defined(__gfx942__)
    const Vector<u32, 2> ones = {kOnes, kOnes}, words = {first, second};
    total = __builtin_amdgcn_mfma_f32_4x4x4bf16_1k(bits<I16x4>(ones), bits<I16x4>(words), total, 0,
                                                   0, 0);
#elif defined(__gfx950__)
    using Halves = __bf16 __attribute__((ext_vector_type(2)));
    for (int i = 0; i < 2; ++i) {
      const u32 word = i == 0 ? first : second;
      total[0] =
          __builtin_amdgcn_fdot2_f32_bf16(bits<Halves>(word), bits<Halves>(kOnes), total[0], false);
    }
#else
    // gfx11 and gfx12 have a dot product of bfloat16, which the simulator that we verify with takes
    // for one of half precision (rocjitsu 0.2.0).
    for (int i = 0; i < 2; ++i) {
      const u32 word = i == 0 ? first : second;
      total[0] += bits<float>(word << 16) + bits<float>(word & 0xffff0000u);
    }
#endif
  }
}

}  // namespace rocvet::kernel
