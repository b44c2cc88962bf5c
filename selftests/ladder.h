// The same self-tests through each layer, bottom up: the first rung that fails is the layer that is
// broken. Pure: results in, rungs out.
#pragma once

#include <string>
#include <vector>

#include "selftests/selftest.h"

namespace rocvet {

struct Rung {
  std::string name;  ///< "driver", "kfd", "hsa", "hip", "libraries", "frameworks"
  Verdict verdict = Verdict::unknown;
  std::string summary;                      ///< one sentence
  std::string through;                      ///< the library and its version, or the interface
  double seconds = 0;                       ///< wall time of the rung, all GPUs at once
  int passed = 0, failed = 0, not_run = 0;  ///< tests
};

struct GpuLadder {
  std::string bdf, arch;
  std::vector<Rung> rungs;  ///< bottom up
  std::string broken;       ///< where the break is and what is seen of it; "" when there is none
  /// Tests whose answers differ in a bit from one rung to another, though the kernel is the same.
  std::vector<std::string> differing;
};

/// What one rung's tests gave, on all GPUs.
struct RungResults {
  std::string name;
  double seconds = 0;
  std::vector<TestResult> results;
};

/// What is known of one GPU before any test.
struct LadderGpu {
  std::string bdf, arch;
  Rung driver;
};

/// In the order of `seen`, then GPUs that only the tests saw. A result without a place counts for
/// the GPU of its number, and one without a number for all.
std::vector<GpuLadder> climb(const std::vector<LadderGpu>& seen,
                             const std::vector<RungResults>& rungs);

/// Whether a rung fails and none above it works.
bool has_break(const GpuLadder& ladder);

/// "HSA (ROCr)".
std::string title_of_rung(std::string_view name);

}  // namespace rocvet
