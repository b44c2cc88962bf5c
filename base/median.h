#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rocvet {

/// The middle one, or the mean of the two in the middle; of at least one value.
inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace rocvet
