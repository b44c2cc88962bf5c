// Puts every measured result beside what its part should do.
#pragma once

#include <string>
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

/// What the judge calls the part that a result is of, as figures name it; "" for none.
std::string part_name(const TestResult& result, const Machine& machine, const Database& database);

}  // namespace rocvet
