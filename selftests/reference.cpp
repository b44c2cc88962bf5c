#include "selftests/reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "selftests/parallel.h"
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

void Worst::see(const Worst& other) {
  if (std::isnan(error_) || !(std::isnan(other.error_) || other.error_ > error_)) return;
  *this = other;
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

std::vector<double> Matrix::row_values(std::uint64_t row) const {
  std::vector<double> values(columns);
  read_row(row, values.data());
  return values;
}

namespace {

/// Elements of a table, in an order that `choice` gives: four from each number.
template <typename Element>
void fill_row(std::byte* to, std::uint32_t columns, std::uint64_t first, const Random& choice,
              const std::vector<std::byte>& table) {
  const std::uint64_t mask = table.size() / sizeof(Element) - 1;
  std::uint64_t drawn = 0;
  for (std::uint32_t i = 0; i < columns; ++i) {
    const std::uint64_t place = first + i;
    if (i == 0 || place % 4 == 0) drawn = choice.at(place / 4);
    const std::uint64_t which = drawn >> (place % 4 * 16) & mask;
    std::memcpy(to + i * sizeof(Element), &table[which * sizeof(Element)], sizeof(Element));
  }
}

/// Sum of products, and of their sizes. Four running sums: they do not wait for each other.
struct Dot {
  double sum = 0, size = 0;
};
Dot dot(const double* a, const double* b, std::size_t count) {
  constexpr std::size_t kSums = 4;
  double sum[kSums] = {}, size[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (std::size_t at = 0; at < kSums; ++at) {
      const double part = a[i + at] * b[i + at];
      sum[at] += part;
      size[at] += std::fabs(part);
    }
  }
  for (; i < count; ++i) {
    sum[0] += a[i] * b[i];
    size[0] += std::fabs(a[i] * b[i]);
  }
  return {sum[0] + sum[1] + (sum[2] + sum[3]), size[0] + size[1] + (size[2] + size[3])};
}

double sum_of_sizes(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += std::fabs(value);
  return total;
}

/// Of sums of k products: errors add up like a random walk.
double tolerance_of(double accumulation_error, std::uint32_t k) {
  return accumulation_error * (8 * std::sqrt(k) + 8);
}

Worst worst_of(const std::vector<Worst>& parts) {
  Worst worst;
  for (const Worst& part : parts) worst.see(part);
  return worst;
}

}  // namespace

std::uint32_t padded_stride(Format format, std::uint32_t columns) {
  const auto chunk = static_cast<std::uint32_t>(16 / bytes_of(format));
  return (columns + chunk - 1) / chunk * chunk;
}

Matrix random_matrix(Format format, std::uint32_t rows, std::uint32_t columns, std::uint64_t seed,
                     std::uint64_t stream, bool whole, int threads) {
  const auto size = static_cast<std::uint32_t>(bytes_of(format));
  Matrix matrix{format, rows, columns, padded_stride(format, columns), {}};
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
  in_parallel(threads, rows, [&](std::size_t, std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t row = first; row < last; ++row) {
      std::byte* to = matrix.data.data() + row * matrix.stride * size;
      if (size == 1) fill_row<std::uint8_t>(to, columns, row * columns, choice, table);
      if (size == 2) fill_row<std::uint16_t>(to, columns, row * columns, choice, table);
      if (size == 4) fill_row<std::uint32_t>(to, columns, row * columns, choice, table);
      if (size == 8) fill_row<std::uint64_t>(to, columns, row * columns, choice, table);
    }
  });
  return matrix;
}

Verification check_product(const Matrix& a, const Matrix& b, const Matrix& c,
                           double accumulation_error, std::uint64_t seed, int threads) {
  const std::uint32_t m = a.rows, n = b.rows, k = a.columns;
  const Random random(seed, 77);
  std::vector<std::uint32_t> rows = {0, m - 1};
  for (std::uint64_t i = 0; i < 6; ++i) rows.push_back(random.below(m, i));
  std::vector<std::vector<double>> sampled;
  for (const std::uint32_t row : rows) sampled.push_back(a.row_values(row));
  std::vector<double> x(n);
  for (std::uint32_t column = 0; column < n; ++column) {
    x[column] = (random.at(1000 + column) & 1) != 0 ? 1 : -1;
  }

  // B, row by row: the sampled rows of C, and the part of B^T x.
  const auto parts = static_cast<std::size_t>(std::max(threads, 1));
  std::vector<Worst> elements(parts), whole(parts);
  std::vector<std::vector<double>> product_parts(parts, std::vector<double>(k, 0.0));
  std::vector<double> b_sizes(parts, 0.0);
  in_parallel(threads, n, [&](std::size_t part, std::uint64_t first, std::uint64_t last) {
    std::vector<double>& product = product_parts[part];
    std::vector<double> values(k);
    for (std::uint64_t column = first; column < last; ++column) {
      b.read_row(column, values.data());
      for (std::uint32_t i = 0; i < k; ++i) product[i] += x[column] * values[i];
      b_sizes[part] += sum_of_sizes(values);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const Dot right = dot(sampled[r].data(), values.data(), k);
        elements[part].see_at(c.value(rows[r], column), right.sum, right.size, [&] {
          return "row " + std::to_string(rows[r]) + ", column " + std::to_string(column);
        });
      }
    }
  });
  std::vector<double> product_with_x(k, 0.0);  // B^T x, x of -1 and 1
  double b_size = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::uint32_t i = 0; i < k; ++i) product_with_x[i] += product_parts[part][i];
    b_size += b_sizes[part];
  }
  b_size /= static_cast<double>(n) * k;

  in_parallel(threads, m, [&](std::size_t part, std::uint64_t first, std::uint64_t last) {
    std::vector<double> values(k), results(n);
    for (std::uint64_t row = first; row < last; ++row) {
      a.read_row(row, values.data());
      c.read_row(row, results.data());
      const double expected = dot(values.data(), product_with_x.data(), k).sum;
      const double got = dot(results.data(), x.data(), n).sum;
      // Errors of n elements, each relative to a_size * b_size, add up like a random walk.
      const double scale = sum_of_sizes(values) * b_size * std::sqrt(n);
      whole[part].see_at(got, expected, scale, [&] {
        return "sum over row " + std::to_string(row) + " with random signs (Freivalds)";
      });
    }
  });
  const double tolerance = tolerance_of(accumulation_error, k);
  return worse_of(worst_of(elements).verification(tolerance),
                  worst_of(whole).verification(tolerance));
}

namespace {

/// Every element of C, of errors relative to the sum of its products' sizes. `kind` is part of the
/// words.
Worst compare_every_element(const Matrix& a, const Matrix& b, const Matrix& c, const char* kind,
                            bool exact, int threads) {
  const std::uint32_t k = a.columns;
  std::vector<double> columns(static_cast<std::size_t>(b.rows) * k);
  for (std::uint32_t column = 0; column < b.rows; ++column) {
    b.read_row(column, &columns[static_cast<std::size_t>(column) * k]);
  }
  std::vector<Worst> parts(static_cast<std::size_t>(std::max(threads, 1)));
  in_parallel(threads, a.rows, [&](std::size_t part, std::uint64_t first, std::uint64_t last) {
    std::vector<double> values(k);
    for (std::uint64_t row = first; row < last; ++row) {
      a.read_row(row, values.data());
      for (std::uint32_t column = 0; column < b.rows; ++column) {
        const Dot right = dot(values.data(), &columns[static_cast<std::size_t>(column) * k], k);
        parts[part].see_at(c.value(row, column), right.sum, exact ? 0 : right.size, [&] {
          return kind + ("row " + std::to_string(row)) + ", column " + std::to_string(column);
        });
      }
    }
  });
  return worst_of(parts);
}

}  // namespace

Verification check_every_element(const Matrix& a, const Matrix& b, const Matrix& c,
                                 double accumulation_error, int threads) {
  return compare_every_element(a, b, c, "", false, threads)
      .verification(tolerance_of(accumulation_error, a.columns));
}

Verification check_exact_product(const Matrix& a, const Matrix& b, const Matrix& c, int threads) {
  return compare_every_element(a, b, c, "whole numbers, ", true, threads).verification(0);
}

}  // namespace rocvet
