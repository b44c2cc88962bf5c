// Block-scaled numbers of the OCP Microscaling (MX) specification 1.0: elements of 4 to 8 bits, of
// which 32 along K share a scale, a power of two (E8M0).
//
// Elements lie one after the other without gaps, the first in the lowest bits: two of fp4 in a
// byte, four of fp6 in three bytes. A row of K elements is padded to whole steps of kMxStep, so
// that it begins at a multiple of 16 bytes; its scales are a row of K / 32 bytes of another array.
#pragma once

#include "isa.h"

namespace rocvet::kernel {

inline constexpr int kMxBlock = 32;  ///< elements that share a scale
inline constexpr int kMxStep = 128;  ///< of K: what one instruction takes

/// The numbers are the codes of operand formats of gfx950 and gfx1250.
enum class Mx { e4m3, e5m2, e2m3, e3m2, e2m1 };
inline constexpr int kMxFormats = 5;

struct MxBits {
  int exponent, mantissa, bias;
};
constexpr MxBits bits_of_fields(Mx format) {
  switch (format) {
    case Mx::e4m3:
      return {4, 3, 7};
    case Mx::e5m2:
      return {5, 2, 15};
    case Mx::e2m3:
      return {2, 3, 1};
    case Mx::e3m2:
      return {3, 2, 3};
    case Mx::e2m1:
      return {2, 1, 1};
  }
  return {};
}
constexpr int bits_of(Mx format) {
  return 1 + bits_of_fields(format).exponent + bits_of_fields(format).mantissa;
}
constexpr int mx_bytes(Mx format, int elements) {
  return elements * bits_of(format) / 8;
}
/// The bits of 2 to the power of `exponent`.
constexpr u32 mx_power(Mx format, int exponent) {
  const MxBits fields = bits_of_fields(format);
  return static_cast<u32>(exponent + fields.bias) << fields.mantissa;
}

/// Byte `at` of what a lane of gfx950's instruction holds of a row, as a byte of the row's step;
/// `quarter` is lane / 16. Of 8 bits two pieces of 16 bytes, of fewer one piece: see mx_tile.h.
constexpr int mx_byte(Mx format, int quarter, int at) {
  return bits_of(format) == 8 ? at / 16 * 64 + 16 * quarter + at % 16
                              : mx_bytes(format, kMxBlock) * quarter + at;
}

/// The same of gfx1250, whose lanes hold two blocks' worth; `half` is lane / 16. Pieces of a lane
/// belong to the halves in turn: of 8 bits 16 elements, of fewer a block of 32.
constexpr int mx_byte_of_half(Mx format, int half, int at) {
  const int piece = bits_of(format) == 8 ? 16 : mx_bytes(format, kMxBlock);
  return (at / piece * 2 + half) * piece + at % piece;
}

/// Whether `isa` multiplies such blocks; on the host they are decoded one by one.
constexpr bool has_mx(Isa isa) {
  return ROCVET_HOST || isa == Isa::mfma_gfx950 || isa == Isa::wmma_gfx1250;
}

/// Elements that a lane holds of a step.
inline constexpr int kMxOfLane = kIsa == Isa::wmma_gfx1250 ? 64 : 32;

/// An element that is neither infinite nor NaN.
template <Mx format>
ROCVET_DEVICE float from_mx(u32 code) {
  constexpr MxBits kFields = bits_of_fields(format);
  constexpr u32 kFractions = 1u << kFields.mantissa;
  const u32 fraction = code & (kFractions - 1);
  const u32 exponent = code >> kFields.mantissa & ((1u << kFields.exponent) - 1);
  const u32 sign = code >> (bits_of(format) - 1) & 1;
  const u32 rest = (exponent + 127 - kFields.bias) << 23 | fraction << (23 - kFields.mantissa);
  if (exponent != 0) return bits<float>(sign << 31 | rest);
  const u32 smallest = static_cast<u32>(128 - kFields.bias - kFields.mantissa) << 23;
  const float small = static_cast<float>(fraction) * bits<float>(smallest);
  return sign ? -small : small;
}

/// E8M0: bias 127, 255 is NaN.
ROCVET_DEVICE float from_mx_scale(u32 code) {
  if (code == 255) return bits<float>(0x7fc00000u);
  return bits<float>(code == 0 ? 0x00400000u : code << 23);
}

/// Element `at` of a row.
template <Mx format>
ROCVET_DEVICE u32 mx_element(const u8* row, u32 at) {
  constexpr u32 kBits = bits_of(format);
  const u32 first = at * kBits, byte = first / 8, shift = first % 8;
  u32 word = row[byte];
  if (shift + kBits > 8) word |= static_cast<u32>(row[byte + 1]) << 8;
  return word >> shift & ((1u << kBits) - 1);
}

}  // namespace rocvet::kernel
