// Puts every measured result beside what its part should do.
#pragma once

#include <vector>

#include "db/database.h"
#include "db/performance.h"
#include "machine/machine.h"
#include "selftests/selftest.h"

namespace rocvet {

/// Fills in expectation, verdict and explanations of results that are right and have a speed. A
/// device that is none of the machine's GPUs (the CPU, a simulator) has no expectation.
void judge_results(std::vector<TestResult>& results, const Machine& machine,
                   const Database& database, const PerformanceData& performance);

}  // namespace rocvet
