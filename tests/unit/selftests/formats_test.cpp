// The number formats of the tests: against the definitions of IEEE 754, bfloat16, OCP OFP8 1.0, OCP
// Microscaling 1.0 and AMD's FNUZ, and every bit pattern there and back.
#include "selftests/formats.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace rocvet;

namespace {

std::uint64_t bits_of(Format format, double value) {
  std::uint64_t bits = 0;
  encode(format, value, &bits);
  return bits;
}
double value_of(Format format, std::uint64_t bits) {
  return decode(format, &bits);
}

/// Formats whose every bit pattern can be looked at.
constexpr Format kSmall[] = {Format::fp8_ocp,  Format::fp8_fnuz, Format::fp16,
                             Format::bf16,     Format::fp8_e5m2, Format::fp6_e2m3,
                             Format::fp6_e3m2, Format::fp4_e2m1, Format::fp8_e5m2_fnuz};
int width_of(Format format) {
  if (format == Format::fp4_e2m1) return 4;
  if (format == Format::fp6_e2m3 || format == Format::fp6_e3m2) return 6;
  return 8 * bytes_of(format);
}

}  // namespace

TEST_CASE("sizes are those of the formats") {
  CHECK(bytes_of(Format::fp64) == 8);
  CHECK(bytes_of(Format::fp32) == 4);
  CHECK(bytes_of(Format::int32) == 4);
  CHECK(bytes_of(Format::fp16) == 2);
  CHECK(bytes_of(Format::bf16) == 2);
  CHECK(bytes_of(Format::fp8_ocp) == 1);
  CHECK(bytes_of(Format::fp8_fnuz) == 1);
  CHECK(bytes_of(Format::int8) == 1);
}

TEST_CASE("values that the standards name") {
  CHECK(bits_of(Format::fp16, 1) == 0x3c00);
  CHECK(bits_of(Format::fp16, -2) == 0xc000);
  CHECK(bits_of(Format::fp16, 65504) == 0x7bff);
  CHECK(bits_of(Format::fp16, 0x1p-24) == 0x0001);  // the smallest
  CHECK(bits_of(Format::bf16, 1) == 0x3f80);
  CHECK(bits_of(Format::bf16, 0x1.fep127) == 0x7f7f);
  // OCP E4M3: bias 7, largest 448, smallest 2^-9, NaN 0x7f.
  CHECK(bits_of(Format::fp8_ocp, 1) == 0x38);
  CHECK(bits_of(Format::fp8_ocp, 448) == 0x7e);
  CHECK(bits_of(Format::fp8_ocp, 0x1p-9) == 0x01);
  CHECK(std::isnan(value_of(Format::fp8_ocp, 0x7f)));
  CHECK(std::isnan(value_of(Format::fp8_ocp, 0xff)));
  // E4M3 FNUZ: bias 8, largest 240, smallest 2^-10, NaN 0x80 and no negative zero.
  CHECK(bits_of(Format::fp8_fnuz, 1) == 0x40);
  CHECK(bits_of(Format::fp8_fnuz, 240) == 0x7f);
  CHECK(bits_of(Format::fp8_fnuz, 0x1p-10) == 0x01);
  CHECK(bits_of(Format::fp8_fnuz, -0.0) == 0x00);
  CHECK(std::isnan(value_of(Format::fp8_fnuz, 0x80)));
  CHECK(bits_of(Format::fp8_ocp, -0.0) == 0x80);
  // E5M2 FNUZ: bias 16, largest 57344, smallest 2^-17, NaN 0x80 and no infinity.
  CHECK(bits_of(Format::fp8_e5m2_fnuz, 1) == 0x40);
  CHECK(bits_of(Format::fp8_e5m2_fnuz, 57344) == 0x7f);
  CHECK(bits_of(Format::fp8_e5m2_fnuz, 0x1p-17) == 0x01);
  CHECK(bits_of(Format::fp8_e5m2_fnuz, -0.0) == 0x00);
  CHECK(std::isnan(value_of(Format::fp8_e5m2_fnuz, 0x80)));
  // The same bits are half as much in FNUZ: what a mix-up of the two does.
  CHECK(value_of(Format::fp8_fnuz, 0x38) == 0.5);
}

TEST_CASE("values that the OCP Microscaling specification 1.0 names") {
  // E2M1, table 5: all of them.
  const double fp4[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (std::uint64_t bits = 0; bits < 8; ++bits) {
    CHECK(value_of(Format::fp4_e2m1, bits) == fp4[bits]);
    CHECK(value_of(Format::fp4_e2m1, bits | 8) == -fp4[bits]);
    CHECK(std::signbit(value_of(Format::fp4_e2m1, bits | 8)));
  }
  // E2M3 and E3M2, table 4: largest and smallest normal and subnormal numbers.
  CHECK(value_of(Format::fp6_e2m3, 0x1f) == 7.5);
  CHECK(value_of(Format::fp6_e2m3, 0x08) == 1.0);
  CHECK(value_of(Format::fp6_e2m3, 0x07) == 0.875);
  CHECK(value_of(Format::fp6_e2m3, 0x01) == 0.125);
  CHECK(value_of(Format::fp6_e2m3, 0x3f) == -7.5);
  CHECK(value_of(Format::fp6_e3m2, 0x1f) == 28.0);
  CHECK(value_of(Format::fp6_e3m2, 0x04) == 0.25);
  CHECK(value_of(Format::fp6_e3m2, 0x03) == 0.1875);
  CHECK(value_of(Format::fp6_e3m2, 0x01) == 0.0625);
  CHECK(value_of(Format::fp6_e3m2, 0x3f) == -28.0);
  // E5M2, table 3 (OFP8): with infinities and NaN.
  CHECK(value_of(Format::fp8_e5m2, 0x7b) == 57344.0);
  CHECK(value_of(Format::fp8_e5m2, 0x04) == 0x1p-14);
  CHECK(value_of(Format::fp8_e5m2, 0x03) == 0.75 * 0x1p-14);
  CHECK(value_of(Format::fp8_e5m2, 0x01) == 0x1p-16);
  CHECK(value_of(Format::fp8_e5m2, 0x7c) == std::numeric_limits<double>::infinity());
  CHECK(value_of(Format::fp8_e5m2, 0xfc) == -std::numeric_limits<double>::infinity());
  for (const std::uint64_t bits : {0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff}) {
    CHECK(std::isnan(value_of(Format::fp8_e5m2, bits)));
  }
  // E8M0, table 7: bias 127, from 2^-127 to 2^127, one NaN, no zero and no infinity.
  CHECK(value_of(Format::e8m0, 127) == 1);
  CHECK(value_of(Format::e8m0, 128) == 2);
  CHECK(value_of(Format::e8m0, 0) == 0x1p-127);
  CHECK(value_of(Format::e8m0, 254) == 0x1p127);
  CHECK(std::isnan(value_of(Format::e8m0, 255)));
  for (std::uint64_t bits = 0; bits < 255; ++bits) {
    CHECK(bits_of(Format::e8m0, value_of(Format::e8m0, bits)) == bits);
  }
  CHECK(bits_of(Format::e8m0, 0) == 0);
  CHECK(bits_of(Format::e8m0, 0x1p300) == 254);
  CHECK(bits_of(Format::e8m0, 1.4) == 127);
  CHECK(bits_of(Format::e8m0, 1.6) == 128);
  CHECK(bits_of(Format::e8m0, 3.0) == 128);  // half way between 2 and 4: the even one
}

TEST_CASE("every bit pattern that is a number comes back") {
  for (const Format format : kSmall) {
    CAPTURE(static_cast<int>(format));
    const std::uint64_t patterns = std::uint64_t{1} << width_of(format);
    int numbers = 0, changed = 0;
    for (std::uint64_t bits = 0; bits < patterns; ++bits) {
      const double value = value_of(format, bits);
      if (!std::isfinite(value)) continue;
      ++numbers;
      changed += bits_of(format, value) != bits;
    }
    CHECK(changed == 0);
    // NaN and infinity take the rest.
    const int expected = format == Format::fp8_ocp         ? 254
                         : format == Format::fp8_fnuz      ? 255
                         : format == Format::fp8_e5m2_fnuz ? 255
                         : format == Format::fp16          ? 63488
                         : format == Format::bf16          ? 65280
                         : format == Format::fp8_e5m2      ? 248
                                                           : 1 << width_of(format);
    CHECK(numbers == expected);
  }
}

TEST_CASE("between two neighbours the nearer is taken, half way the even one") {
  for (const Format format : kSmall) {
    CAPTURE(static_cast<int>(format));
    // The positive numbers are in the order of their bits.
    const std::uint64_t top = (std::uint64_t{1} << (width_of(format) - 1)) - 1;
    int wrong = 0;
    for (std::uint64_t low = 0; low < top; ++low) {
      const double a = value_of(format, low), b = value_of(format, low + 1);
      if (!std::isfinite(a) || !std::isfinite(b)) continue;
      const double middle = a + (b - a) / 2;
      wrong += bits_of(format, middle) != (low % 2 == 0 ? low : low + 1);
      wrong += bits_of(format, a + (b - a) * 0.49) != low;
      wrong += bits_of(format, a + (b - a) * 0.51) != low + 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("what is too large becomes the largest") {
  CHECK(bits_of(Format::fp16, 1e9) == 0x7bff);
  CHECK(bits_of(Format::fp8_ocp, 1e9) == 0x7e);
  CHECK(bits_of(Format::fp8_fnuz, -1e9) == 0xff);
  CHECK(bits_of(Format::fp8_e5m2, 1e9) == 0x7b);
  CHECK(bits_of(Format::fp6_e2m3, -1e9) == 0x3f);
  CHECK(bits_of(Format::fp6_e3m2, 1e9) == 0x1f);
  CHECK(bits_of(Format::fp4_e2m1, 1e9) == 0x07);
  CHECK(value_of(Format::int8, bits_of(Format::int8, 1000)) == 127);
  CHECK(value_of(Format::int8, bits_of(Format::int8, -1000)) == -128);
}

TEST_CASE("integers round to nearest") {
  CHECK(value_of(Format::int8, bits_of(Format::int8, -3.4)) == -3);
  CHECK(value_of(Format::int32, bits_of(Format::int32, 123456789)) == 123456789);
  CHECK(rounding_error(Format::int8) == 0);
}

TEST_CASE("infinity and NaN of the 16-bit formats are read as such") {
  CHECK(value_of(Format::fp16, 0x7c00) == std::numeric_limits<double>::infinity());
  CHECK(value_of(Format::bf16, 0xff80) == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(value_of(Format::fp16, 0x7e00)));
  CHECK(std::isnan(value_of(Format::bf16, 0x7fc0)));
}

TEST_CASE("the stated rounding error is that of the encoding around 1") {
  for (const Format format : {Format::fp32, Format::fp16, Format::bf16, Format::fp8_ocp,
                              Format::fp8_e5m2, Format::fp6_e2m3, Format::fp6_e3m2,
                              Format::fp4_e2m1, Format::e8m0, Format::fp8_e5m2_fnuz}) {
    CAPTURE(static_cast<int>(format));
    double worst = 0;
    for (int i = 0; i < 4000; ++i) {
      const double value = 1 + i / 4000.0;
      worst = std::max(worst, std::fabs(value_of(format, bits_of(format, value)) - value) / value);
    }
    CHECK(worst <= rounding_error(format));
    CHECK(worst > rounding_error(format) / 4);
  }
}
