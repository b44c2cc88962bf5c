// What this part should reach in a test, and where that is known from.
#pragma once

#include <optional>
#include <string>

#include "db/performance.h"
#include "selftests/judge/part.h"

namespace rocvet {

struct Expectation {
  double typical = 0;  ///< what healthy parts do, in the unit of the test
  double healthy = 0;  ///< below it one should look
  double floor = 0;    ///< below it something is wrong
  std::string basis;   ///< "published", "theoretical", "calibrated"
  std::string source;
  std::string
      correction;  ///< what of the present configuration was taken into account; "" for nothing
  std::optional<double> clock_mhz;  ///< the clock that it is for; absent: the highest
};

/// nullopt: nobody knows what this part should do. `work` is the FLOPs of one launch (0: not
/// known); a problem too small to fill the part has no expectation.
std::optional<Expectation> expect(const Part& part, const Observation& observation,
                                  const PerformanceData& data, double work = 0);

/// What another self-test of the same run tells of this one (RatioRule).
struct RatioExpectation {
  const OtherFigure* of = nullptr;
  /// The same share of what the code can issue: at the clocks that were counted or, where that is
  /// less, at one clock. Which of the two is nearer depends on what limits the clock, and when.
  double typical = 0;
  double healthy = 0;  ///< below it one should look
};
/// The most demanding; nullopt: no rule, or the clock of one of the two was not counted.
std::optional<RatioExpectation> expect_from_others(const Part& part, const Observation& observation,
                                                   const PerformanceData& data);

/// The theoretical peak of the part for a test, in GB/s or TFLOP/s; nullopt when a figure is
/// missing.
std::optional<double> theoretical_peak(const Part& part, const std::string& test,
                                       const PerformanceData& data);

}  // namespace rocvet
