#include "report/report.h"

namespace rocvet {
namespace {

/// A root cause below it is a suspicion: worth a warning, no reason to fail a machine.
constexpr double kSuspicion = 0.5;

/// An unread extra (a kernel log that only root may see) does not make a machine unjudged; a
/// self-test, or a check without which nothing can be said, does.
bool was_not_judged(const Report& report) {
  for (const CheckResult& result : report.checks) {
    if (result.finding.verdict == Verdict::unknown &&
        (result.check->decisive || report.explicit_selection))
      return true;
  }
  for (const TestResult& result : report.selftests) {
    if (result.verdict == Verdict::unknown) return true;
  }
  return false;
}

}  // namespace

Verdict overall_verdict(const Report& report) {
  bool failed = false, warned = false, passed = false;
  const auto count = [&](Verdict verdict) {
    failed |= verdict == Verdict::fail;
    warned |= verdict == Verdict::warn;
    passed |= verdict == Verdict::pass;
  };
  for (const CheckResult& result : report.checks) count(result.finding.verdict);
  for (const TestResult& result : report.selftests) count(result.verdict);
  // A cause may rest on what the application said and on facts that are no fault by themselves.
  for (const RootCause& cause : report.diagnosis.root_causes) {
    count(cause.severity == Verdict::fail && cause.confidence < kSuspicion ? Verdict::warn
                                                                           : cause.severity);
  }
  if (failed) return Verdict::fail;
  if (was_not_judged(report)) return Verdict::unknown;
  if (warned) return Verdict::warn;
  return passed ? Verdict::pass : Verdict::unknown;
}

int exit_status(Verdict overall) {
  switch (overall) {
    case Verdict::fail:
      return 1;
    case Verdict::unknown:
      return 2;
    default:
      return 0;
  }
}

}  // namespace rocvet
