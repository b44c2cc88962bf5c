// From the bits of an element to a number and back, for kernels that have no instruction for it.
#pragma once

#include "types.h"

namespace rocvet::kernel {

ROCVET_DEVICE float from_bf16(u32 low16) {
  return bits<float>(low16 << 16);
}

ROCVET_DEVICE float from_fp16(u32 low16) {
#if ROCVET_AMD
  return static_cast<float>(bits<_Float16>(static_cast<u16>(low16)));
#elif ROCVET_CUDA
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(static_cast<u16>(low16)));
  return result;
#else
  const u32 sign = (low16 & 0x8000u) << 16, exponent = low16 >> 10 & 31, fraction = low16 & 0x3ff;
  if (exponent == 31) return bits<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return bits<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float small = static_cast<float>(fraction) * 0x1p-24f;
  return sign ? -small : small;
#endif
}

/// OCP E4M3: bias 7, no infinity, NaN is all ones.
ROCVET_DEVICE float from_fp8_ocp(u32 low8) {
  const u32 sign = (low8 & 0x80u) << 24, exponent = low8 >> 3 & 15, fraction = low8 & 7;
  if ((low8 & 0x7f) == 0x7f) return bits<float>(0x7fc00000u);
  if (exponent != 0) return bits<float>(sign | (exponent + 120) << 23 | fraction << 20);
  const float small = static_cast<float>(fraction) * 0x1p-9f;
  return sign ? -small : small;
}

/// The lower (or upper) halves of two words as one word. On AMD one byte permutation: clang's own
/// choice are moves of 16-bit halves, which rocjitsu 0.2.0 gets wrong in registers from v128 on.
ROCVET_DEVICE u32 low_halves(u32 low, u32 high) {
#if ROCVET_AMD
  return __builtin_amdgcn_perm(high, low, 0x05040100);
#else
  return (low & 0xffff) | high << 16;
#endif
}
ROCVET_DEVICE u32 high_halves(u32 low, u32 high) {
#if ROCVET_AMD
  return __builtin_amdgcn_perm(high, low, 0x07060302);
#else
  return low >> 16 | (high & 0xffff0000u);
#endif
}

/// Nearest, ties to even, for finite values; in the upper half.
ROCVET_DEVICE u32 rounded_bf16(float value) {
  const u32 word = bits<u32>(value);
  return word + 0x7fffu + (word >> 16 & 1);
}
ROCVET_DEVICE u32 to_bf16(float value) {
  return rounded_bf16(value) >> 16;
}

ROCVET_DEVICE u32 to_fp16(float value) {
#if ROCVET_AMD
  return bits<u16>(static_cast<_Float16>(value));
#elif ROCVET_CUDA
  u16 result;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(value));
  return result;
#else
  const u32 word = bits<u32>(value), sign = word >> 16 & 0x8000u, magnitude = word & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u;
  if (magnitude >= 0x477ff000u) return sign | 0x7c00u;
  if (magnitude < 0x38800000u) {  // a subnormal: let the addition round to a multiple of 2^-24
    const float rounded = bits<float>(magnitude) + 0.5f;
    return sign | (bits<u32>(rounded) - 0x3f000000u);
  }
  return sign | ((magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1)) >> 13);
#endif
}

template <Type type>
ROCVET_DEVICE float from_half(u32 low16) {
  return type == Type::bf16 ? from_bf16(low16) : from_fp16(low16);
}

/// Two numbers as two halves of one word.
template <Type type>
ROCVET_DEVICE u32 pack_halves(float low, float high) {
#if ROCVET_CUDA
  u32 result;
  if constexpr (type == Type::bf16) {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
  } else {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
  }
  return result;
#elif ROCVET_AMD
  if constexpr (type == Type::bf16) {
#if defined(__gfx950__)
    using Pair = __bf16 __attribute__((ext_vector_type(2)));
    return bits<u32>(Pair{static_cast<__bf16>(low), static_cast<__bf16>(high)});
#else
    return high_halves(rounded_bf16(low), rounded_bf16(high));
#endif
  } else {
#if defined(__GFX8__) || defined(__GFX9__)
    return low_halves(to_fp16(low), to_fp16(high));
#else
    // Rounded here (a tie goes up), so that the conversion of both is exact: rocjitsu 0.2.0 gets
    // the conversion of one wrong in registers from v128 on.
    const u32 first = (bits<u32>(low) + 0x1000) & ~0x1fffu;
    const u32 second = (bits<u32>(high) + 0x1000) & ~0x1fffu;
    return bits<u32>(__builtin_amdgcn_cvt_pkrtz(bits<float>(first), bits<float>(second)));
#endif
  }
#else
  return type == Type::bf16 ? to_bf16(low) | to_bf16(high) << 16
                            : to_fp16(low) | to_fp16(high) << 16;
#endif
}

}  // namespace rocvet::kernel
