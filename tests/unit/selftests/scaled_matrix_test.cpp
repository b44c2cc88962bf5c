// Block-scaled matrices: how they lie in memory, what they are worth, and that kernels read the
// same.
#include "selftests/scaled_matrix.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace rocvet;
using kernel::Mx;

namespace {

constexpr Mx kAll[] = {Mx::e4m3, Mx::e5m2, Mx::e2m3, Mx::e3m2, Mx::e2m1};

std::byte byte(int value) {
  return static_cast<std::byte>(value);
}
/// One row of one step that begins with `elements`, all scales the same.
ScaledMatrix one_row(Mx format, std::uint32_t columns, const std::vector<int>& elements,
                     int scale) {
  ScaledMatrix matrix{format, 1, columns, 128, {}, std::vector<std::byte>(4, byte(scale))};
  matrix.elements.resize(static_cast<std::size_t>(kernel::mx_bytes(format, 128)));
  for (std::size_t i = 0; i < elements.size(); ++i) matrix.elements[i] = byte(elements[i]);
  return matrix;
}

template <Mx format>
void check_kernel_decodes() {
  const std::uint32_t patterns = 1u << kernel::bits_of(format);
  int numbers = 0;
  for (std::uint32_t code = 0; code < patterns; ++code) {
    const auto bits = static_cast<std::uint8_t>(code);
    const double value = decode(format_of(format), &bits);
    if (!std::isfinite(value)) continue;
    ++numbers;
    const double got = static_cast<double>(kernel::from_mx<format>(code));
    CAPTURE(code);
    CHECK(got == value);
    CHECK(std::signbit(got) == std::signbit(value));
  }
  CHECK(numbers >= 16);
}

template <Mx format>
void check_kernel_reads() {
  const ScaledMatrix scaled = random_scaled_matrix(format, 3, 200, 5, 1, false);
  const Matrix plain = plain_matrix(scaled);
  const auto* elements = reinterpret_cast<const std::uint8_t*>(scaled.elements.data());
  int wrong = 0;
  for (std::uint32_t row = 0; row < 3; ++row) {
    for (std::uint32_t i = 0; i < 200; ++i) {
      const std::uint8_t* from = elements + row * kernel::mx_bytes(format, 256);
      const auto scale = std::to_integer<std::uint32_t>(scaled.scales[row * 8 + i / 32]);
      const float value = kernel::from_mx<format>(kernel::mx_element<format>(from, i)) *
                          kernel::from_mx_scale(scale);
      wrong += static_cast<double>(value) != plain.value(row, i);
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("two elements of 4 bits share a byte, the first in the lower half") {
  const Matrix plain = plain_matrix(one_row(Mx::e2m1, 4, {0x21, 0xf3}, 127));
  CHECK(plain.row_values(0) == std::vector<double>{0.5, 1, 1.5, -6});
}

TEST_CASE("four elements of 6 bits lie in three bytes, from the lowest bit on") {
  // 0x01, 0x08, 0x1f and 0x3f are worth 0.125, 1, 7.5 and -7.5.
  const std::uint32_t word = 0x01u | 0x08u << 6 | 0x1fu << 12 | 0x3fu << 18;
  const auto part = [&](int at) { return static_cast<int>(word >> 8 * at & 255); };
  const Matrix plain = plain_matrix(one_row(Mx::e2m3, 4, {part(0), part(1), part(2)}, 127));
  CHECK(plain.row_values(0) == std::vector<double>{0.125, 1, 7.5, -7.5});
}

TEST_CASE("a scale is that of 32 elements of its row") {
  ScaledMatrix matrix = one_row(Mx::e2m1, 128, std::vector<int>(64, 0x22), 127);  // all 1
  for (int block = 0; block < 4; ++block)
    matrix.scales[static_cast<std::size_t>(block)] = byte(125 + block);
  const std::vector<double> values = plain_matrix(matrix).row_values(0);
  for (std::size_t i = 0; i < 128; ++i)
    CHECK(values[i] == std::ldexp(1, static_cast<int>(i / 32) - 2));
}

TEST_CASE("random matrices have every finite number of their format, and scales from 1/8 to 8") {
  for (const Mx format : kAll) {
    CAPTURE(static_cast<int>(format));
    const ScaledMatrix scaled = random_scaled_matrix(format, 40, 500, 3, 1, false);
    CHECK(scaled.padded == 512);
    CHECK(scaled.elements.size() ==
          40u * 512u * static_cast<unsigned>(kernel::bits_of(format)) / 8);
    std::set<std::byte> scales(scaled.scales.begin(), scaled.scales.end());
    CHECK(scaled.scales.size() == 40 * 16);
    CHECK(scales == std::set<std::byte>{byte(124), byte(125), byte(126), byte(127), byte(128),
                                        byte(129), byte(130)});
    ScaledMatrix unscaled = scaled;
    std::fill(unscaled.scales.begin(), unscaled.scales.end(), byte(127));
    const Matrix plain = plain_matrix(unscaled);
    std::set<double> values;
    for (std::uint32_t row = 0; row < 40; ++row) {
      for (const double value : plain.row_values(row)) values.insert(value);
    }
    // Positive and negative zero are one.
    const std::size_t numbers = format == Mx::e4m3   ? 253
                                : format == Mx::e5m2 ? 247
                                : format == Mx::e2m1 ? 15
                                                     : 63;
    CHECK(values.size() == numbers);
    CHECK(plain_matrix(scaled).data != plain.data);
    // What is beyond the columns is zero.
    ScaledMatrix wide = scaled;
    wide.columns = wide.padded;
    const std::vector<double> row = plain_matrix(wide).row_values(7);
    for (std::size_t i = 500; i < 512; ++i) CHECK(row[i] == 0);
  }
}

TEST_CASE("whole numbers are whole multiples of the smallest scale") {
  for (const Mx format : kAll) {
    const Matrix plain = plain_matrix(random_scaled_matrix(format, 9, 70, 3, 1, true));
    std::set<double> values;
    for (std::uint32_t row = 0; row < 9; ++row) {
      for (const double value : plain.row_values(row)) values.insert(value);
    }
    CHECK(values == std::set<double>{-4, -2, -1, -0.5, 0, 0.5, 1, 2, 4});
  }
}

TEST_CASE("threads do not change a block-scaled matrix") {
  for (const Mx format : kAll) {
    const ScaledMatrix one = random_scaled_matrix(format, 33, 150, 7, 1, false, 1);
    const ScaledMatrix many = random_scaled_matrix(format, 33, 150, 7, 1, false, 5);
    CHECK(one.elements == many.elements);
    CHECK(one.scales == many.scales);
    CHECK(plain_matrix(one, 1).data == plain_matrix(one, 5).data);
  }
}

TEST_CASE("kernels read elements and scales as the reference does") {
  check_kernel_decodes<Mx::e4m3>();
  check_kernel_decodes<Mx::e5m2>();
  check_kernel_decodes<Mx::e2m3>();
  check_kernel_decodes<Mx::e3m2>();
  check_kernel_decodes<Mx::e2m1>();
  check_kernel_reads<Mx::e4m3>();
  check_kernel_reads<Mx::e5m2>();
  check_kernel_reads<Mx::e2m3>();
  check_kernel_reads<Mx::e3m2>();
  check_kernel_reads<Mx::e2m1>();
  for (int code = 0; code < 255; ++code) {
    const auto bits = static_cast<std::uint8_t>(code);
    CHECK(static_cast<double>(kernel::from_mx_scale(static_cast<unsigned>(code))) ==
          decode(Format::e8m0, &bits));
  }
  CHECK(std::isnan(kernel::from_mx_scale(255)));
}
