#include "report/policy.h"

#include <doctest/doctest.h>

#include "report/gate.h"
#include "tests/unit/report/sample_report.h"

using namespace rocvet;

namespace {

Policy policy_of(const std::string& text) {
  const auto policy = read_policy("policy = 1\n" + text, "site.toml");
  REQUIRE_MESSAGE(policy, policy.error().text());
  return *policy;
}

std::string error_of(const std::string& text) {
  const auto policy = read_policy(text, "site.toml");
  REQUIRE_FALSE(policy);
  return policy.error().text();
}

Report report_of_node() {
  Report report = test::sample_report();
  report.checks = {{&test::kDecisive, pass("one GPU")}};
  report.diagnosis.root_causes.clear();
  report.selftests.clear();
  report.machine.kernel.release = std::string("6.8.0-60-generic");
  report.machine.kernel.command_line = std::string("ro quiet iommu=pt");
  report.machine.gpus[0].firmware = std::map<std::string, std::string>{{"mec", "0x5a"}};
  return report;
}

/// What a policy says of a machine, without the pass.
std::vector<Finding> unmet(Report report, const std::string& text) {
  apply_policy(report, policy_of(text), "2026-11-21");
  std::vector<Finding> findings;
  for (const CheckResult& result : report.checks) {
    if (result.check == &policy_check() && result.finding.verdict != Verdict::pass) {
      findings.push_back(result.finding);
    }
  }
  return findings;
}

RootCause a_suspicion() {
  RootCause guess;
  guess.id = "device-libs-missing";
  guess.confidence = 0.2;
  guess.severity = Verdict::warn;
  return guess;
}

}  // namespace

TEST_CASE("demands that are met are one pass") {
  Report report = report_of_node();
  apply_policy(report, policy_of(R"([expect]
kernel = ["6.11.*", "6.8.0-*"]
gpu_count = 1
gpu_target = "gfx1100"
command_line = ["iommu=pt"]
command_line_without = ["nomodeset"]
firmware = { mec = "0x5a" }
)"),
               "2026-11-21");
  REQUIRE(report.checks.size() == 2);
  CHECK(report.checks[1].finding.verdict == Verdict::pass);
  CHECK(report.checks[1].finding.summary == "6 demands of site.toml met");
  CHECK(report.verdict == Verdict::pass);
}

TEST_CASE("each demand that is not met fails, with both sides") {
  const auto findings = unmet(report_of_node(), R"([expect]
kernel = "5.15.*"
gpu_count = 8
command_line = ["iommu=pt", "pci=realloc=off"]
command_line_without = ["quiet"]
firmware = { mec = "0x5b" }
)");
  REQUIRE(findings.size() == 5);
  for (const Finding& finding : findings) CHECK(finding.verdict == Verdict::fail);
  CHECK(findings[0].summary == "the kernel command line lacks pci=realloc=off");
  CHECK(findings[1].summary == "the kernel command line has quiet");
  CHECK(findings[2].subject == "firmware.mec");
  CHECK(findings[3].summary == "1 where the policy demands 8");
  CHECK(findings[4].summary == "6.8.0-60-generic where the policy demands 5.15.*");
}

TEST_CASE("a fact that could not be read is unknown, not met") {
  Report report = report_of_node();
  report.machine.kernel.release = not_captured("/proc/sys/kernel/osrelease");
  apply_policy(report, policy_of("[expect]\nkernel = \"*\"\n"), "2026-11-21");
  CHECK(report.checks.back().finding.verdict == Verdict::unknown);
  CHECK(report.verdict == Verdict::unknown);
}

TEST_CASE("what is not there is not what the policy demands") {
  Report report = report_of_node();
  report.machine.software.rocm.clear();
  const auto findings = unmet(std::move(report), "[expect]\nrocm = \"6.4.1\"\n");
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].verdict == Verdict::fail);
}

TEST_CASE("a waiver holds until its last day, with the cause that it was about") {
  const std::string text = R"([[waive]]
check = "kfd-not-accessible"
until = 2026-11-21
reason = "ticket 7"
)";
  Report report = test::sample_report();
  report.selftests.clear();
  apply_policy(report, policy_of(text), "2026-11-21");
  CHECK(report.checks[0].finding.verdict == Verdict::skip);
  CHECK(report.checks[0].finding.summary ==
        "waived until 2026-11-21 (ticket 7): ada may not open /dev/kfd");
  CHECK(report.diagnosis.root_causes.empty());
  CHECK(report.verdict == Verdict::pass);

  report = test::sample_report();
  apply_policy(report, policy_of(text), "2026-11-22");
  CHECK(report.checks[0].finding.verdict == Verdict::fail);
  CHECK(report.checks[0].finding.evidence.back() ==
        "the waiver of it (ticket 7) ended on 2026-11-21");
  CHECK(report.diagnosis.root_causes.size() == 1);
}

TEST_CASE("a waiver for another subject does not hold") {
  Report report = test::sample_report();
  apply_policy(report, policy_of(R"([[waive]]
check = "kfd-*"
subject = "gpu 7*"
reason = "ticket 8"
)"),
               "2026-11-21");
  CHECK(report.checks[0].finding.verdict == Verdict::fail);
}

TEST_CASE("severity") {
  Report report = test::sample_report();
  report.selftests.clear();
  apply_policy(report, policy_of("[severity]\n\"kfd-not-accessible\" = \"warn\"\n"), "2026-11-21");
  CHECK(report.checks[0].finding.verdict == Verdict::warn);
}

TEST_CASE("a mistake names file, line and what would be right") {
  CHECK(error_of("policy = 1\n[expect]\nkernl = \"x\"\n") ==
        "site.toml:3:9: unknown key 'kernl' in [expect]; did you mean 'kernel'?");
  CHECK(error_of("[expect]\nkernel = \"x\"\n").starts_with("site.toml: needs 'policy = 1'"));
  CHECK(error_of("policy = 2\n").starts_with("site.toml: needs 'policy = 1'"));
  CHECK(error_of("policy = 1\n[severity]\n\"no-such-check\" = \"warn\"\n")
            .find("no check matches 'no-such-check'") != std::string::npos);
  CHECK(error_of("policy = 1\n[severity]\n\"numa-balancing\" = \"pass\"\n").find("takes") !=
        std::string::npos);
  CHECK(error_of("policy = 1\n[[waive]]\ncheck = \"numa-balancing\"\n").find("needs 'reason'") !=
        std::string::npos);
  CHECK(error_of(
            "policy = 1\n[[waive]]\ncheck = \"numa-balancing\"\nreason = \"x\"\nuntil = \"soon\"\n")
            .find("takes a day like") != std::string::npos);
  CHECK(error_of("policy = = 1\n").starts_with("site.toml:1:"));
}

TEST_CASE("--expect: keys of a policy, two of them short") {
  const auto expected = expected_by("gpus=8, gfx=gfx942,kernel=6.8.*");
  REQUIRE(expected);
  REQUIRE(expected->demands.size() == 3);
  CHECK(expected->demands[0].key == "gpu_count");
  CHECK(expected->demands[0].globs == std::vector<std::string>{"8"});
  CHECK(expected->demands[1].key == "gpu_target");
  CHECK(expected->demands[2].key == "kernel");
  CHECK(expected_by("gpus").error().text().find("is not KEY=VALUE") != std::string::npos);
  CHECK(expected_by("gpus=").error().text().find("is not KEY=VALUE") != std::string::npos);
  CHECK(expected_by("kernl=6").error().text().find("did you mean 'kernel'") != std::string::npos);
  CHECK_FALSE(expected_by(""));
}

TEST_CASE("policy init: the machine meets its own policy") {
  Report report = test::sample_report();
  const std::string text = policy_of(report.machine);
  CHECK(text.find("gpu_count = \"1\"\n") != std::string::npos);
  CHECK(text.find("gpu_target = \"gfx1100\"\n") != std::string::npos);
  CHECK(text.find("# kernel is not known: ") != std::string::npos);
  const auto policy = read_policy(text, "init.toml");
  REQUIRE_MESSAGE(policy, text);
  report.checks.clear();
  apply_policy(report, *policy, "2026-12-01");
  for (const CheckResult& result : report.checks) CHECK(result.finding.verdict == Verdict::pass);
}

TEST_CASE("--ignore: findings, self-tests and causes count no more") {
  Report report = test::sample_report();
  ignore(report, {"kfd-not-accessible", "attention.*"});
  CHECK(report.checks[0].finding.verdict == Verdict::skip);
  CHECK(report.checks[0].finding.summary.starts_with("ignored (--ignore): "));
  CHECK(report.selftests[1].verdict == Verdict::skip);
  CHECK(report.diagnosis.root_causes.empty());  // nothing is left that it explains
  CHECK(report.verdict == Verdict::pass);
  CHECK(names_a_part("RV10?", Database::embedded()));
  CHECK(names_a_part("gemm.fp16", Database::embedded()));
  CHECK(names_a_part("user-not-in-render-group", Database::embedded()));
  CHECK(names_a_part("gemm.fp61", Database::embedded()).error().text().find("gemm.fp") !=
        std::string::npos);
}

TEST_CASE("--fail-on warn: what warned fails, and a healthy machine does not") {
  Report report = test::sample_report();
  report.diagnosis.root_causes.clear();
  report.selftests.clear();
  report.checks[0].finding.verdict = Verdict::warn;
  fail_on_warnings(report);
  CHECK(report.verdict == Verdict::fail);
  report.checks[0].finding.verdict = Verdict::pass;
  fail_on_warnings(report);
  CHECK(report.verdict == Verdict::pass);
  // A suspicion warns by itself.
  report.diagnosis.root_causes = {a_suspicion()};
  fail_on_warnings(report);
  CHECK(report.verdict == Verdict::fail);
}

TEST_CASE("--fail-on warn: a suspicion fails beside what could not be told") {
  Report report = test::sample_report();
  report.selftests.clear();
  report.checks[0].finding.verdict = Verdict::unknown;
  report.checks[0].check = report.checks[1].check;  // it decides
  report.diagnosis.root_causes = {a_suspicion()};
  fail_on_warnings(report);
  CHECK(report.verdict == Verdict::fail);
  CHECK(counts_as(report.diagnosis.root_causes[0]) == Verdict::fail);
}
