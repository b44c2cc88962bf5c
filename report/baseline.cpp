#include "report/baseline.h"

#include <algorithm>

#include "base/text.h"
#include "report/compare.h"
#include "report/share.h"

namespace rocvet {
namespace {

constexpr double kWarns = 0.10, kFails = 0.25;

std::string note(const Report& baseline) {
  return "known: it failed in the baseline of " + baseline.started + " too";
}

void know_checks(Report& report, const Report& baseline) {
  std::function<std::string(std::string_view)> shared;  // made for the first that failed
  for (CheckResult& result : report.checks) {
    if (result.finding.verdict != Verdict::fail) continue;
    if (!shared) shared = as_shared(report);
    const std::string& subject = result.finding.subject;
    const std::string saved = shared(subject);  // names were replaced when it was saved
    const bool known = std::ranges::any_of(baseline.checks, [&](const CheckResult& old_one) {
      return old_one.check->id == result.check->id &&
             (old_one.finding.subject == subject || old_one.finding.subject == saved) &&
             old_one.finding.verdict == Verdict::fail;
    });
    if (!known) continue;
    result.finding.verdict = Verdict::warn;
    result.finding.evidence.push_back(note(baseline));
  }
  for (RootCause& cause : report.diagnosis.root_causes) {
    const bool known =
        std::ranges::any_of(baseline.diagnosis.root_causes,
                            [&](const RootCause& old_one) { return old_one.id == cause.id; });
    if (known && cause.severity == Verdict::fail) cause.severity = Verdict::warn;
  }
}

void judge_speed(TestResult& now, const TestResult& was, const Report& baseline,
                 bool each_loss_fails) {
  const auto change = speed_change(was, now);
  if (!change || *change > -kWarns || !was.performance) return;
  if (*change <= -kFails || each_loss_fails) {
    now.verdict = Verdict::fail;
  } else if (now.verdict == Verdict::pass) {
    now.verdict = Verdict::warn;
  }
  now.summary = fixed(-*change * 100, 0) + " % worse than the " +
                short_number(was.performance->median) + " " + was.performance->unit +
                " of the baseline of " + baseline.started;
}

}  // namespace

void apply_baseline(Report& report, const Report& baseline, bool each_loss_fails) {
  know_checks(report, baseline);
  for (TestResult& now : report.selftests) {
    const auto was = std::ranges::find_if(baseline.selftests, [&](const TestResult& old_one) {
      return old_one.id == now.id && old_one.device == now.device;
    });
    if (was == baseline.selftests.end()) continue;
    if (now.verdict == Verdict::fail && was->verdict == Verdict::fail) {
      now.verdict = Verdict::warn;
      now.evidence.push_back(note(baseline));
    } else {
      judge_speed(now, *was, baseline, each_loss_fails);
    }
  }
  report.verdict = overall_verdict(report);
}

}  // namespace rocvet
