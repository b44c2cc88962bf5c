#include "report/spark_line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace rocvet {

SparkScale::SparkScale(const std::vector<std::optional<double>>& values) {
  constexpr double kLevel = 0.9;
  bool any = false;
  for (const auto& value : values) {
    if (!value || !std::isfinite(*value)) continue;
    bottom_ = any ? std::min(bottom_, *value) : *value;
    top_ = any ? std::max(top_, *value) : *value;
    any = true;
  }
  bottom_ = std::min(bottom_, kLevel * top_);
}

double SparkScale::operator()(double value) const {
  const double range = top_ - bottom_;
  if (!(range > 0) || !std::isfinite(range)) return 1;
  return std::clamp((value - bottom_) / range, 0.0, 1.0);
}

std::string spark_line(const std::vector<std::optional<double>>& values) {
  constexpr std::array<std::string_view, 8> kBars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const SparkScale scale(values);
  std::string out;
  for (const auto& value : values) {
    if (!value || !std::isfinite(*value)) {
      out += ' ';
      continue;
    }
    out += kBars[static_cast<std::size_t>(std::lround(scale(*value) * (kBars.size() - 1)))];
  }
  return out;
}

}  // namespace rocvet
