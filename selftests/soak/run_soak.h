// The self-tests repeated for a given time on every chosen device.
#pragma once

#include <vector>

#include "selftests/selftest.h"
#include "selftests/soak/soak.h"

namespace rocvet {

struct SoakRun {
  Soak soak;                        ///< judged
  std::vector<TestResult> results;  ///< of each test and device the first that failed, or the last
};

/// `request.repeat.for_s` says for how long. Without ids: the tests of our own kernels that load
/// the device, not those of installed libraries. A signal that would end this process ends the
/// soak; what was found until then is returned where somebody holds an Interruption, else nothing
/// is.
Result<SoakRun> run_soak(TestRequest request);

}  // namespace rocvet
