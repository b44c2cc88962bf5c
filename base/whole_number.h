// Numbers of foreign files as whole numbers of a type that may not hold them.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <optional>

namespace rocvet {

/// The value as a T; nullopt for a fraction, for NaN and for what T does not hold: converting such
/// a double is undefined.
template <std::integral T>
std::optional<T> whole_number(double value) {
  constexpr auto kLeast = static_cast<double>(std::numeric_limits<T>::min());
  // One more than the largest T, which itself may be no double.
  constexpr double kEnd = 2.0 * static_cast<double>(T{1} << (std::numeric_limits<T>::digits - 1));
  if (std::trunc(value) != value || value < kLeast || value >= kEnd) return std::nullopt;
  return static_cast<T>(value);
}

}  // namespace rocvet
