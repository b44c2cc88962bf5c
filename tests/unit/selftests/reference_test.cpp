// Many elements at once must be what one at a time is, and threads must not change a result.
#include "selftests/reference.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "selftests/formats.h"

using namespace rocvet;

TEST_CASE("decode_all is decode, for every bit pattern of the small formats") {
  for (const Format format : {Format::fp16, Format::bf16, Format::fp8_ocp, Format::fp8_fnuz,
                              Format::int8, Format::fp8_e5m2, Format::fp6_e2m3, Format::fp6_e3m2,
                              Format::fp4_e2m1, Format::e8m0, Format::fp8_e5m2_fnuz}) {
    const auto size = static_cast<std::size_t>(bytes_of(format));
    const std::size_t count = std::size_t{1} << 8 * size;
    std::vector<std::byte> bits(count * size);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(&bits[i * size], &i, size);
    std::vector<double> values(count);
    decode_all(format, bits.data(), count, values.data());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double one = decode(format, &bits[i * size]);
      const bool same = std::isnan(one)
                            ? std::isnan(values[i])
                            : one == values[i] && std::signbit(one) == std::signbit(values[i]);
      wrong += !same;
    }
    CAPTURE(static_cast<int>(format));
    CHECK(wrong == 0);
  }
}

TEST_CASE("data and verdicts do not depend on the number of threads") {
  for (const Format format : {Format::fp64, Format::fp32, Format::fp16, Format::int8}) {
    const Matrix a = random_matrix(format, 33, 21, 7, 1, false, 1);
    CHECK(random_matrix(format, 33, 21, 7, 1, false, 5).data == a.data);
    const Matrix b = random_matrix(format, 17, 21, 7, 2, false, 3);
    Matrix c{Format::fp64, 33, 17, 17, {}};
    c.data.resize(33 * 17 * sizeof(double));
    for (std::uint32_t row = 0; row < 33; ++row) {
      for (std::uint32_t column = 0; column < 17; ++column) {
        double sum = 0;
        for (std::uint32_t i = 0; i < 21; ++i) sum += a.value(row, i) * b.value(column, i);
        std::memcpy(&c.data[(row * 17 + column) * sizeof(double)], &sum, sizeof sum);
      }
    }
    CHECK(check_product(a, b, c, 0x1p-53, 1, 4).ok());
    CHECK(check_every_element(a, b, c, 0x1p-53, 4).ok());
    double wrong = 0;
    std::memcpy(&wrong, &c.data[(20 * 17 + 3) * sizeof(double)], sizeof wrong);
    wrong += 1e-3;
    std::memcpy(&c.data[(20 * 17 + 3) * sizeof(double)], &wrong, sizeof wrong);
    for (const int threads : {1, 4, 50}) {
      const Verification found = check_product(a, b, c, 0x1p-53, 1, threads);
      CHECK_FALSE(found.ok());
      CHECK(found.detail.find("row 20") != std::string::npos);
      CHECK_FALSE(check_exact_product(a, b, c, threads).ok());
      const Verification element = check_every_element(a, b, c, 0x1p-53, threads);
      CHECK_FALSE(element.ok());
      CHECK(element.detail.find("row 20, column 3: ") == 0);
    }
  }
}
