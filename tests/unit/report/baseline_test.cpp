#include "report/baseline.h"

#include <doctest/doctest.h>

#include "tests/unit/report/sample_report.h"

using namespace rocvet;

namespace {

Report with_speed(double median) {
  Report report = test::sample_report();
  report.checks = {{&test::kDecisive, pass("one GPU")}};
  report.diagnosis.root_causes.clear();
  report.selftests.resize(1);
  Performance& p = *report.selftests[0].performance;
  p.median = median;
  p.min = median * 0.99;
  p.max = median * 1.01;
  return report;
}

Verdict against_100(double median) {
  Report report = with_speed(median);
  apply_baseline(report, with_speed(100));
  return report.verdict;
}

}  // namespace

TEST_CASE("what failed before is known and only warns") {
  Report report = test::sample_report();
  apply_baseline(report, test::sample_report());
  CHECK(report.checks[0].finding.verdict == Verdict::warn);
  CHECK(report.checks[0].finding.evidence.back().find("2026-11-21") != std::string::npos);
  CHECK(report.diagnosis.root_causes[0].severity == Verdict::warn);
  CHECK(report.selftests[1].verdict == Verdict::warn);
  CHECK(report.verdict == Verdict::warn);
}

TEST_CASE("what is new fails") {
  Report baseline = test::sample_report();
  baseline.checks[0].finding.subject = "gpu 1 (0000:83:00.0)";
  Report report = test::sample_report();
  apply_baseline(report, baseline);
  CHECK(report.checks[0].finding.verdict == Verdict::fail);
  CHECK(report.verdict == Verdict::fail);
}

TEST_CASE("slower than the baseline: 10 % warns, 25 % fails, noise does not") {
  CHECK(against_100(100) == Verdict::pass);
  CHECK(against_100(93) == Verdict::pass);
  CHECK(against_100(85) == Verdict::warn);
  CHECK(against_100(70) == Verdict::fail);
  CHECK(against_100(150) == Verdict::pass);
}
