// The formats that are a list or a line: for CI systems, monitoring and schedulers.
#include "report/complaints.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/text.h"
#include "tests/unit/report/sample_report.h"

using namespace rocvet;
using nlohmann::json;

namespace {

Report judged(Report report) {
  report.verdict = overall_verdict(report);
  return report;
}

/// A report with one finding of this verdict, and its machine.
Report with(Verdict verdict) {
  Report report = test::sample_report();
  report.selftests.clear();
  report.diagnosis.root_causes.clear();
  const Check* decides = report.checks[1].check;
  report.checks = {{decides, Finding{.verdict = verdict, .summary = "it is as it is"}}};
  return judged(std::move(report));
}

/// Names and steps with everything that a format gives a meaning to.
Report hostile() {
  Report report = judged(test::sample_report());
  report.diagnosis.root_causes[0].summary = "100% of\r\nit: a, \"b\" \\ | c";
  report.checks[0].finding.subject = "a\"b\\c,d:e";
  report.diagnosis.root_causes[0].explains.clear();
  return report;
}

}  // namespace

TEST_CASE("complaints: causes first, what they explain left out, nothing that passed") {
  const auto all = complaints(judged(test::sample_report()));
  REQUIRE(all.size() == 2);
  CHECK(all[0].id == "user-not-in-render-group");
  CHECK(name_of(all[1]) == "attention.fp32 [hip:0]");
  CHECK(complaints(with(Verdict::pass)).empty());
  CHECK(complaints(with(Verdict::skip)).empty());
}

TEST_CASE("GitHub: one workflow command for each complaint, escaped") {
  const std::string text = write_github(hostile());
  CHECK(
      text.find("::error title=rocvet%3A user-not-in-render-group::100%25 of%0D%0Ait: a, \"b\"") !=
      std::string::npos);
  CHECK(text.find("[a\"b\\c%2Cd%3Ae]::") != std::string::npos);
  const auto lines = split(text, '\n');
  const auto commands = std::ranges::count_if(
      lines, [](std::string_view line) { return line.starts_with("::error title="); });
  CHECK(commands == 3);
  CHECK(write_github(with(Verdict::warn)).starts_with("::warning title="));
}

TEST_CASE("GitLab: what its code quality report demands of each entry") {
  const json all = json::parse(write_gitlab(hostile()));
  REQUIRE(all.is_array());
  CHECK(all.size() == 3);
  std::set<std::string> fingerprints;
  for (const json& one : all) {
    CHECK(!one.at("description").get<std::string>().empty());
    CHECK(!one.at("check_name").get<std::string>().empty());
    CHECK(one.at("severity") == "critical");
    CHECK(one.at("location").at("lines").at("begin") == 1);
    CHECK(one.at("location").at("path").get<std::string>().starts_with("rocvet/"));
    fingerprints.insert(one.at("fingerprint").get<std::string>());
  }
  CHECK(fingerprints.size() == all.size());
  CHECK(json::parse(write_gitlab(with(Verdict::pass))).empty());
}

TEST_CASE("Prometheus: every line is a comment or a sample of a metric that was declared") {
  const std::string text = write_prometheus(hostile());
  const std::regex sample(
      R"re(^([a-z_]+)(\{([a-z_]+="([^"\\]|\\["\\n])*")(,[a-z_]+="([^"\\]|\\["\\n])*")*\})? -?[0-9.e+-]+$)re");
  std::set<std::string> declared;
  for (const std::string_view line : lines_of(text)) {
    if (line.empty()) continue;
    if (line.starts_with("# TYPE ")) {
      const auto parts = words(line);
      REQUIRE(parts.size() == 4);
      CHECK(declared.insert(std::string(parts[2])).second);
      continue;
    }
    if (line.starts_with("# HELP ")) continue;
    std::smatch found;
    const std::string one(line);
    REQUIRE_MESSAGE(std::regex_match(one, found, sample), one);
    CHECK(declared.contains(found[1]));
  }
  CHECK(text.find("rocvet_verdict{verdict=\"fail\"} 1\n") != std::string::npos);
  CHECK(text.find("rocvet_verdict{verdict=\"pass\"} 0\n") != std::string::npos);
  CHECK(text.find("rocvet_selftest_value{test=\"gemm.fp32\",device=\"hip:0\",unit=\"TFLOP/s\"} "
                  "30.5\n") != std::string::npos);
}

TEST_CASE("a line: what is wrong and what to do, and one line whatever it holds") {
  struct Expected {
    Verdict verdict;
    const char *line, *nagios;
    int status;
  };
  constexpr Expected kAll[] = {{Verdict::pass, "OK ", "ROCVET OK - ", 0},
                               {Verdict::warn, "WARN ", "ROCVET WARNING - ", 1},
                               {Verdict::fail, "DRAIN ", "ROCVET CRITICAL - ", 2},
                               {Verdict::unknown, "UNKNOWN ", "ROCVET UNKNOWN - ", 3}};
  for (const Expected& one : kAll) {
    const Report report = with(one.verdict);
    CHECK(write_line(report).starts_with(one.line));
    CHECK(write_nagios(report).starts_with(one.nagios));
    CHECK(nagios_status(report.verdict) == one.status);
  }
  for (const std::string& text : {write_line(hostile()), write_nagios(hostile())})
    CHECK(std::ranges::count(text, '\n') == 1);
  const std::string nagios = write_nagios(hostile());
  CHECK(nagios.find(" | 'hip:0 gemm.fp32'=30.500\n") != std::string::npos);
  CHECK(std::ranges::count(nagios, '|') == 1);
}

TEST_CASE("complaints: what decided the verdict is among them, whatever explains it") {
  Report report = test::sample_report();
  report.selftests.clear();
  // Known since a baseline: the cause only warns, and the finding that is new fails.
  report.diagnosis.root_causes[0].severity = Verdict::warn;
  const auto known = complaints(judged(report));
  REQUIRE(known.size() == 2);
  CHECK(known[0].id == "kfd-not-accessible");
  CHECK(known[0].verdict == Verdict::fail);
  // A layer that answers in other bits.
  report.checks.clear();
  report.diagnosis.root_causes.clear();
  GpuLadder ladder;
  ladder.bdf = "0000:03:00.0";
  ladder.differing = {"gemm.fp16"};
  report.ladders = {ladder};
  const auto differing = complaints(judged(report));
  REQUIRE(differing.size() == 1);
  CHECK(differing[0].text.find("gemm.fp16") != std::string::npos);
}

TEST_CASE("complaints: the worst comes first as the verdict counts, and no two have one name") {
  Report report = with(Verdict::warn);
  report.checks.push_back(report.checks[0]);
  report.checks[1].finding.verdict = Verdict::unknown;
  report.checks[1].finding.subject = "gpu 1";
  report.checks.push_back(report.checks[0]);
  const auto all = complaints(judged(report));
  REQUIRE(all.size() == 2);
  CHECK(all[0].verdict == Verdict::unknown);
  CHECK(all[1].text.find("(and 1 more of it)") != std::string::npos);
}
