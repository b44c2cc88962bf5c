#include "report/gate.h"

#include <algorithm>

#include "base/text.h"
#include "report/policy.h"

namespace rocvet {
namespace {

bool matches(const std::vector<std::string>& patterns, std::string_view id, std::string_view code) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return glob_match(pattern, id) || (!code.empty() && glob_match(pattern, code));
  });
}

/// Of all its GPUs; none where there was no soak.
std::vector<SoakTest*> soak_tests(Report& report) {
  std::vector<SoakTest*> tests;
  if (!report.soak) return tests;
  for (SoakGpu& gpu : report.soak->gpus) {
    for (SoakTest& test : gpu.tests) tests.push_back(&test);
  }
  return tests;
}

}  // namespace

Result<Done> names_a_part(std::string_view pattern, const Database& database) {
  const std::vector<std::string> one = {std::string(pattern)};
  std::vector<std::string> names;
  bool found = false;
  const auto look = [&](std::string_view id, std::string_view code) {
    found |= matches(one, id, code);
    names.emplace_back(id);
  };
  for (const Check* check : all_checks(database)) look(check->id, check->code);
  look(policy_check().id, policy_check().code);
  for (const SelfTest* test : all_selftests()) look(test->id, "");
  for (const Cause& cause : database.knowledge().causes()) look(cause.id, "");
  if (found) return Done{};
  return malformed("--ignore", "no check, self-test or root cause matches '" + one.front() + "'" +
                                   did_you_mean(one.front(), names));
}

void ignore(Report& report, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return;
  const auto leave_out = [](Verdict& verdict, std::string& summary) {
    if (verdict == Verdict::pass || verdict == Verdict::skip) return;
    verdict = Verdict::skip;
    summary = "ignored (--ignore): " + summary;
  };
  for (CheckResult& result : report.checks) {
    if (matches(patterns, result.check->id, result.check->code))
      leave_out(result.finding.verdict, result.finding.summary);
  }
  for (TestResult& result : report.selftests) {
    if (matches(patterns, result.id, "")) leave_out(result.verdict, result.summary);
  }
  for (SoakTest* test : soak_tests(report)) {
    if (matches(patterns, test->id, "")) leave_out(test->verdict, test->summary);
  }
  std::erase_if(report.diagnosis.root_causes,
                [&](const RootCause& cause) { return matches(patterns, cause.id, ""); });
  drop_waived_causes(report);
  report.verdict = overall_verdict(report);
}

void fail_on_warnings(Report& report) {
  const auto raise = [](Verdict& verdict) {
    if (verdict == Verdict::warn) verdict = Verdict::fail;
  };
  for (CheckResult& result : report.checks) raise(result.finding.verdict);
  for (TestResult& result : report.selftests) raise(result.verdict);
  for (RootCause& cause : report.diagnosis.root_causes) {
    cause.raised = counts_as(cause) == Verdict::warn;
    raise(cause.severity);
  }
  for (SoakTest* test : soak_tests(report)) raise(test->verdict);
  report.verdict = overall_verdict(report);
  raise(report.verdict);
}

}  // namespace rocvet
