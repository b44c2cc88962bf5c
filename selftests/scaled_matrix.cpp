#include "selftests/scaled_matrix.h"

#include <array>
#include <cmath>
#include <cstring>

#include "selftests/parallel.h"
#include "selftests/random.h"

namespace rocvet {
namespace {

std::uint32_t row_bytes(const ScaledMatrix& matrix) {
  return static_cast<std::uint32_t>(
      kernel::mx_bytes(matrix.format, static_cast<int>(matrix.padded)));
}

/// Elements to choose from, each as likely as the others.
std::array<std::uint8_t, 256> table_of(kernel::Mx format, bool whole) {
  std::array<std::uint8_t, 256> table = {};
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (whole) {
      encode(format_of(format), static_cast<double>(i % 5) - 2, &table[i]);
      continue;
    }
    const auto code = static_cast<std::uint8_t>(i & ((1u << kernel::bits_of(format)) - 1));
    table[i] = std::isfinite(decode(format_of(format), &code)) ? code : std::uint8_t{0};
  }
  return table;
}

void put(std::byte* row, std::uint32_t at, std::uint32_t bits, std::uint8_t code) {
  const std::uint32_t first = at * bits, byte = first / 8, shift = first % 8;
  row[byte] |= static_cast<std::byte>(code << shift);
  if (shift + bits > 8) row[byte + 1] |= static_cast<std::byte>(code >> (8 - shift));
}

}  // namespace

Format format_of(kernel::Mx format) {
  switch (format) {
    case kernel::Mx::e4m3:
      return Format::fp8_ocp;
    case kernel::Mx::e5m2:
      return Format::fp8_e5m2;
    case kernel::Mx::e2m3:
      return Format::fp6_e2m3;
    case kernel::Mx::e3m2:
      return Format::fp6_e3m2;
    case kernel::Mx::e2m1:
      return Format::fp4_e2m1;
  }
  return Format::fp8_ocp;
}

ScaledMatrix random_scaled_matrix(kernel::Mx format, std::uint32_t rows, std::uint32_t columns,
                                  std::uint64_t seed, std::uint64_t stream, bool whole,
                                  int threads) {
  constexpr std::uint32_t kStep = kernel::kMxStep, kBlock = kernel::kMxBlock;
  ScaledMatrix matrix{format, rows, columns, (columns + kStep - 1) / kStep * kStep, {}, {}};
  const std::uint32_t bytes = row_bytes(matrix), blocks = matrix.padded / kBlock;
  const auto bits = static_cast<std::uint32_t>(kernel::bits_of(format));
  matrix.elements.resize(static_cast<std::size_t>(rows) * bytes);
  matrix.scales.resize(static_cast<std::size_t>(rows) * blocks);
  const std::array<std::uint8_t, 256> table = table_of(format, whole);
  const Random choice(seed, stream), exponents(seed, stream + 1000);
  const std::uint32_t most = whole ? 1 : 3;  // the exponent, up or down
  in_parallel(threads, rows, [&](std::size_t, std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t row = first; row < last; ++row) {
      std::byte* to = matrix.elements.data() + row * bytes;
      std::uint64_t drawn = 0;
      for (std::uint32_t i = 0; i < columns; ++i) {
        if (i % 8 == 0) drawn = choice.at((row * matrix.padded + i) / 8);
        put(to, i, bits, table[drawn >> i % 8 * 8 & 255]);
      }
      for (std::uint32_t block = 0; block < blocks; ++block) {
        const std::uint64_t place = row * blocks + block;
        const int exponent =
            static_cast<int>(exponents.below(2 * most + 1, place)) - static_cast<int>(most);
        encode(Format::e8m0, std::ldexp(1.0, exponent), &matrix.scales[place]);
      }
    }
  });
  return matrix;
}

Matrix plain_matrix(const ScaledMatrix& scaled, int threads) {
  Matrix plain{Format::fp32, scaled.rows, scaled.columns, scaled.columns, {}};
  plain.data.resize(static_cast<std::size_t>(scaled.rows) * scaled.columns * sizeof(float));
  const std::uint32_t bytes = row_bytes(scaled), blocks = scaled.padded / kernel::kMxBlock;
  const auto bits = static_cast<std::uint32_t>(kernel::bits_of(scaled.format));
  const std::uint32_t mask = (1u << bits) - 1;
  std::array<float, 256> values = {};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto code = static_cast<std::uint8_t>(i);
    values[i] = static_cast<float>(decode(format_of(scaled.format), &code));
  }
  in_parallel(threads, scaled.rows, [&](std::size_t, std::uint64_t first, std::uint64_t last) {
    std::vector<float> row_values(scaled.columns);
    for (std::uint64_t row = first; row < last; ++row) {
      const std::byte* from = scaled.elements.data() + row * bytes;
      float scale = 0;
      for (std::uint32_t i = 0; i < scaled.columns; ++i) {
        if (i % kernel::kMxBlock == 0) {
          scale = static_cast<float>(
              decode(Format::e8m0, &scaled.scales[row * blocks + i / kernel::kMxBlock]));
        }
        const std::uint32_t at = i * bits, byte = at / 8, shift = at % 8;
        std::uint32_t word = std::to_integer<std::uint32_t>(from[byte]);
        if (shift + bits > 8) word |= std::to_integer<std::uint32_t>(from[byte + 1]) << 8;
        row_values[i] = values[word >> shift & mask] * scale;
      }
      std::memcpy(plain.data.data() + row * scaled.columns * sizeof(float), row_values.data(),
                  row_values.size() * sizeof(float));
    }
  });
  return plain;
}

}  // namespace rocvet
