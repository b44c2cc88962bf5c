#include "selftests/formats.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace rocvet {
namespace {

/// A small binary floating-point format without infinities in its encodable range.
struct Small {
  int mantissa_bits, bias, total_bits;
  double largest;
};

Small small_of(Format format) {
  switch (format) {
    case Format::fp16:
      return {10, 15, 16, 65504.0};
    case Format::bf16:
      return {7, 127, 16, 0x1.fep127};
    case Format::fp8_ocp:
      return {3, 7, 8, 448.0};
    case Format::fp8_e5m2:
      return {2, 15, 8, 57344.0};
    case Format::fp8_e5m2_fnuz:
      return {2, 16, 8, 57344.0};
    case Format::fp6_e2m3:
      return {3, 1, 6, 7.5};
    case Format::fp6_e3m2:
      return {2, 3, 6, 28.0};
    case Format::fp4_e2m1:
      return {1, 1, 4, 6.0};
    default:
      return {3, 8, 8, 240.0};  // fp8_fnuz
  }
}

/// AMD's: no infinity and no negative zero, whose bits are NaN.
bool is_fnuz(Format format) {
  return format == Format::fp8_fnuz || format == Format::fp8_e5m2_fnuz;
}

std::uint32_t encode_small(const Small& small, double value, bool negative_zero) {
  const bool negative = std::signbit(value);
  const double size = std::min(std::fabs(value), small.largest);
  int exponent = 0;
  if (size > 0) {
    std::frexp(size, &exponent);
    exponent -= 1;
  }
  exponent = std::max(size > 0 ? exponent : -10000, 1 - small.bias);
  const double step = std::ldexp(1.0, exponent - small.mantissa_bits);
  const auto steps = static_cast<std::uint64_t>(std::nearbyint(size / step));
  // A mantissa that rounds up to the next power of two carries into the exponent by itself.
  const std::uint64_t hidden = std::uint64_t{1} << small.mantissa_bits;
  const std::uint64_t bits =
      steps < hidden ? steps
                     : (static_cast<std::uint64_t>(exponent + small.bias) << small.mantissa_bits) +
                           (steps - hidden);
  const bool sign = negative && (bits != 0 || negative_zero);
  return static_cast<std::uint32_t>(bits | (sign ? std::uint64_t{1} << (small.total_bits - 1) : 0));
}

double decode_small(const Small& small, std::uint32_t bits) {
  const std::uint32_t sign_bit = 1u << (small.total_bits - 1);
  const std::uint32_t magnitude = bits & (sign_bit - 1);
  const int exponent = static_cast<int>(magnitude >> small.mantissa_bits);
  const double mantissa = magnitude & ((1u << small.mantissa_bits) - 1);
  const double scale = std::ldexp(1.0, small.mantissa_bits);
  const double size = exponent == 0 ? std::ldexp(mantissa / scale, 1 - small.bias)
                                    : std::ldexp(1.0 + mantissa / scale, exponent - small.bias);
  return (bits & sign_bit) != 0 ? -size : size;
}

/// IEEE 754's way: infinities and NaN have the highest exponent.
double decode_with_infinity(const Small& small, std::uint32_t bits) {
  const std::uint32_t sign_bit = 1u << (small.total_bits - 1);
  const std::uint32_t infinity = sign_bit - (1u << small.mantissa_bits);
  if ((bits & infinity) != infinity) return decode_small(small, bits);
  if ((bits & (sign_bit - 1)) != infinity) return std::nan("");
  return (bits & sign_bit) != 0 ? -INFINITY : INFINITY;
}

/// E8M0 is an exponent with bias 127, and no zero.
constexpr int kScaleBias = 127, kLargestScale = 254;

std::uint8_t encode_scale(double value) {
  if (!(value > 0)) return 0;
  int exponent = 0;
  const double fraction = 2 * std::frexp(value, &exponent);  // 1 to 2
  int code = exponent - 1 + kScaleBias;
  if (fraction > 1.5 || (fraction == 1.5 && code % 2 != 0)) ++code;
  return static_cast<std::uint8_t>(std::clamp(code, 0, kLargestScale));
}

}  // namespace

int bytes_of(Format format) {
  switch (format) {
    case Format::fp64:
      return 8;
    case Format::fp32:
    case Format::int32:
      return 4;
    case Format::fp16:
    case Format::bf16:
      return 2;
    default:
      return 1;
  }
}

void encode(Format format, double value, void* to) {
  switch (format) {
    case Format::fp64:
      std::memcpy(to, &value, 8);
      return;
    case Format::fp32: {
      const auto narrow = static_cast<float>(value);
      std::memcpy(to, &narrow, 4);
      return;
    }
    case Format::int32: {
      const auto whole = static_cast<std::int32_t>(std::nearbyint(value));
      std::memcpy(to, &whole, 4);
      return;
    }
    case Format::int8: {
      const auto whole = static_cast<std::int8_t>(std::clamp(std::nearbyint(value), -128.0, 127.0));
      std::memcpy(to, &whole, 1);
      return;
    }
    case Format::fp16:
    case Format::bf16: {
      const auto bits = static_cast<std::uint16_t>(encode_small(small_of(format), value, true));
      std::memcpy(to, &bits, 2);
      return;
    }
    case Format::e8m0: {
      const std::uint8_t bits = encode_scale(value);
      std::memcpy(to, &bits, 1);
      return;
    }
    case Format::fp8_ocp:
    case Format::fp8_fnuz:
    case Format::fp8_e5m2:
    case Format::fp8_e5m2_fnuz:
    case Format::fp6_e2m3:
    case Format::fp6_e3m2:
    case Format::fp4_e2m1: {
      const auto bits =
          static_cast<std::uint8_t>(encode_small(small_of(format), value, !is_fnuz(format)));
      std::memcpy(to, &bits, 1);
      return;
    }
  }
}

double decode(Format format, const void* from) {
  switch (format) {
    case Format::fp64: {
      double value;
      std::memcpy(&value, from, 8);
      return value;
    }
    case Format::fp32: {
      float value;
      std::memcpy(&value, from, 4);
      return value;
    }
    case Format::int32: {
      std::int32_t value;
      std::memcpy(&value, from, 4);
      return value;
    }
    case Format::int8:
      return *static_cast<const std::int8_t*>(from);
    case Format::fp16:
    case Format::bf16: {
      std::uint16_t bits;
      std::memcpy(&bits, from, 2);
      return decode_with_infinity(small_of(format), bits);
    }
    case Format::fp8_ocp: {
      const std::uint8_t bits = *static_cast<const std::uint8_t*>(from);
      return (bits & 0x7f) == 0x7f ? std::nan("") : decode_small(small_of(format), bits);
    }
    case Format::fp8_fnuz:
    case Format::fp8_e5m2_fnuz: {
      const std::uint8_t bits = *static_cast<const std::uint8_t*>(from);
      return bits == 0x80 ? std::nan("") : decode_small(small_of(format), bits);
    }
    case Format::fp8_e5m2:
      return decode_with_infinity(small_of(format), *static_cast<const std::uint8_t*>(from));
    case Format::fp6_e2m3:
    case Format::fp6_e3m2:
    case Format::fp4_e2m1: {
      const Small small = small_of(format);
      const std::uint32_t bits = *static_cast<const std::uint8_t*>(from);
      return decode_small(small, bits & ((1u << small.total_bits) - 1));
    }
    case Format::e8m0: {
      const std::uint8_t bits = *static_cast<const std::uint8_t*>(from);
      return bits > kLargestScale ? std::nan("") : std::ldexp(1.0, bits - kScaleBias);
    }
  }
  return std::nan("");
}

namespace {

/// Every value of a format of one or two bytes, by its bits.
template <typename Bits>
std::vector<float> all_values(Format format) {
  std::vector<float> values(std::size_t{1} << 8 * sizeof(Bits));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bits = static_cast<Bits>(i);
    values[i] = static_cast<float>(decode(format, &bits));  // exact: float has more of everything
  }
  return values;
}

template <Format format, typename Bits>
void look_up(const void* from, std::size_t count, double* to) {
  static const std::vector<float> kValues = all_values<Bits>(format);
  const auto* bytes = static_cast<const std::byte*>(from);
  for (std::size_t i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, bytes + i * sizeof(Bits), sizeof(Bits));
    to[i] = static_cast<double>(kValues[bits]);
  }
}

template <typename T>
void convert(const void* from, std::size_t count, double* to) {
  const auto* bytes = static_cast<const std::byte*>(from);
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
    to[i] = static_cast<double>(value);
  }
}

}  // namespace

void decode_all(Format format, const void* from, std::size_t count, double* to) {
  switch (format) {
    case Format::fp64:
      std::memcpy(to, from, count * sizeof(double));
      return;
    case Format::fp32:
      return convert<float>(from, count, to);
    case Format::int32:
      return convert<std::int32_t>(from, count, to);
    case Format::int8:
      return convert<std::int8_t>(from, count, to);
    case Format::fp16:
      return look_up<Format::fp16, std::uint16_t>(from, count, to);
    case Format::bf16:
      return look_up<Format::bf16, std::uint16_t>(from, count, to);
    case Format::fp8_ocp:
      return look_up<Format::fp8_ocp, std::uint8_t>(from, count, to);
    case Format::fp8_fnuz:
      return look_up<Format::fp8_fnuz, std::uint8_t>(from, count, to);
    case Format::fp8_e5m2:
      return look_up<Format::fp8_e5m2, std::uint8_t>(from, count, to);
    case Format::fp8_e5m2_fnuz:
      return look_up<Format::fp8_e5m2_fnuz, std::uint8_t>(from, count, to);
    case Format::fp6_e2m3:
      return look_up<Format::fp6_e2m3, std::uint8_t>(from, count, to);
    case Format::fp6_e3m2:
      return look_up<Format::fp6_e3m2, std::uint8_t>(from, count, to);
    case Format::fp4_e2m1:
      return look_up<Format::fp4_e2m1, std::uint8_t>(from, count, to);
    case Format::e8m0:
      return look_up<Format::e8m0, std::uint8_t>(from, count, to);
  }
}

double rounding_error(Format format) {
  switch (format) {
    case Format::fp64:
      return 0x1p-53;
    case Format::fp32:
      return 0x1p-24;
    case Format::fp16:
      return 0x1p-11;
    case Format::bf16:
      return 0x1p-8;
    case Format::fp8_ocp:
    case Format::fp8_fnuz:
    case Format::fp6_e2m3:
      return 0x1p-4;
    case Format::fp8_e5m2:
    case Format::fp8_e5m2_fnuz:
    case Format::fp6_e3m2:
      return 0x1p-3;
    case Format::fp4_e2m1:
      return 0x1p-2;
    case Format::e8m0:
      return 0x1p-1;
    default:
      return 0;
  }
}

}  // namespace rocvet
