#include <algorithm>

#include "report/layout.h"

namespace rocvet {
Verdict counts_as(const Report& report, const CheckResult& result) {
  const Verdict verdict = result.finding.verdict;
  const bool decides = result.check->decisive || report.explicit_selection;
  return verdict == Verdict::unknown && !decides ? Verdict::skip : verdict;
}

Verdict counts_as(const TestResult& result) {
  return result.verdict;
}

// A cause may rest on what the application said and on facts that are no fault by themselves.
Verdict counts_as(const RootCause& cause) {
  if (cause.severity == Verdict::fail && is_suspicion(cause) && !cause.raised) return Verdict::warn;
  return cause.severity == Verdict::unknown ? Verdict::skip : cause.severity;
}

Verdict worst_of(const std::vector<Verdict>& verdicts) {
  for (const Verdict worst : {Verdict::fail, Verdict::unknown, Verdict::warn, Verdict::pass}) {
    if (std::ranges::find(verdicts, worst) != verdicts.end()) return worst;
  }
  return Verdict::unknown;
}

Verdict overall_verdict(const Report& report) {
  std::vector<Verdict> verdicts;
  for (const CheckResult& result : report.checks) verdicts.push_back(counts_as(report, result));
  for (const TestResult& result : report.selftests) verdicts.push_back(counts_as(result));
  for (const RootCause& cause : report.diagnosis.root_causes) verdicts.push_back(counts_as(cause));
  for (const GpuLadder& ladder : report.ladders) {
    // Of the other rungs the self-tests were counted.
    if (!ladder.rungs.empty()) verdicts.push_back(ladder.rungs.front().verdict);
    if (!ladder.differing.empty()) verdicts.push_back(Verdict::fail);
  }
  if (report.soak) {
    for (const SoakRow& row : soak_rows(*report.soak)) verdicts.push_back(row.verdict);
  }
  return worst_of(verdicts);
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
