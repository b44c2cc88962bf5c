// From what was kept of a soak to verdicts. Pure.
#pragma once

#include <cstddef>
#include <optional>

#include "selftests/soak/soak.h"

namespace rocvet {

/// A figure at the two ends of a soak.
struct SoakEnds {
  double first = 0, last = 0;  ///< medians of the first quarter, after the warm-up, and of the last
  double loss = 0;             ///< as a share of the first; below 0 where it got better
  double limit = 0;            ///< a larger loss is more than the spread of the figures explains
  // Periods: [first_begin, first_end) and from last_begin on.
  std::size_t first_begin = 0, first_end = 0, last_begin = 0;
};

/// nullopt: too few periods have a figure. The warm-up is a tenth of them. The limit is 3 %, or
/// four standard errors of the difference of two such medians where that is more. The spread is the
/// median absolute deviation of the quarters, or that of the steps from period to period, whichever
/// says more: neither minds a stray figure.
std::optional<SoakEnds> compare_ends(const PerPeriod& figures, bool higher_is_better);

/// Sets the verdict and summary of each test and of each GPU's error counters. `fail`: a round was
/// wrong, or an uncorrectable error was counted. `warn`: a figure sank, with what rose meanwhile,
/// or corrected errors were counted. `unknown`: it never ran, or too few rounds did to tell whether
/// its figure sank. `skip`: what the device does not have.
void judge_soak(Soak& soak);

}  // namespace rocvet
