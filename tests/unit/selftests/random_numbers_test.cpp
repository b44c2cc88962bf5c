// Numbers of a generator that is right pass, and each way of being wrong is noticed.
#include "selftests/library/random_numbers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace rocvet::library {
namespace {

std::vector<float> uniform(std::uint32_t seed, std::size_t count = 4096) {
  std::mt19937 engine(seed);
  std::vector<float> numbers(count);
  for (float& number : numbers)
    number = (static_cast<float>(engine() >> 8) + 1.0f) * 0x1p-24f;  // (0, 1]
  return numbers;
}
std::vector<float> normal(std::uint32_t seed, float mean, float deviation) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> distribution(mean, deviation);
  std::vector<float> numbers(4096);
  for (float& number : numbers) number = distribution(engine);
  return numbers;
}

}  // namespace

TEST_CASE("Sobol's points of the first dimension, as Joe and Kuo's tables give them") {
  const std::vector<std::uint32_t> points = {0x00000000, 0x80000000, 0xc0000000,
                                             0x40000000, 0x60000000, 0xe0000000,
                                             0xa0000000, 0x20000000, 0x30000000};
  CHECK(check_sobol(points).ok());
  CHECK(check_sobol(std::span(points).subspan(1)).ok());  // zero left out
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<std::uint32_t> wrong = points;
    wrong[i] ^= 1u << (3 * i);
    CHECK_FALSE(check_sobol(wrong).ok());
  }
  CHECK_FALSE(check_sobol({}).ok());
}

TEST_CASE("evenly spread numbers pass, and those of 200 seeds raise no alarm") {
  int alarms = 0;
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    alarms += check_uniform(uniform(seed)).ok() ? 0 : 1;
    alarms += check_normal(normal(seed, 3, 0.5f), 3, 0.5).ok() ? 0 : 1;
  }
  CHECK(alarms == 0);
}

TEST_CASE("numbers that are not evenly spread are noticed") {
  const std::vector<std::function<void(std::vector<float>&)>> faults = {
      [](auto& numbers) { numbers[77] = 0; },
      [](auto& numbers) { numbers[77] = 1.5f; },
      [](auto& numbers) { numbers[4000] = std::bit_cast<float>(0xffffffffu); },  // never written
      [](auto& numbers) { std::fill_n(numbers.begin() + 1024, 256, 0.5f); },     // a block the same
      [](auto& numbers) { std::sort(numbers.begin(), numbers.begin() + 1024); },
      [](auto& numbers) {
        for (float& number : numbers) number = number * 0.9f + 0.05f;
      },
      [](auto& numbers) {  // a bit that stays one
        for (float& number : numbers)
          number = std::min(1.0f, number < 0.5f ? number + 0.5f : number);
      }};
  for (std::size_t i = 0; i < faults.size(); ++i) {
    CAPTURE(i);
    std::vector<float> numbers = uniform(5);
    faults[i](numbers);
    CHECK_FALSE(check_uniform(numbers).ok());
  }
}

TEST_CASE("normal numbers of another mean, width or shape are noticed") {
  CHECK_FALSE(check_normal(normal(1, 3.1f, 0.5f), 3, 0.5).ok());
  CHECK_FALSE(check_normal(normal(1, 3, 0.55f), 3, 0.5).ok());
  std::vector<float> flat = uniform(1);
  for (float& number : flat) number = 3 + (number - 0.5f) * 0.5f * 3.4641016f;
  CHECK_FALSE(check_normal(flat, 3, 0.5).ok());
  std::vector<float> one_sided = normal(1, 3, 0.5f);
  for (std::size_t i = 0; i < one_sided.size(); i += 2)
    one_sided[i] = 3 + std::abs(one_sided[i] - 3);
  CHECK_FALSE(check_normal(one_sided, 3, 0.5).ok());
}

}  // namespace rocvet::library
