#include "selftests/library/random_numbers.h"

#include <array>
#include <cmath>

#include "selftests/reference.h"

namespace rocvet::library {
namespace {

constexpr double kMostDeviations = 7;  // by chance once in 10^11 tries

/// Direction number j of the first dimension is 2^(31 - j): a point is the Gray code of its number
/// read backwards.
std::uint32_t sobol_point(std::uint32_t number) {
  std::uint32_t gray = number ^ number >> 1, point = 0;
  for (int bit = 0; bit < 32; ++bit, gray >>= 1) point = point << 1 | (gray & 1);
  return point;
}

/// Collects how many standard deviations figures are off.
class Deviations {
 public:
  void see(const char* what, double got, double expected, double deviation) {
    worst_.see(got, expected, deviation, what);
  }
  Verification verification() const { return worst_.verification(kMostDeviations); }

 private:
  Worst worst_;
};

struct Moments {
  double first = 0, second = 0, third = 0, fourth = 0, neighbours = 0;
};
/// Of (number - mean) / deviation.
Moments moments_of(std::span<const float> numbers, double mean, double deviation) {
  Moments sums;
  double before = 0;
  for (const float number : numbers) {
    const double x = (static_cast<double>(number) - mean) / deviation;
    sums.first += x;
    sums.second += x * x;
    sums.third += x * x * x;
    sums.fourth += x * x * x * x;
    sums.neighbours += x * before;
    before = x;
  }
  const auto count = static_cast<double>(numbers.size());
  return {sums.first / count, sums.second / count, sums.third / count, sums.fourth / count,
          sums.neighbours / count};
}

}  // namespace

Verification check_sobol(std::span<const std::uint32_t> points) {
  if (points.empty()) return {INFINITY, 0, "no point"};
  const std::uint32_t first = points[0] == sobol_point(0) ? 0 : 1;
  Worst worst;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    worst.see_at(points[i], sobol_point(first + i), 0,
                 [&] { return "point " + std::to_string(i) + " of Sobol's sequence"; });
  }
  return worst.verification(0);
}

Verification check_uniform(std::span<const float> numbers) {
  constexpr std::size_t kParts = 64;
  std::array<double, kParts> counts{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float number = numbers[i];
    if (!(number > 0 && number <= 1))
      return {INFINITY, 0, "number " + std::to_string(i) + " is not between 0 and 1"};
    counts[std::min(static_cast<std::size_t>(number * kParts), kParts - 1)] += 1;
  }
  const auto count = static_cast<double>(numbers.size());
  const double root = std::sqrt(count);
  double chi_square = 0;
  for (const double one : counts)
    chi_square += (one - count / kParts) * (one - count / kParts) / (count / kParts);
  const Moments is = moments_of(numbers, 0.5, std::sqrt(1.0 / 12));
  Deviations all;
  all.see("mean", is.first, 0, 1 / root);
  all.see("variance", is.second, 1, std::sqrt(0.8) / root);  // fourth moment 1.8
  all.see("correlation of neighbours", is.neighbours, 0, 1 / root);
  all.see("spread over 64 parts", chi_square, kParts - 1, std::sqrt(2.0 * (kParts - 1)));
  return all.verification();
}

Verification check_normal(std::span<const float> numbers, double mean, double deviation) {
  const double root = std::sqrt(static_cast<double>(numbers.size()));
  const Moments is = moments_of(numbers, mean, deviation);
  Deviations all;
  all.see("mean", is.first, 0, 1 / root);
  all.see("variance", is.second, 1, std::sqrt(2.0) / root);
  all.see("third moment", is.third, 0, std::sqrt(15.0) / root);
  all.see("fourth moment", is.fourth, 3, std::sqrt(96.0) / root);
  all.see("correlation of neighbours", is.neighbours, 0, 1 / root);
  return all.verification();
}

}  // namespace rocvet::library
