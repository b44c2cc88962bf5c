// Runs self-tests and puts each figure beside what its part should do. What falls short is measured
// once more before anybody hears of it: another machine on the same host, or a clock that a sensor
// told late, slows one measurement and not two.
#pragma once

#include <functional>
#include <vector>

#include "db/database.h"
#include "db/performance.h"
#include "machine/machine.h"
#include "selftests/selftest.h"

namespace rocvet {

/// run_selftests(), or what a test puts in its place.
using SelfTestRunner = std::function<Result<std::vector<TestResult>>(const TestRequest&)>;

/// Results with their verdicts. A result that was measured twice has the better figure, and both in
/// its evidence. Tests of size tiny have no figure; on a device where many fall short it is no
/// chance, and nothing is measured again.
Result<std::vector<TestResult>> run_judged(const TestRequest& request, const Machine& machine,
                                           const Database& database,
                                           const PerformanceData& performance,
                                           const SelfTestRunner& run = run_selftests);

}  // namespace rocvet
