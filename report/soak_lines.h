// What the charts of a soak show, whatever draws them.
#pragma once

#include <string>
#include <vector>

#include "selftests/soak/soak.h"

namespace rocvet {

/// One line of a chart: a figure or a reading over the periods.
struct SoakLine {
  Verdict verdict = Verdict::skip;  ///< skip: none, it is a reading
  std::string name;                 ///< "gemm.fp16", "temperature"
  PerPeriod values;                 ///< empty: nothing to draw
  std::string text;                 ///< what is said of it
  bool on_demand = false;           ///< a test that cannot run here
};

/// Tests first, then readings that there are, then counters and how it ended.
std::vector<SoakLine> soak_lines(const SoakGpu& gpu);
/// "hip:0, 0000:03:00.0 (gfx1100)"
std::string soak_title(const SoakGpu& gpu);
/// "soak of 1:00:00, each column 60 s", and how long it lasted where that is less.
std::string soak_heading(const Soak& soak);
/// "minute 7 (6:23): gemm.fp16: wrong result: …", of the errors that are told in full.
std::vector<std::string> soak_error_lines(const SoakGpu& gpu);

}  // namespace rocvet
