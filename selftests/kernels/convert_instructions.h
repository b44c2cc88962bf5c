// The instructions that convert between single precision and narrower formats.
//
// ConvertOf<format>::narrow takes kNarrow numbers in single precision and gives their bits in the
// format, nearest and ties to even; ::widen takes the bits of kWiden numbers and gives them in
// single precision. Both come in words, one a number. 0 says that the target has no such
// instruction.
//
// What lies beyond the largest number becomes infinity in fp16 and bf16, and the largest in
// narrower formats. On AMD the latter is what MODE.FP16_OVFL asks for; fp6 and fp4 know nothing
// else. NVIDIA's instructions say .satfinite. A scale divides before, and multiplies after.
//
// Sources: the manuals of the CDNA3, CDNA4 and RDNA4 instruction sets (V_CVT_*, MODE); PTX, cvt.
#pragma once

#include "conversion.h"
#include "convert.h"
#include "isa.h"
#include "mx.h"

namespace rocvet::kernel {

template <Narrow format>
struct ConvertOf {
  static constexpr u32 kNarrow = 0, kWiden = 0;
};

/// MODE.FP16_OVFL (bit 23): what overflows in 8 bits becomes the largest number. Triton sets it in
/// every kernel with such a conversion. In fp16 it would keep numbers from becoming infinity.
/// rocjitsu 0.2.0 ignores it: E5M2 of OCP becomes infinity there, all others the largest number.
template <Narrow format>
ROCVET_DEVICE void choose_overflow() {
#if ROCVET_AMD && !defined(__GFX8__)
  if constexpr (format == Narrow::e4m3 || format == Narrow::e5m2) {
    __builtin_amdgcn_s_setreg(1 | 23 << 6, 1);
    asm volatile("" ::: "memory");  // what is converted is loaded after this
  }
#endif
}

/// `value`, in a register that differs from lane to lane.
ROCVET_DEVICE float in_vector_register(float value) {
  keep_here(value);
  return value;
}

#if ROCVET_AMD
template <>
struct ConvertOf<Narrow::fp16> {
  static constexpr u32 kNarrow = 1, kWiden = 1;
  static ROCVET_DEVICE void narrow(const u32* from, u32* to, float) {
    to[0] = to_fp16(bits<float>(from[0]));
  }
  static ROCVET_DEVICE void widen(const u32* from, u32* to, float) {
    to[0] = bits<u32>(from_fp16(from[0]));
  }
};

#if defined(__gfx950__) || defined(__gfx1250__)
template <>
struct ConvertOf<Narrow::bf16> {
  static constexpr u32 kNarrow = 2, kWiden = 1;
  static ROCVET_DEVICE void narrow(const u32* from, u32* to, float) {
    u32 both;
    asm("v_cvt_pk_bf16_f32 %0, %1, %2" : "=v"(both) : "v"(from[0]), "v"(from[1]));
    to[0] = both & 0xffff;
    to[1] = both >> 16;
  }
  static ROCVET_DEVICE void widen(const u32* from, u32* to, float) {
    asm("v_cvt_f32_bf16 %0, %1" : "=v"(to[0]) : "v"(from[0]));
  }
};
#endif

#if defined(__gfx942__) || defined(__gfx950__) || defined(__gfx1200__) || defined(__gfx1201__) || \
    defined(__gfx1250__)
using F32x2 = float __attribute__((ext_vector_type(2)));
#define ROCVET_CONVERT_FP8(format, name)                                                          \
  template <>                                                                                     \
  struct ConvertOf<format> {                                                                      \
    static constexpr u32 kNarrow = 4, kWiden = 4;                                                 \
    static ROCVET_DEVICE void narrow(const u32* from, u32* to, float) {                           \
      int word = __builtin_amdgcn_cvt_pk_##name##_f32(bits<float>(from[0]), bits<float>(from[1]), \
                                                      0, false);                                  \
      word = __builtin_amdgcn_cvt_pk_##name##_f32(bits<float>(from[2]), bits<float>(from[3]),     \
                                                  word, true);                                    \
      ROCVET_UNROLL                                                                               \
      for (int i = 0; i < 4; ++i) to[i] = static_cast<u32>(word) >> 8 * i & 255;                  \
    }                                                                                             \
    static ROCVET_DEVICE void widen(const u32* from, u32* to, float) {                            \
      const int word = static_cast<int>(from[0] | from[1] << 8 | from[2] << 16 | from[3] << 24);  \
      const F32x2 low = __builtin_amdgcn_cvt_pk_f32_##name(word, false);                          \
      const F32x2 high = __builtin_amdgcn_cvt_pk_f32_##name(word, true);                          \
      ROCVET_UNROLL                                                                               \
      for (int i = 0; i < 2; ++i) {                                                               \
        to[i] = bits<u32>(static_cast<float>(low[i]));                                            \
        to[i + 2] = bits<u32>(static_cast<float>(high[i]));                                       \
      }                                                                                           \
    }                                                                                             \
  };
ROCVET_CONVERT_FP8(Narrow::e4m3, fp8)
ROCVET_CONVERT_FP8(Narrow::e5m2, bf8)
#undef ROCVET_CONVERT_FP8
#endif

#if defined(__gfx950__)
using F32x16 = float __attribute__((ext_vector_type(16)));
using F32x32 = float __attribute__((ext_vector_type(32)));
using U32x6 = u32 __attribute__((ext_vector_type(6)));

/// Code `i` of `words`, which hold 32 of 6 bits without gaps.
ROCVET_DEVICE u32 six_bits(U32x6 words, int i) {
  const int first = 6 * i, word = first / 32, shift = first % 32;
  u32 code = words[word] >> shift;
  if (shift > 26) code |= words[word + 1] << (32 - shift);
  return code & 63;
}

/// Compilers have given the result registers of an operand, which these instructions do not allow
/// (composable_kernel: LCOMPILER-561): operands that are still needed keep theirs.
#define ROCVET_CONVERT_APART(result, a, b, scale) \
  asm volatile("" ::"v"(result), "v"(a), "v"(b), "v"(scale))

/// Of the two vectors the first has the even numbers and the second the odd ones
/// (ROCm/composable_kernel, ck_tile's pipelines for fp6: "this instruction interleaves").
#define ROCVET_CONVERT_FP6(format, name)                                                         \
  template <>                                                                                    \
  struct ConvertOf<format> {                                                                     \
    static constexpr u32 kNarrow = 32, kWiden = 32;                                              \
    static ROCVET_DEVICE void narrow(const u32* from, u32* to, float scale) {                    \
      F32x16 even, odd;                                                                          \
      ROCVET_UNROLL                                                                              \
      for (int i = 0; i < 16; ++i) {                                                             \
        even[i] = bits<float>(from[2 * i]);                                                      \
        odd[i] = bits<float>(from[2 * i + 1]);                                                   \
      }                                                                                          \
      const float divisor = in_vector_register(scale);                                           \
      const U32x6 words = __builtin_amdgcn_cvt_scalef32_2xpk16_##name##_f32(even, odd, divisor); \
      ROCVET_CONVERT_APART(words, even, odd, divisor);                                           \
      ROCVET_UNROLL                                                                              \
      for (int i = 0; i < 32; ++i) to[i] = six_bits(words, i);                                   \
    }                                                                                            \
    static ROCVET_DEVICE void widen(const u32* from, u32* to, float scale) {                     \
      U32x6 words = {};                                                                          \
      ROCVET_UNROLL                                                                              \
      for (int i = 0; i < 32; ++i) {                                                             \
        const int first = 6 * i, word = first / 32, shift = first % 32;                          \
        words[word] |= from[i] << shift;                                                         \
        if (shift > 26) words[word + 1] |= from[i] >> (32 - shift);                              \
      }                                                                                          \
      const float factor = in_vector_register(scale);                                            \
      const F32x32 all = __builtin_amdgcn_cvt_scalef32_pk32_f32_##name(words, factor);           \
      ROCVET_CONVERT_APART(all, words, words, factor);                                           \
      ROCVET_UNROLL                                                                              \
      for (int i = 0; i < 32; ++i) to[i] = bits<u32>(static_cast<float>(all[i]));                \
    }                                                                                            \
  };
ROCVET_CONVERT_FP6(Narrow::e2m3, fp6)
ROCVET_CONVERT_FP6(Narrow::e3m2, bf6)
#undef ROCVET_CONVERT_FP6
#undef ROCVET_CONVERT_APART

template <>
struct ConvertOf<Narrow::e2m1> {
  static constexpr u32 kNarrow = 8, kWiden = 8;
  /// Two numbers make byte `byte` of the word.
  template <int byte>
  static ROCVET_DEVICE u32 two(u32 word, const u32* from, float scale) {
    return __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(word, bits<float>(from[2 * byte]),
                                                    bits<float>(from[2 * byte + 1]), scale, byte);
  }
  static ROCVET_DEVICE void narrow(const u32* from, u32* to, float scale) {
    const float divisor = in_vector_register(scale);
    u32 word = two<0>(0, from, divisor);
    word = two<1>(word, from, divisor);
    word = two<2>(word, from, divisor);
    word = two<3>(word, from, divisor);
    ROCVET_UNROLL
    for (int i = 0; i < 8; ++i) to[i] = word >> 4 * i & 15;
  }
  template <int byte>
  static ROCVET_DEVICE void two_back(u32 word, u32* to, float scale) {
    const F32x2 both = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(word, scale, byte);
    to[2 * byte] = bits<u32>(static_cast<float>(both[0]));
    to[2 * byte + 1] = bits<u32>(static_cast<float>(both[1]));
  }
  static ROCVET_DEVICE void widen(const u32* from, u32* to, float scale) {
    u32 word = 0;
    ROCVET_UNROLL
    for (int i = 0; i < 8; ++i) word |= from[i] << 4 * i;
    const float factor = in_vector_register(scale);
    two_back<0>(word, to, factor);
    two_back<1>(word, to, factor);
    two_back<2>(word, to, factor);
    two_back<3>(word, to, factor);
  }
};
#endif

#elif ROCVET_CUDA
#define ROCVET_CONVERT_HALVES(format, name, can_widen)                                 \
  template <>                                                                          \
  struct ConvertOf<format> {                                                           \
    static constexpr u32 kNarrow = 2, kWiden = can_widen;                              \
    static ROCVET_DEVICE void narrow(const u32* from, u32* to, float) {                \
      u32 both;                                                                        \
      asm("cvt.rn." name "x2.f32 %0, %1, %2;"                                          \
          : "=r"(both)                                                                 \
          : "f"(bits<float>(from[1])), "f"(bits<float>(from[0])));                     \
      to[0] = both & 0xffff;                                                           \
      to[1] = both >> 16;                                                              \
    }                                                                                  \
    static ROCVET_DEVICE void widen(const u32* from, u32* to, float) {                 \
      if constexpr (kWiden != 0) {                                                     \
        float wide;                                                                    \
        asm("cvt.f32." name " %0, %1;" : "=f"(wide) : "h"(static_cast<u16>(from[0]))); \
        to[0] = bits<u32>(wide);                                                       \
      }                                                                                \
    }                                                                                  \
  };
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define ROCVET_WIDENS_BF16 1
#else
#define ROCVET_WIDENS_BF16 0
#endif
ROCVET_CONVERT_HALVES(Narrow::fp16, "f16", 1)
ROCVET_CONVERT_HALVES(Narrow::bf16, "bf16", ROCVET_WIDENS_BF16)
#undef ROCVET_CONVERT_HALVES

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define ROCVET_CONVERT_FP8(format, name)                                \
  template <>                                                           \
  struct ConvertOf<format> {                                            \
    static constexpr u32 kNarrow = 2, kWiden = 2;                       \
    static ROCVET_DEVICE void narrow(const u32* from, u32* to, float) { \
      u16 both;                                                         \
      asm("cvt.rn.satfinite." name "x2.f32 %0, %1, %2;"                 \
          : "=h"(both)                                                  \
          : "f"(bits<float>(from[1])), "f"(bits<float>(from[0])));      \
      to[0] = both & 255u;                                              \
      to[1] = both >> 8;                                                \
    }                                                                   \
    /* There is one to half precision, which holds them all. */         \
    static ROCVET_DEVICE void widen(const u32* from, u32* to, float) {  \
      u32 halves;                                                       \
      asm("cvt.rn.f16x2." name "x2 %0, %1;"                             \
          : "=r"(halves)                                                \
          : "h"(static_cast<u16>(from[0] | from[1] << 8)));             \
      to[0] = bits<u32>(from_fp16(halves & 0xffff));                    \
      to[1] = bits<u32>(from_fp16(halves >> 16));                       \
    }                                                                   \
  };
ROCVET_CONVERT_FP8(Narrow::e4m3, "e4m3")
ROCVET_CONVERT_FP8(Narrow::e5m2, "e5m2")
#undef ROCVET_CONVERT_FP8
#endif

#else
/// On the host by whole numbers: `value` in `fields`, whose largest code is `largest`.
inline u32 rounded_to(MxBits fields, u32 largest, float value) {
  const u32 word = bits<u32>(value), size = word & 0x7fffffffu;
  const u32 sign = word >> 31 << (fields.exponent + fields.mantissa);
  // The fraction with its leading one, and how many of its bits are below the last that is kept.
  const int exponent = static_cast<int>(size >> 23) - 127 + fields.bias;
  const u32 fraction = size >> 23 ? (size & 0x7fffffu) | 0x800000u : size & 0x7fffffu;
  const int dropped = 23 - fields.mantissa + (exponent < 1 ? 1 - exponent : 0);
  if (dropped > 24) return sign;
  const u32 kept = fraction >> dropped, rest = fraction & ((1u << dropped) - 1);
  const u32 half = 1u << (dropped - 1);
  const u32 rounded = kept + (rest > half || (rest == half && kept % 2 != 0));
  // A fraction that rounds up to the next power of two carries into the exponent by itself.
  const u32 code =
      exponent < 1 ? rounded : (static_cast<u32>(exponent - 1) << fields.mantissa) + rounded;
  return sign | smaller(code, largest);
}

/// Formats of at most 8 bits; E4M3 and E5M2 are OCP's.
template <Narrow format>
struct ConvertSmall {
  static constexpr u32 kNarrow = 1, kWiden = 1;
  static constexpr Mx kMx =
      static_cast<Mx>(static_cast<int>(format) - static_cast<int>(Narrow::e4m3));
  static constexpr MxBits kFields = bits_of_fields(kMx);
  static constexpr u32 kMagnitude = (1u << (kFields.exponent + kFields.mantissa)) - 1;
  /// The largest code of a number that is no NaN, and of one that is finite.
  static constexpr u32 kInfinity = kMx == Mx::e5m2 ? 0x7c : kMx == Mx::e4m3 ? 0x7e : kMagnitude;
  static constexpr u32 kLargest = kMx == Mx::e5m2 ? 0x7b : kInfinity;

  static void narrow(const u32* from, u32* to, float scale) {
    const float value = bits<float>(from[0]) / scale;
    to[0] = value != value ? kMagnitude : rounded_to(kFields, kLargest, value);
  }
  static void widen(const u32* from, u32* to, float scale) {
    const u32 size = from[0] & kMagnitude;
    if (size > kInfinity) {
      to[0] = 0x7fc00000u;
    } else if (size > kLargest) {
      to[0] = from[0] > kMagnitude ? 0xff800000u : 0x7f800000u;
    } else {
      to[0] = bits<u32>(from_mx<kMx>(from[0]) * scale);
    }
  }
};
template <>
struct ConvertOf<Narrow::fp16> {
  static constexpr u32 kNarrow = 1, kWiden = 1;
  static void narrow(const u32* from, u32* to, float) { to[0] = to_fp16(bits<float>(from[0])); }
  static void widen(const u32* from, u32* to, float) { to[0] = bits<u32>(from_fp16(from[0])); }
};
template <>
struct ConvertOf<Narrow::bf16> {
  static constexpr u32 kNarrow = 1, kWiden = 1;
  static void narrow(const u32* from, u32* to, float) {
    const float value = bits<float>(from[0]);
    to[0] = value != value ? 0x7fc0 : to_bf16(value);
  }
  static void widen(const u32* from, u32* to, float) { to[0] = bits<u32>(from_bf16(from[0])); }
};
template <>
struct ConvertOf<Narrow::e4m3> : ConvertSmall<Narrow::e4m3> {};
template <>
struct ConvertOf<Narrow::e5m2> : ConvertSmall<Narrow::e5m2> {};
template <>
struct ConvertOf<Narrow::e2m3> : ConvertSmall<Narrow::e2m3> {};
template <>
struct ConvertOf<Narrow::e3m2> : ConvertSmall<Narrow::e3m2> {};
template <>
struct ConvertOf<Narrow::e2m1> : ConvertSmall<Narrow::e2m1> {};
#endif

/// Whether conversions to and from `format` take a scale.
constexpr bool convert_scales(Narrow format) {
  return format == Narrow::e2m3 || format == Narrow::e3m2 || format == Narrow::e2m1;
}

}  // namespace rocvet::kernel
