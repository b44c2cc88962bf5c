#include "report/report.h"

namespace rocvet {

Verdict overall_verdict(const Report& report) {
  bool failed = false, warned = false, unknown = false, passed = false;
  const auto count = [&](Verdict verdict) {
    failed |= verdict == Verdict::fail;
    warned |= verdict == Verdict::warn;
    unknown |= verdict == Verdict::unknown;
    passed |= verdict == Verdict::pass;
  };
  for (const CheckResult& result : report.checks) count(result.finding.verdict);
  for (const TestResult& result : report.selftests) count(result.verdict);
  if (failed) return Verdict::fail;
  if (warned) return Verdict::warn;
  return passed && !unknown ? Verdict::pass : Verdict::unknown;
}

}  // namespace rocvet
