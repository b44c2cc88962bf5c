// A saved report is the same report again.
#include "report/read_report.h"

#include <doctest/doctest.h>

#include "tests/unit/report/sample_report.h"

using namespace rocvet;

TEST_CASE("every format of a saved report is that of the report itself") {
  Report report = test::sample_report();
  report.verdict = Verdict::fail;
  const auto saved = read_report(write_json(report), "saved.json");
  REQUIRE(saved);
  CHECK(write_json(*saved) == write_json(report));
  CHECK(write_text(*saved, {.verbose = true}) == write_text(report, {.verbose = true}));
  CHECK(write_junit(*saved) == write_junit(report));
  CHECK(write_markdown(*saved) == write_markdown(report));
  CHECK(exit_status(*saved) == 1);
}

TEST_CASE("the steps of a saved report are a stranger's: shown on one line, never run") {
  Report report = test::sample_report();
  report.diagnosis.root_causes[0].remedy.steps = {"sudo usermod -aG render ada"};
  std::string text = write_json(report);
  for (std::size_t at = text.find("render ada"); at != text.npos;
       at = text.find("render ada", at + 1))
    text.replace(at, 10, "render ada\\nrm -rf /");
  const auto saved = read_report(text, "saved.json");
  REQUIRE(saved);
  CHECK(write_text(*saved, {}).find("fix: sudo usermod -aG render ada rm -rf /") !=
        std::string::npos);
  for (const std::string& out :
       {write_text(*saved, {}), write_markdown(*saved), write_fix_script(*saved)})
    CHECK(out.find("\nrm -rf") == std::string::npos);
  CHECK(write_fix_script(report).find("\nsudo usermod") != std::string::npos);
  CHECK(write_fix_script(*saved).find("\nsudo usermod") == std::string::npos);
}

TEST_CASE("what is no report says what and where") {
  const auto error = [](const std::string& text) {
    const auto report = read_report(text, "x.json");
    REQUIRE_FALSE(report);
    return report.error().text();
  };
  CHECK(error("").starts_with("x.json: is not JSON"));
  CHECK(error("{\"schema\": \"rocvet.report/1\"").starts_with("x.json: is not JSON"));
  CHECK(error("[]") == "x.json: is JSON, but no report of rocvet");
  CHECK(error("{}") == "x.json: /schema is not there: this is no report of rocvet");
  CHECK(error(R"({"schema": "rocvet.report/2"})") ==
        "x.json: /schema is 'rocvet.report/2', not 'rocvet.report/1'");
  CHECK(error(R"({"schema": "rocvet.report/1", "verdict": "great"})") ==
        "x.json: /verdict is no verdict: 'great'");
  CHECK(error(R"({"schema": "rocvet.report/1", "verdict": "pass", "checks": {}})") ==
        "x.json: /checks is not an array");
  CHECK(error(R"({"schema": "rocvet.report/1", "verdict": "pass",
                  "checks": [{"id": "a", "code": 7, "verdict": "pass"}]})") ==
        "x.json: /checks/0/code is not a string");
  CHECK(error(R"({"schema": "rocvet.report/1", "verdict": "pass",
                  "machine": {"gpus": [{"compute_units": 1.5}]}})") ==
        "x.json: /machine/gpus/0/compute_units is not a whole number");
}

TEST_CASE("a report of more GPUs than a machine can have is refused") {
  const auto report_of = [](int gpus) {
    std::string text = R"({"schema": "rocvet.report/1", "verdict": "pass", "machine": {"gpus": [)";
    for (int i = 0; i < gpus; ++i) text += i == 0 ? "{}" : ", {}";
    return read_report(text + "]}}", "r.json");
  };
  CHECK(report_of(1024).has_value());
  const auto refused = report_of(1025);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().text() == "r.json: /machine/gpus are 1025, more than 1024");
}

TEST_CASE("a check of another rocvet keeps its name and its words") {
  const auto report = read_report(R"({"schema": "rocvet.report/1", "verdict": "warn", "checks":
      [{"id": "from-the-future", "code": "RV9999", "topic": "time", "verdict": "warn",
        "summary": "too early"}]})",
                                  "x.json");
  REQUIRE(report);
  const Report copy = *report;  // what the checks refer to goes with it
  REQUIRE(copy.checks.size() == 1);
  CHECK(copy.checks[0].check->id == "from-the-future");
  CHECK(copy.checks[0].check->code == "RV9999");
  CHECK(write_text(copy, {}).find("RV9999 from-the-future") != std::string::npos);
}
