// The soak in every format, and a saved one read again.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "report/read_report.h"
#include "report/report.h"
#include "report/share.h"
#include "report/soak_lines.h"
#include "report/spark_line.h"
#include "sample_report.h"
#include "selftests/soak/judge_soak.h"

using namespace rocvet;

namespace {

Soak sample_soak() {
  Soak soak;
  soak.asked_s = soak.lasted_s = 1200;
  soak.period_s = 20;
  SoakGpu& gpu = soak.gpus.emplace_back();
  gpu.device = "hip:0";
  gpu.bdf = "0000:03:00.0";
  gpu.arch = "gfx1100";
  gpu.periods.resize(20);
  for (std::size_t i = 0; i < 20; ++i) {
    gpu.periods[i].temperature_c = 40 + 2 * static_cast<double>(i);
    gpu.periods[i].tests = 2;
    gpu.periods[i].corrected = gpu.periods[i].uncorrected = gpu.periods[i].pcie_replays = 0;
  }
  gpu.periods[18].throttle = {"thermal"};
  SoakTest& gemm = gpu.tests.emplace_back();
  gemm.id = "gemm.fp16";
  gemm.unit = "TFLOP/s";
  gemm.rounds = 19;
  gemm.same_bits = true;
  gemm.median = PerPeriod(20, 61.2);
  gemm.median[3] = std::nullopt;
  gemm.worst = gemm.median;
  SoakTest& pattern = gpu.tests.emplace_back();
  pattern.id = "memory.pattern";
  pattern.rounds = 20;
  pattern.errors = 1;
  SoakTest& none = gpu.tests.emplace_back();
  none.id = "gemm.fp8";
  none.not_run = "no FP8 units";
  none.verdict = Verdict::skip;
  gpu.errors = {{383, "memory.pattern", "wrong result: bit 3", false}};
  gpu.errors_in_all = 4;
  judge_soak(soak);
  return soak;
}

Report soak_report() {
  Report report;
  report.verb = "test";
  report.started = "2026-11-29T00:00:00Z";
  report.source_kind = "live";
  report.db_version = "2026.11.29";
  report.machine.gpus_readable = Done{};
  report.soak = sample_soak();
  report.verdict = overall_verdict(report);
  return report;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a line of bars: least to most, blanks where nothing is, level where little moves") {
  CHECK(spark_line({}) == "");
  CHECK(spark_line({0.0, {}, 70.0}) == "▁ █");
  CHECK(spark_line({10.0, 20.0, 30.0, 80.0}) == "▁▂▃█");
  CHECK(spark_line({5.0, 5.0}) == "██");
  CHECK(spark_line({100.0, 99.5, 100.0}) == "███");
  CHECK(spark_line({100.0, 95.0, 90.0}) == "█▅▁");
  CHECK(spark_line({0.0, 0.0}) == "██");
  const double most = std::numeric_limits<double>::max();
  CHECK(spark_line({-most, most}).size() == 6);  // two characters of three bytes
}

TEST_CASE("the text has a chart a figure and says where it failed") {
  const std::string text = write_text(soak_report(), {});
  CAPTURE(text);
  CHECK(has(text, "\nsoak of 20:00, each column 20.0 s\nhip:0, 0000:03:00.0 (gfx1100)\n"));
  CHECK(has(text,
            "\n  pass     gemm.fp16           |███ ████████████████| 19 rounds right, the "
            "same bits in each; 61.2 at first, 61.2 TFLOP/s at the end\n"));
  CHECK(has(text,
            "\n  FAIL     memory.pattern      1 of 20 rounds failed, the first in minute 7 "
            "(6:23): wrong result: bit 3\n"));
  CHECK(has(text, "           temperature         |▁"));
  CHECK(has(text, "| 40 to 78 °C\n"));
  CHECK(has(text, "           throttled           thermal in 1 of 20 columns\n"));
  CHECK(has(text, "\n  pass     error counters      0 corrected, 0 uncorrectable errors, 0 PCIe"));
  CHECK(has(text,
            "\n      minute 7 (6:23): memory.pattern: wrong result: bit 3\n      and 3 more\n"));
  CHECK_FALSE(has(text, "gemm.fp8"));
  CHECK(has(write_text(soak_report(), {.verbose = true}), "gemm.fp8            no FP8 units"));
}

TEST_CASE("a saved report keeps its soak") {
  const Report report = soak_report();
  const auto again = read_report(write_json(report), "saved.json");
  REQUIRE(again);
  REQUIRE(again->soak);
  CHECK(write_text(*again, {.verbose = true}) == write_text(report, {.verbose = true}));
  CHECK(write_html(*again) == write_html(report));
  const SoakGpu& was = report.soak->gpus.front();
  const SoakGpu& is = again->soak->gpus.front();
  CHECK(is.tests[0].median == was.tests[0].median);
  CHECK(is.tests[0].worst == was.tests[0].worst);
  CHECK(is.tests[0].same_bits == true);
  CHECK_FALSE(is.tests[1].same_bits.has_value());
  CHECK(is.periods[18].throttle == was.periods[18].throttle);
  CHECK(is.periods[2].corrected == 0);
  CHECK(overall_verdict(*again) == Verdict::fail);
}

TEST_CASE("a report without one has none") {
  Report report = test::sample_report();
  CHECK_FALSE(has(write_json(report), "\"soak\""));
  CHECK_FALSE(has(write_text(report, {}), "soak"));
}

TEST_CASE("each part counts in the verdict") {
  Report report = soak_report();
  CHECK(report.verdict == Verdict::fail);
  report.soak->gpus[0].tests.erase(report.soak->gpus[0].tests.begin() + 1);
  CHECK(overall_verdict(report) == Verdict::pass);
  report.soak->gpus[0].counters = Verdict::warn;
  CHECK(overall_verdict(report) == Verdict::warn);
  report.soak->interrupted = true;
  CHECK(overall_verdict(report) == Verdict::unknown);
  CHECK(has(write_text(report, {}), "interrupted after 20:00"));
  report.soak->gpus[0].ended = "it hung";
  CHECK(overall_verdict(report) == Verdict::fail);
}

TEST_CASE("the other formats") {
  const Report report = soak_report();
  const std::string html = write_html(report);
  CHECK(occurrences(html, "<polyline") == 2);  // gemm.fp16 and the temperature
  CHECK(has(html, "minute 7 (6:23): memory.pattern: wrong result: bit 3"));
  const std::string junit = write_junit(report);
  CHECK(has(junit, "<testsuite name=\"soak\" tests=\"4\" failures=\"1\" errors=\"0\""));
  CHECK(has(junit, "classname=\"rocvet.soak.hip:0\" name=\"memory.pattern\""));
  CHECK(occurrences(write_sarif(report), "\"ruleId\": \"soak memory.pattern\"") == 1);
  CHECK(has(write_markdown(report), "| fail | memory.pattern |  | 1 of 20 rounds failed"));
}

TEST_CASE("a soak is cleaned like all else") {
  Report report = soak_report();
  report.soak->gpus[0].tests[1].summary = "/home/petra/lib: \x1b[31mred";
  report.soak->gpus[0].errors[0].what = "/home/petra/lib: \x1b[31mred";
  report.soak->gpus[0].ended = "84.150.12.7 \x1b[31mred";
  report.soak->gpus[0].counters_summary = "of /home/petra";
  report.soak->gpus[0].periods[0].throttle = {"/home/petra"};
  const Report shared = shareable(report);
  for (const std::string& out : {write_json(shared), write_text(shared, {}), write_html(shared),
                                 write_markdown(shared), write_junit(shared)}) {
    CHECK_FALSE(has(out, "petra"));
    CHECK_FALSE(has(out, "84.150.12.7"));
    CHECK_FALSE(has(out, "\x1b"));
  }
}

TEST_CASE("numbers that no soak has end nothing") {
  const auto report = read_report(
      R"({"schema": "rocvet.report/1", "checks": [], "verdict": "pass", "soak": {"asked_s": 1e300,
          "lasted_s": -1e300, "period_s": 1e300, "interrupted": true, "gpus": [{}, {"device": "x",
          "tests": [{"id": "y", "verdict": "pass", "median": [1e308, -1e308, null], "worst": []}],
          "periods": [{"power_w": -1e308}], "errors": [{"at_s": 1e300}],
          "errors_in_all": -2147483648, "error_counters": {"verdict": "pass"},
          "ended": {"at_s": -1e300, "why": "z"}}]}})",
      "x");
  if (!report) {
    CHECK(has(report.error().text(), "verdict"));  // the first GPU has none
  }
  const auto whole = read_report(
      R"({"schema": "rocvet.report/1", "checks": [], "verdict": "pass", "soak": {"asked_s": 1e300,
          "lasted_s": -1e300, "period_s": 1e300, "interrupted": true, "gpus": [{"device": "x",
          "tests": [{"id": "y", "verdict": "pass", "median": [1e308, -1e308, null], "worst": []}],
          "periods": [{"power_w": -1e308}], "errors": [{"at_s": 1e300}],
          "errors_in_all": -2147483648, "error_counters": {"verdict": "pass"},
          "ended": {"at_s": -1e300, "why": "z"}}]}})",
      "x");
  REQUIRE(whole);
  for (const std::string& out : {write_text(*whole, {}), write_html(*whole), write_markdown(*whole),
                                 write_junit(*whole), write_sarif(*whole)}) {
    CHECK_FALSE(out.empty());
  }
}
