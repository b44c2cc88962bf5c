#include <doctest/doctest.h>

#include "tests/unit/report/sample_report.h"

using namespace rocvet;

namespace {

int status_of(Report report) {
  report.verdict = overall_verdict(report);
  return exit_status(report);
}

Report with(const Check& check, Verdict verdict) {
  Report report;
  report.checks = {{&check, Finding{.verdict = verdict, .summary = "x"}}};
  return report;
}

}  // namespace

TEST_CASE("exit status") {
  CHECK(status_of(with(test::kAccess, Verdict::pass)) == 0);
  CHECK(status_of(with(test::kAccess, Verdict::warn)) == 0);
  CHECK(status_of(with(test::kAccess, Verdict::fail)) == 1);
  SUBCASE("nothing judged is not a pass") {
    CHECK(status_of(Report{}) == 2);
    CHECK(status_of(with(test::kAccess, Verdict::skip)) == 2);
  }
  SUBCASE("unknown counts when the check decides or was asked for by name") {
    Report report = with(test::kDecisive, Verdict::unknown);
    report.checks.push_back({&test::kAccess, pass("fine")});
    CHECK(status_of(report) == 2);
    report = with(test::kAccess, Verdict::unknown);
    report.checks.push_back({&test::kDecisive, pass("fine")});
    CHECK(status_of(report) == 0);
    report.explicit_selection = true;
    CHECK(status_of(report) == 2);
  }
  SUBCASE("a self-test that could not be judged counts, a failed one wins") {
    Report report = with(test::kAccess, Verdict::pass);
    report.selftests.push_back({.id = "gemm.fp32",
                                .device = "hip:0",
                                .verdict = Verdict::unknown,
                                .summary = "timed out"});
    CHECK(status_of(report) == 2);
    report.selftests.push_back(
        {.id = "gemm.fp64", .device = "hip:0", .verdict = Verdict::fail, .summary = "wrong"});
    CHECK(status_of(report) == 1);
  }
  SUBCASE("a root cause counts by its severity, a mere suspicion warns") {
    Report report = with(test::kAccess, Verdict::pass);
    RootCause cause;
    cause.id = "gfx-not-in-torch-wheel";
    cause.confidence = 0.9;
    report.diagnosis.root_causes = {cause};
    CHECK(status_of(report) == 1);
    report.diagnosis.root_causes[0].confidence = 0.2;
    CHECK(status_of(report) == 0);
    CHECK(overall_verdict(report) == Verdict::warn);
    report.diagnosis.root_causes[0].confidence = 0.9;
    report.diagnosis.root_causes[0].severity = Verdict::warn;
    CHECK(overall_verdict(report) == Verdict::warn);
  }
}
