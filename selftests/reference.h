// Answers in double precision, to hold results against.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "selftests/formats.h"
#include "selftests/selftest.h"

namespace rocvet {

/// Keeps the worst of many comparisons. A NaN is worse than any number.
class Worst {
 public:
  /// `scale` is what the error is relative to; 0 only if got and expected must be equal.
  void see(double got, double expected, double scale, const std::string& where);
  /// For comparisons in a loop: `where` is called only when this one is the worst so far.
  template <typename Where>
  void see_at(double got, double expected, double scale, const Where& where) {
    if (worse(got, expected, scale)) see(got, expected, scale, where());
  }
  /// What another saw, after what this one saw.
  void see(const Worst& other);
  double error() const { return error_; }
  Verification verification(double tolerance) const;

 private:
  bool worse(double got, double expected, double scale) const;
  double error_ = 0;
  std::string where_;
};

/// The worse of two, each in units of its own tolerance.
Verification worse_of(const Verification& a, const Verification& b);

/// A matrix, row by row, in a format; rows are `stride` elements apart.
struct Matrix {
  Format format = Format::fp32;
  std::uint32_t rows = 0, columns = 0, stride = 0;
  std::vector<std::byte> data;

  const std::byte* at(std::uint64_t row, std::uint64_t column) const {
    return data.data() + (row * stride + column) * static_cast<std::uint64_t>(bytes_of(format));
  }
  double value(std::uint64_t row, std::uint64_t column) const {
    return decode(format, at(row, column));
  }
  std::vector<double> row_values(std::uint64_t row) const;
  void read_row(std::uint64_t row, double* to) const {
    decode_all(format, at(row, 0), columns, to);
  }
};

/// Elements of a row that has room for `columns` and begins and ends at multiples of 16 bytes.
std::uint32_t padded_stride(Format format, std::uint32_t columns);

/// Values in [-1, 1) (integers: -127 to 127; `whole`: -2 to 2), rows padded with zeros to multiples
/// of 16 bytes. `threads` of the host make them.
Matrix random_matrix(Format format, std::uint32_t rows, std::uint32_t columns, std::uint64_t seed,
                     std::uint64_t stream, bool whole, int threads = 1);

/// Compares C with A * B^T: some rows in full against double precision, and all of C by Freivalds'
/// test (C x = A (B^T x)). `accumulation_error` is the relative error of one addition.
Verification check_product(const Matrix& a, const Matrix& b, const Matrix& c,
                           double accumulation_error, std::uint64_t seed, int threads = 1);
/// Compares every element of C with A * B^T in double precision.
Verification check_every_element(const Matrix& a, const Matrix& b, const Matrix& c,
                                 double accumulation_error, int threads = 1);
/// Every element of C must be exactly A * B^T, whose values are whole numbers.
Verification check_exact_product(const Matrix& a, const Matrix& b, const Matrix& c,
                                 int threads = 1);

}  // namespace rocvet
