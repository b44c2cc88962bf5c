// JUnit and the exit status cannot contradict each other, whatever a report holds.
#include <doctest/doctest.h>

#include "report/baseline.h"
#include "report/policy.h"
#include "report/read_report.h"
#include "tests/unit/report/sample_report.h"

using namespace rocvet;

namespace {

constexpr Verdict kVerdicts[] = {Verdict::pass, Verdict::warn, Verdict::fail, Verdict::skip,
                                 Verdict::unknown};

int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

/// The sum of `attribute` over the suites.
int sum(const std::string& xml, const std::string& attribute) {
  int total = 0;
  const std::string opening = " " + attribute + "=\"";
  for (std::size_t at = xml.find(opening); at != std::string::npos; at = xml.find(opening, at + 1))
    total += std::stoi(xml.substr(at + opening.size()));
  return total;
}

/// "" when the document says what the exit status says, else what is wrong.
std::string contradiction(const Report& report) {
  const std::string xml = write_junit(report);
  const int failures = count(xml, "<failure "), errors = count(xml, "<error ");
  if (failures != sum(xml, "failures") || errors != sum(xml, "errors") ||
      count(xml, "<skipped ") != sum(xml, "skipped") ||
      count(xml, "<testcase ") != sum(xml, "tests"))
    return "the counts are wrong: " + xml;
  const int status = exit_status(report);
  const bool fits = status == 0   ? failures == 0 && errors == 0
                    : status == 1 ? failures > 0
                                  : failures == 0 && errors > 0;
  return fits ? "" : "exit status " + std::to_string(status) + " and\n" + xml;
}

std::vector<RootCause> cause(Verdict severity, double confidence) {
  RootCause out;
  out.id = "user-not-in-render-group";
  out.severity = severity;
  out.confidence = confidence;
  out.summary = "ada is not in group render";
  out.explains = {"kfd-not-accessible"};
  return {out};
}

/// Every combination of what may be in a report: two checks, one of which decides, a self-test, a
/// root cause, --only.
std::vector<Report> every_report() {
  std::vector<Report> out;
  const std::vector<std::vector<RootCause>> causes = {
      {}, cause(Verdict::fail, 0.9), cause(Verdict::fail, 0.2), cause(Verdict::warn, 0.9)};
  const auto with_checks = [&](std::vector<CheckResult> checks) {
    for (int test = -1; test < 5; ++test) {
      for (const auto& root_causes : causes) {
        for (const bool only : {false, true}) {
          Report report;
          report.verb = "check";
          report.started = "2026-11-21T00:00:00Z";
          report.source_kind = "snapshot";
          report.checks = checks;
          report.explicit_selection = only;
          report.diagnosis.root_causes = root_causes;
          if (test >= 0)
            report.selftests.push_back({.id = "gemm.fp32",
                                        .device = "hip:0",
                                        .verdict = kVerdicts[test],
                                        .summary = "timed out"});
          report.verdict = overall_verdict(report);
          out.push_back(std::move(report));
        }
      }
    }
  };
  with_checks({});
  for (const Verdict plain : kVerdicts) {
    for (const Verdict decisive : kVerdicts) {
      with_checks({{&test::kAccess, Finding{.verdict = plain, .summary = "x"}},
                   {&test::kDecisive, Finding{.verdict = decisive, .summary = "y"}}});
    }
  }
  return out;
}

}  // namespace

TEST_CASE(
    "JUnit has no failure and no error when the exit status is 0, and has one when it is not") {
  int seen[3] = {0, 0, 0};
  for (const Report& report : every_report()) {
    CHECK(contradiction(report) == "");
    ++seen[exit_status(report)];
  }
  for (const int times : seen) CHECK(times > 50);
}

TEST_CASE("the same after a policy or a baseline has judged anew") {
  const auto policy = read_policy(
      "policy = 1\n[expect]\nkernel = \"6.*\"\n[severity]\nno-amd-gpu = \"skip\"\n"
      "[[waive]]\ncheck = \"kfd-not-accessible\"\nreason = \"known\"\n",
      "site.toml");
  REQUIRE(policy);
  for (const Report& report : every_report()) {
    for (const char* kernel : {"6.8.0", "5.15.0", ""}) {
      Report judged = report;
      if (*kernel != 0) judged.machine.kernel.release = std::string(kernel);
      apply_policy(judged, *policy, "2026-11-21");
      CHECK(contradiction(judged) == "");
    }
    Report judged = report;
    apply_baseline(judged, report);
    CHECK(contradiction(judged) == "");
  }
}

TEST_CASE("the same for a report that was saved and is read again") {
  for (const Report& report : every_report()) {
    const auto again = read_report(write_json(report), "saved.json");
    REQUIRE(again);
    CHECK(exit_status(*again) == exit_status(report));
    CHECK(contradiction(*again) == "");
  }
}

TEST_CASE("what could not be judged and does not decide is skipped, and says why") {
  Report report;
  report.checks = {{&test::kAccess, unknown(not_captured("the kernel log"))},
                   {&test::kDecisive, pass("one GPU")}};
  report.verdict = overall_verdict(report);
  CHECK(write_junit(report).find("<skipped message=\"could not tell: the kernel log") !=
        std::string::npos);
  report.explicit_selection = true;
  report.verdict = overall_verdict(report);
  CHECK(write_junit(report).find("<error message=\"could not tell: the kernel log") !=
        std::string::npos);
}

TEST_CASE("a root cause that fails the machine while no check does is a failure") {
  Report report;
  report.checks = {{&test::kDecisive, pass("one GPU")}};
  report.diagnosis.root_causes = cause(Verdict::fail, 0.9);
  report.verdict = overall_verdict(report);
  CHECK(exit_status(report) == 1);
  CHECK(write_junit(report).find(
            "name=\"user-not-in-render-group\">\n      <failure message=\"ada") !=
        std::string::npos);
}
