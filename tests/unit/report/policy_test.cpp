#include "report/policy.h"

#include <doctest/doctest.h>

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
