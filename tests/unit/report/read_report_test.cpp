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
  for (const char* lost : {R"({"schema": "rocvet.report/1", "verdict": "pass"})",
                           R"({"schema": "rocvet.report/1", "verdict": "pass", "checks": null})"})
    CHECK(error(lost) == "x.json: /checks is not there");
  CHECK(error(R"({"schema": "rocvet.report/1", "verdict": "pass", "checks": {}})") ==
        "x.json: /checks is not an array");
  CHECK(error(R"({"schema": "rocvet.report/1", "verdict": "pass",
                  "checks": [{"id": "a", "code": 7, "verdict": "pass"}]})") ==
        "x.json: /checks/0/code is not a string");
  CHECK(error(R"({"schema": "rocvet.report/1", "verdict": "pass",
                  "machine": {"gpus": [{"compute_units": 1.5}]}})") ==
        "x.json: /machine/gpus/0/compute_units is not a whole number");
}

TEST_CASE("a number that its field does not hold is refused") {
  const auto error = [](const std::string& members) {
    const auto report = read_report(
        R"({"schema": "rocvet.report/1", "verdict": "pass", "checks": [], )" + members + "}",
        "x.json");
    return report ? std::string() : report.error().text();
  };
  const auto test_with = [&](const std::string& member) {
    return error(R"("selftests": [{"verdict": "pass", )" + member + "}]");
  };
  for (const std::string number : {"1e300", "-1e300", "2147483648", "-2147483649", "1e19",
                                   "18446744073709551615", "-9223372036854775808"}) {
    CAPTURE(number);
    CHECK(test_with(R"("performance": {"outliers": )" + number + "}") ==
          "x.json: /selftests/0/performance/outliers is out of range");
    CHECK(test_with(R"("worker": {"exit": )" + number + "}") ==
          "x.json: /selftests/0/worker/exit is out of range");
    CHECK(test_with(R"("worker": {"signal": )" + number + "}") ==
          "x.json: /selftests/0/worker/signal is out of range");
    CHECK(error(R"("features": [{"gpus": [)" + number + "]}]") ==
          "x.json: /features/0/gpus/0 is out of range");
    CHECK(error(R"("machine": {"gpus": [{"compute_units": )" + number + "}]}") ==
          "x.json: /machine/gpus/0/compute_units is out of range");
  }
  CHECK(error(R"("machine": {"gpus": [{"vram_bytes": -1}]})") ==
        "x.json: /machine/gpus/0/vram_bytes is out of range");
  CHECK(error(R"("machine": {"gpus": [{"vram_bytes": 18446744073709551615}]})") == "");
  CHECK(error(R"("deep": {"probes": [{"outcome": "works", "status": 1e300}]})") ==
        "x.json: /deep/probes/0/status is out of range");
  CHECK(test_with(R"("worker": {"exit": 1.5})") ==
        "x.json: /selftests/0/worker/exit is not a whole number");
  CHECK(test_with(R"("worker": {"exit": NaN})").starts_with("x.json: is not JSON"));
  // Real numbers are what they are; jq writes whole ones with a fraction.
  CHECK(test_with(R"("performance": {"median": 1e300, "min": -1e300, "outliers": 3.0})") == "");
  const auto wild = read_report(
      R"({"schema": "rocvet.report/1", "verdict": "pass", "run": {"seconds": {"x": 1e300}}, "checks": [],
          "selftests": [{"id": "a", "device": "0", "verdict": "warn", "performance":
            {"median": 1e300, "expected": 1e-300, "floor": -1e300, "spread": 1e300, "fraction": 1e300,
             "samples": [1e308, -1e308, 1e300]}}],
          "diagnosis": {"root_causes": [{"id": "c", "confidence": -1e300}]}})",
      "x.json");
  REQUIRE(wild);
  for (const std::string& out : {write_text(*wild, {.verbose = true}), write_markdown(*wild),
                                 write_html(*wild), write_junit(*wild), write_json(*wild)})
    CHECK_FALSE(out.empty());
}

TEST_CASE("a report that would take many times its size in memory is refused") {
  const auto error = [](const std::string& item, int count) {
    std::string text = R"({"schema": "rocvet.report/1", "verdict": "pass", "checks": [],
                           "selftests": [)";
    for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + item;
    const auto report = read_report(text + "]}", "x.json");
    return report ? std::string() : report.error().text();
  };
  const std::string one = R"({"verdict": "pass"})";
  CHECK(error(one, 20000) == "");
  CHECK(error(one, 20001) ==
        "x.json: /selftests is too much: a report holds at most 20000 objects in lists");
  const std::string lines = R"({"verdict": "pass", "evidence": [)" + std::string("\"a\"");
  std::string many = lines;
  for (int i = 0; i < 199998; ++i) many += R"(,"")";
  CHECK(error(many + "]}", 1) == "");
  CHECK(error(many + R"(,"b"]})", 1) ==
        "x.json: /selftests/0/evidence is too much: a report holds at most 200000 list items");
}

TEST_CASE("a report of more GPUs than a machine can have is refused") {
  const auto report_of = [](int gpus) {
    std::string text = R"({"schema": "rocvet.report/1", "verdict": "pass", "machine": {"gpus": [)";
    for (int i = 0; i < gpus; ++i) text += i == 0 ? "{}" : ", {}";
    return read_report(text + "]}, \"checks\": []}", "r.json");
  };
  CHECK(report_of(1024).has_value());
  const auto refused = report_of(1025);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().text() == "r.json: /machine/gpus are 1025, more than 1024");
}

TEST_CASE("a name in a report forges no line") {
  const auto report = read_report(
      R"({"schema":"rocvet.report/1","tool":{},"run":{"verb":"check\n::error::x"},"verdict":"warn","machine":{},"compatibility":[],"checks":[{"id":"a\n::set-output name=x::y","code":"RV1\n::error::forged\n0 failed","topic":"t\nt","verdict":"warn","summary":"s"}],"selftests":[],"diagnosis":{"root_causes":[]}})",
      "x");
  REQUIRE(report.has_value());
  for (const std::string& out : {write_text(*report, {}), write_junit(*report), write_html(*report),
                                 write_markdown(*report)}) {
    CAPTURE(out);
    CHECK(out.find("\n::error::") == std::string::npos);
    CHECK(out.find("\n::set-output") == std::string::npos);
    CHECK(out.find("\n0 failed\n") == std::string::npos);
  }
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
