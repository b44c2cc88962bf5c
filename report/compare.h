// What changed from one report to another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/report.h"

namespace rocvet {

struct Difference {
  enum class Direction { worse, changed, better };
  Direction direction = Direction::changed;
  std::string area;           ///< "verdict", "cause", "check", "self-test", "machine"
  std::string what;           ///< "RV102 kfd-not-accessible", "hip:0 gemm.fp32", "kernel"
  std::string before, after;  ///< "" where there is none
};

/// Worse first, then what changed, then what got better. Of a speed only what is more than 5 % and
/// more than chance counts (report/samples.h).
std::vector<Difference> compare_reports(const Report& before, const Report& after);

/// By which share the later figure is better (above 0) or worse, whichever way the metric counts;
/// nothing when the two are not of the same metric, or differ by no more than chance.
std::optional<double> speed_change(const TestResult& before, const TestResult& after);

std::string write_differences(const std::vector<Difference>& differences);
/// {"schema":"rocvet.diff/1","differences":[{"direction","area","what","before","after"}]}
std::string write_differences_json(const std::vector<Difference>& differences);

}  // namespace rocvet
