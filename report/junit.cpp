// JUnit XML as CI systems read it: a suite for the checks, one for each device's self-tests, one
// for the root causes. A failure or an error is what counts as one in the exit status: 0 has
// neither, 1 at least a failure, 2 at least an error and no failure.
#include <algorithm>
#include <map>

#include "base/text.h"
#include "report/layout.h"

namespace rocvet {
namespace {

struct Case {
  std::string classname, name, message, details;
  Verdict verdict;  ///< what it counts as
};

std::string lines_of(const std::vector<std::string>& evidence,
                     const std::vector<std::string>& steps) {
  std::string out;
  for (const std::string& line : evidence) out += "saw: " + line + "\n";
  for (const std::string& line : steps) out += "fix: " + line + "\n";
  return out;
}

std::string suite(const std::string& name, const std::vector<Case>& cases) {
  int failures = 0, errors = 0, skipped = 0;
  std::string body;
  for (const Case& c : cases) {
    body +=
        "    <testcase classname=\"" + escaped(c.classname) + "\" name=\"" + escaped(c.name) + "\"";
    const auto child = [&](const char* tag) {
      body += ">\n      <" + std::string(tag) + " message=\"" + escaped(c.message) + "\">" +
              escaped(c.details) + "</" + tag + ">\n    </testcase>\n";
    };
    switch (c.verdict) {
      case Verdict::fail:
        ++failures;
        child("failure");
        break;
      case Verdict::unknown:
        ++errors;
        child("error");
        break;
      case Verdict::skip:
        ++skipped;
        child("skipped");
        break;
      case Verdict::warn:
        body += ">\n      <system-out>warning: " + escaped(c.message + "\n" + c.details) +
                "</system-out>\n    </testcase>\n";
        break;
      case Verdict::pass:
        body += "/>\n";
        break;
    }
  }
  return "  <testsuite name=\"" + escaped(name) + "\" tests=\"" + std::to_string(cases.size()) +
         "\" failures=\"" + std::to_string(failures) + "\" errors=\"" + std::to_string(errors) +
         "\" skipped=\"" + std::to_string(skipped) + "\">\n" + body + "  </testsuite>\n";
}

std::vector<Case> check_cases(const Report& report) {
  std::vector<Case> cases;
  for (const CheckResult& result : report.checks) {
    const Finding& finding = result.finding;
    std::string name = std::string(result.check->code) + " " + std::string(result.check->id);
    if (!finding.subject.empty()) name += " [" + finding.subject + "]";
    cases.push_back({"rocvet." + std::string(result.check->topic), name, finding.summary,
                     lines_of(finding.evidence, texts(finding.remedy.steps)),
                     counts_as(report, result)});
  }
  return cases;
}

std::vector<Case> cause_cases(const Report& report) {
  std::vector<Case> cases;
  for (const RootCause& cause : report.diagnosis.root_causes) {
    cases.push_back({"rocvet.diagnosis", cause.id, cause.summary,
                     lines_of(cause.evidence, texts(cause.remedy.steps)), counts_as(cause)});
  }
  return cases;
}

/// What no table has is no failure: checks judge whether the machine works.
std::vector<Case> compatibility_cases(const Report& report) {
  std::vector<Case> cases;
  for (const CompatibilityRow* row : beyond_tables(report))
    cases.push_back(
        {"rocvet.compatibility", row->subject, compatibility_line(*row), "", Verdict::skip});
  return cases;
}

std::vector<Case> soak_cases(const Report& report) {
  std::vector<Case> cases;
  if (!report.soak) return cases;
  for (const SoakRow& row : soak_rows(*report.soak))
    cases.push_back({"rocvet.soak." + row.device, row.name, row.summary, "", row.verdict});
  return cases;
}

/// What the verdict of the whole says and no part of it does: that nothing was judged at all, or
/// that another version, which wrote the saved report, counted in another way.
std::vector<Case> verdict_cases(const Report& report, const std::vector<Case>& parts) {
  if (report.verdict != Verdict::fail && report.verdict != Verdict::unknown) return {};
  const bool said =
      std::ranges::any_of(parts, [&](const Case& part) { return part.verdict == report.verdict; });
  if (said) return {};
  return {
      {"rocvet", "verdict",
       report.verdict == Verdict::fail ? "the report as a whole failed" : "nothing could be judged",
       "", report.verdict}};
}

}  // namespace

std::string write_junit(const Report& report) {
  std::vector<std::pair<std::string, std::vector<Case>>> suites;
  suites.emplace_back("checks", check_cases(report));
  std::map<std::string, std::vector<Case>> devices;
  for (const TestResult& result : report.selftests) {
    devices[result.device].push_back({"rocvet.selftest." + result.device, result.id, result.summary,
                                      lines_of(result.evidence, {}), counts_as(result)});
  }
  for (auto& [device, cases] : devices) suites.emplace_back("selftests " + device, cases);
  suites.emplace_back("soak", soak_cases(report));
  suites.emplace_back("diagnosis", cause_cases(report));
  suites.emplace_back("compatibility", compatibility_cases(report));
  std::vector<Case> all;
  for (const auto& [name, cases] : suites) all.insert(all.end(), cases.begin(), cases.end());
  suites.emplace_back("verdict", verdict_cases(report, all));
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rocvet\">\n";
  for (const auto& [name, cases] : suites) {
    if (!cases.empty()) out += suite(name, cases);
  }
  return out + "</testsuites>\n";
}

}  // namespace rocvet
