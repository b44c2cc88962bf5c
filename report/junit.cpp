// JUnit XML as CI systems read it: a suite for the checks, one for each device's self-tests.
#include <map>

#include "machine/text.h"
#include "report/layout.h"

namespace rocvet {
namespace {

struct Case {
  std::string classname, name, message, details;
  Verdict verdict;
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

}  // namespace

std::string write_junit(const Report& report) {
  std::vector<Case> checks;
  for (const CheckResult& result : report.checks) {
    const Finding& finding = result.finding;
    std::string name = std::string(result.check->code) + " " + std::string(result.check->id);
    if (!finding.subject.empty()) name += " [" + finding.subject + "]";
    checks.push_back({"rocvet." + std::string(result.check->topic), name, finding.summary,
                      lines_of(finding.evidence, texts(finding.remedy.steps)), finding.verdict});
  }
  std::map<std::string, std::vector<Case>> devices;
  for (const TestResult& result : report.selftests) {
    devices[result.device].push_back({"rocvet.selftest." + result.device, result.id, result.summary,
                                      lines_of(result.evidence, {}), result.verdict});
  }
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rocvet\">\n";
  if (!checks.empty()) out += suite("checks", checks);
  for (const auto& [device, cases] : devices) out += suite("selftests " + device, cases);
  return out + "</testsuites>\n";
}

}  // namespace rocvet
