#include "selftests/reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "selftests/random.h"

namespace rocvet {
namespace {

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

double relative(double got, double expected, double scale) {
  if (std::isnan(got) || std::isnan(expected)) return std::nan("");
  const double distance = std::fabs(got - expected);
  return distance == 0 ? 0 : scale > 0 ? distance / scale : INFINITY;
}

}  // namespace

bool Worst::worse(double got, double expected, double scale) const {
  if (std::isnan(error_)) return false;
  const double error = relative(got, expected, scale);
  return std::isnan(error) || error > error_;
}

void Worst::see(double got, double expected, double scale, const std::string& where) {
  if (!worse(got, expected, scale)) return;
  error_ = relative(got, expected, scale);
  where_ = where + ": " + number(got) + " instead of " + number(expected);
}

Verification Worst::verification(double tolerance) const {
  Verification result{error_, tolerance, ""};
  if (!result.ok()) result.detail = where_;
  return result;
}

Verification worse_of(const Verification& a, const Verification& b) {
  if (!a.ok()) return a;
  if (!b.ok()) return b;
  const auto share = [](const Verification& v) {
    return v.tolerance > 0 ? v.max_rel_error / v.tolerance : 0;
  };
  return share(b) > share(a) || (b.tolerance > 0 && a.tolerance == 0) ? b : a;
}

std::string difference(const std::vector<std::byte>& first, const std::vector<std::byte>& again,
                       int element_bytes) {
  if (first == again) return "";
  const auto size = static_cast<std::size_t>(element_bytes);
  std::size_t places = 0, where = 0;
  for (std::size_t at = 0; at + size <= first.size() && at + size <= again.size(); at += size) {
    if (std::memcmp(&first[at], &again[at], size) == 0) continue;
    if (places++ == 0) where = at / size;
  }
  return "two runs of the same launch differ in " + std::to_string(places) +
         " places, first at element " + std::to_string(where);
}

std::vector<double> Matrix::row_values(std::uint64_t row) const {
  std::vector<double> values(columns);
  for (std::uint32_t i = 0; i < columns; ++i) values[i] = value(row, i);
  return values;
}

Matrix random_matrix(Format format, std::uint32_t rows, std::uint32_t columns, std::uint64_t seed,
                     std::uint64_t stream, bool whole) {
  const auto size = static_cast<std::uint32_t>(bytes_of(format));
  const std::uint32_t per_chunk = 16 / size;
  Matrix matrix{format, rows, columns, (columns + per_chunk - 1) / per_chunk * per_chunk, {}};
  matrix.data.resize(static_cast<std::size_t>(matrix.rows) * matrix.stride * size);
  // Drawn from a table: encoding each element anew would take longer than the test.
  constexpr std::uint32_t kTable = 1 << 14;
  const Random random(seed, stream), choice(seed, stream + 1000);
  std::vector<std::byte> table(kTable * size);
  for (std::uint32_t i = 0; i < kTable; ++i) {
    const double unit = random.uniform(i);
    const double value = whole                    ? std::floor((unit + 1) / 2 * 5) - 2
                         : format == Format::int8 ? std::nearbyint(unit * 127)
                                                  : unit;
    encode(format, value, &table[i * size]);
  }
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::byte* to = matrix.data.data() + row * matrix.stride * size;
    for (std::uint32_t i = 0; i < columns; ++i) {
      std::memcpy(to + i * size, &table[choice.below(kTable, row * columns + i) * size], size);
    }
  }
  return matrix;
}

Verification check_product(const Matrix& a, const Matrix& b, const Matrix& c,
                           double accumulation_error, std::uint64_t seed) {
  const std::uint32_t m = a.rows, n = b.rows, k = a.columns;
  const Random random(seed, 77);
  std::vector<std::uint32_t> rows = {0, m - 1};
  for (std::uint64_t i = 0; i < 6; ++i) rows.push_back(random.below(m, i));
  std::vector<std::vector<double>> sampled;
  for (const std::uint32_t row : rows) sampled.push_back(a.row_values(row));

  Worst elements, whole;
  std::vector<double> product_with_x(k, 0.0);  // B^T x, x of -1 and 1
  std::vector<double> x(n);
  double b_size = 0;
  for (std::uint32_t column = 0; column < n; ++column) {
    x[column] = (random.at(1000 + column) & 1) != 0 ? 1 : -1;
    const std::vector<double> values = b.row_values(column);
    for (std::uint32_t i = 0; i < k; ++i) {
      product_with_x[i] += x[column] * values[i];
      b_size += std::fabs(values[i]);
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
      double sum = 0, size = 0;
      for (std::uint32_t i = 0; i < k; ++i) {
        const double part = sampled[r][i] * values[i];
        sum += part;
        size += std::fabs(part);
      }
      elements.see_at(c.value(rows[r], column), sum, size, [&] {
        return "row " + std::to_string(rows[r]) + ", column " + std::to_string(column);
      });
    }
  }
  b_size /= static_cast<double>(n) * k;
  for (std::uint32_t row = 0; row < m; ++row) {
    double expected = 0, got = 0, a_size = 0;
    for (std::uint32_t i = 0; i < k; ++i) {
      const double value = a.value(row, i);
      expected += value * product_with_x[i];
      a_size += std::fabs(value);
    }
    for (std::uint32_t column = 0; column < n; ++column) got += c.value(row, column) * x[column];
    // Errors of n elements, each relative to a_size * b_size, add up like a random walk.
    whole.see_at(got, expected, a_size * b_size * std::sqrt(n), [&] {
      return "sum over row " + std::to_string(row) + " with random signs (Freivalds)";
    });
  }
  const double tolerance = accumulation_error * (8 * std::sqrt(k) + 8);
  return worse_of(elements.verification(tolerance), whole.verification(tolerance));
}

Verification check_exact_product(const Matrix& a, const Matrix& b, const Matrix& c) {
  Worst worst;
  std::vector<std::vector<double>> columns;
  for (std::uint32_t column = 0; column < b.rows; ++column) columns.push_back(b.row_values(column));
  for (std::uint32_t row = 0; row < a.rows; ++row) {
    const std::vector<double> values = a.row_values(row);
    for (std::uint32_t column = 0; column < b.rows; ++column) {
      double sum = 0;
      for (std::uint32_t i = 0; i < a.columns; ++i) sum += values[i] * columns[column][i];
      worst.see_at(c.value(row, column), sum, 0, [&] {
        return "whole numbers, row " + std::to_string(row) + ", column " + std::to_string(column);
      });
    }
  }
  return worst.verification(0);
}

}  // namespace rocvet
