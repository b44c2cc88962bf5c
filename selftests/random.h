// Seeded data. A value depends on the seed and its place alone, so any part can be made again.
#pragma once

#include <cstdint>

namespace rocvet {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
      : base_(mix(seed * 0x9e3779b97f4a7c15u + stream)) {}

  std::uint64_t at(std::uint64_t place) const { return mix(base_ + place * 0x9e3779b97f4a7c15u); }
  std::uint32_t below(std::uint32_t bound, std::uint64_t place) const {
    return static_cast<std::uint32_t>((at(place) >> 32) * bound >> 32);
  }
  /// In [-1, 1).
  double uniform(std::uint64_t place) const {
    return static_cast<double>(static_cast<std::int64_t>(at(place)) >> 11) * 0x1p-52;
  }

 private:
  static std::uint64_t mix(std::uint64_t value) {  // splitmix64
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
  }
  std::uint64_t base_;
};

}  // namespace rocvet
