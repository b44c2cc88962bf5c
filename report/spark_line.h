// A series of numbers as one line of text.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rocvet {

/// One column a value, "▁" to "█", a blank where there is none. The bottom is the least, or nine
/// tenths of the most where that is lower: what moves by a hundredth looks level.
std::string spark_line(const std::vector<std::optional<double>>& values);

/// The same scale, for other charts: 0 at the bottom, 1 at the top.
class SparkScale {
 public:
  explicit SparkScale(const std::vector<std::optional<double>>& values);
  double operator()(double value) const;

 private:
  double bottom_ = 0, top_ = 0;
};

}  // namespace rocvet
