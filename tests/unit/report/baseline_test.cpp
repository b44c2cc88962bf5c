#include "report/baseline.h"

#include <doctest/doctest.h>

#include <algorithm>

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
  p.samples.clear();
  for (int i = -10; i <= 10; ++i) p.samples.push_back(median * (1 + 0.001 * i));
  p.min = p.samples.front();
  p.max = p.samples.back();
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

TEST_CASE("--fail-on regression: what else would warn fails, noise still does not") {
  Report slower = with_speed(85), noise = with_speed(93);
  apply_baseline(slower, with_speed(100), true);
  apply_baseline(noise, with_speed(100), true);
  CHECK(slower.verdict == Verdict::fail);
  CHECK(noise.verdict == Verdict::pass);
}

TEST_CASE("40 % slower fails in spite of one stray sample in either run, fast or slow") {
  for (const double stray : {0.1, 10.0}) {
    for (const bool in_baseline : {false, true}) {
      Report baseline = with_speed(100), report = with_speed(60);
      Performance& p = *(in_baseline ? baseline : report).selftests[0].performance;
      p.samples[3] *= stray;
      p.min = std::ranges::min(p.samples);
      p.max = std::ranges::max(p.samples);
      apply_baseline(report, baseline);
      CHECK(report.verdict == Verdict::fail);
      CHECK(report.selftests[0].summary.find("40 % worse than the 100 TFLOP/s") == 0);
    }
  }
}

TEST_CASE("what takes longer is worse, what takes less is not") {
  for (const auto& [now, verdict] :
       {std::pair{130.0, Verdict::warn}, std::pair{200.0, Verdict::fail},
        std::pair{50.0, Verdict::pass}}) {
    Report baseline = with_speed(100), report = with_speed(now);
    baseline.selftests[0].higher_is_better = report.selftests[0].higher_is_better = false;
    apply_baseline(report, baseline);
    CHECK(report.verdict == verdict);
  }
}
