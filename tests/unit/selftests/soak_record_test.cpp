// From results to what is kept of a soak.
#include <doctest/doctest.h>

#include "selftests/soak/record.h"

using namespace rocvet;

namespace {

TestResult right(const char* id, double figure = 0, std::uint64_t digest = 0) {
  TestResult result;
  result.id = id;
  result.device = "hip:0";
  result.verdict = Verdict::pass;
  result.digest = digest;
  if (figure > 0) {
    result.performance = Performance{};
    result.performance->unit = "TFLOP/s";
    result.performance->median = figure;
  }
  return result;
}

TestResult wrong(const char* id, const char* why) {
  TestResult result = right(id);
  result.verdict = Verdict::fail;
  result.summary = why;
  return result;
}

TestResult seen(Telemetry telemetry) {
  TestResult result = right("gemm.fp16", 100);
  result.observed = std::move(telemetry);
  return result;
}

Telemetry counted(std::uint64_t corrected, std::uint64_t uncorrected, std::uint64_t added = 0) {
  Telemetry telemetry;
  telemetry.error_totals = {corrected, uncorrected, 0, false};
  telemetry.new_corrected_errors = added;
  return telemetry;
}

using Figures = PerPeriod;

}  // namespace

TEST_CASE("a figure a period: the median and the worst, none where no round ended") {
  SoakRecord record(3600, {"gemm.fp16", "memory.pattern"});
  record.take(right("gemm.fp16", 100), 10);
  record.take(right("gemm.fp16", 90), 20);
  record.take(right("gemm.fp16", 104), 59);
  record.take(right("memory.pattern"), 61);
  record.take(right("gemm.fp16", 98), 130);
  record.take(right("gemm.fp16", 97), 3605);  // the last test ends after the time
  const Soak soak = record.finish(3605, false);
  REQUIRE(soak.gpus.size() == 1);
  const SoakGpu& gpu = soak.gpus.front();
  REQUIRE(gpu.periods.size() == 60);
  const SoakTest& test = gpu.tests[0];
  CHECK(test.rounds == 5);
  CHECK(test.unit == "TFLOP/s");
  REQUIRE(test.median.size() == 60);
  CHECK(test.median[0] == 100);
  CHECK(test.worst[0] == 90);
  CHECK_FALSE(test.median[1]);
  CHECK(test.median[2] == 98);
  CHECK(test.median[59] == 97);
  CHECK(gpu.periods[0].tests == 3);
  CHECK(gpu.periods[1].tests == 1);
  CHECK(gpu.tests[1].median.empty());
  CHECK(gpu.tests[1].unit.empty());
}

TEST_CASE("where less is better the worst is the longest") {
  SoakRecord record(3, {"launch.latency"});
  for (const double figure : {5.0, 9.0, 6.0}) {
    TestResult result = right("launch.latency", figure);
    result.higher_is_better = false;
    record.take(result, 0.5);
  }
  const Soak soak = record.finish(3, false);
  CHECK(soak.gpus[0].tests[0].worst == Figures{9.0, {}, {}});
  CHECK(soak.gpus[0].tests[0].median == Figures{6.0, {}, {}});
}

TEST_CASE("a wrong answer counts with its place, and gives no figure") {
  SoakRecord record(3600, {"gemm.fp16"});
  record.take(right("gemm.fp16", 100), 10);
  record.take(wrong("gemm.fp16", "wrong result: row 3"), 383);
  record.take(wrong("gemm.fp16", "wrong result: row 4"), 384);
  record.take(right("gemm.fp16", 100), 500);
  const Soak soak = record.finish(3600, false);
  const SoakGpu& gpu = soak.gpus.front();
  CHECK(gpu.tests[0].rounds == 4);
  CHECK(gpu.tests[0].errors == 2);
  CHECK(gpu.periods[6].errors == 2);
  CHECK_FALSE(gpu.tests[0].median[6]);
  REQUIRE(gpu.errors.size() == 2);
  CHECK(gpu.errors[0].at_s == 383);
  CHECK(gpu.errors[0].what == "wrong result: row 3");
  SUBCASE("the first that failed is kept whole") {
    const auto results = record.results();
    REQUIRE(results.size() == 1);
    CHECK(results[0].summary == "wrong result: row 3");
    CHECK(results[0].evidence.back() == "in minute 7 (6:23) of the soak");
  }
}

TEST_CASE(
    "bits that differ from the first round's are wrong, where a test has the same each time") {
  SoakRecord record(3600, {"gemm.fp16", "peak.fp16"});
  record.take(right("gemm.fp16", 100, 7), 1);
  record.take(right("peak.fp16", 100, 7), 2);
  record.take(right("gemm.fp16", 100, 7), 3);
  record.take(right("gemm.fp16", 100, 8), 4);
  record.take(right("peak.fp16", 100, 8), 5);  // reads back when it ran
  record.take(right("gemm.fp16", 100, 7), 6);
  const Soak soak = record.finish(3600, false);
  const auto& tests = soak.gpus.front().tests;
  CHECK(tests[0].errors == 1);
  CHECK(tests[0].same_bits == false);
  CHECK(tests[1].errors == 0);
  CHECK_FALSE(tests[1].same_bits.has_value());
  CHECK_FALSE(record.results()[0].performance.has_value());
}

TEST_CASE("the digest of each device is its own") {
  SoakRecord record(3600, {"gemm.fp16"});
  record.take(right("gemm.fp16", 100, 7), 1);
  TestResult other = right("gemm.fp16", 100, 8);
  other.device = "hip:1";
  record.take(other, 1);
  const Soak soak = record.finish(3600, false);
  REQUIRE(soak.gpus.size() == 2);
  CHECK(soak.gpus[1].errors.empty());
  CHECK(soak.gpus[1].tests[0].same_bits == true);
}

TEST_CASE("counters are read from test to test: nothing between two of them is lost") {
  SoakRecord record(3600, {"gemm.fp16"});
  record.take(seen(counted(12, 3, 2)), 10);  // 10 before the soak, which do not count
  record.take(seen(counted(15, 3)), 70);     // 3 between the tests
  record.take(seen(counted(15, 4)), 130);
  record.take(seen(counted(1, 0)), 190);  // the GPU was reset
  const Soak soak = record.finish(3600, false);
  const auto& periods = soak.gpus.front().periods;
  CHECK(periods[0].corrected == 2);
  CHECK(periods[0].uncorrected == 0);
  CHECK(periods[1].corrected == 3);
  CHECK(periods[2].uncorrected == 1);
  CHECK(periods[3].corrected == 1);
  CHECK_FALSE(periods[4].corrected.has_value());
  REQUIRE(soak.gpus.front().errors.size() == 1);
  CHECK(soak.gpus.front().errors[0].counted);
  CHECK(soak.gpus.front().errors[0].at_s == 130);
  CHECK(soak.gpus.front().tests[0].errors == 0);
}

TEST_CASE("a moment in which counters could not be read is no error, and hides none") {
  SoakRecord record(3600, {"gemm.fp16"});
  record.take(seen(counted(100, 0)), 10);
  Telemetry part = counted(40, 0);
  part.error_totals.unreadable = true;
  record.take(seen(part), 20);
  record.take(seen(Telemetry{}), 30);  // the GPU slept
  record.take(seen(counted(103, 0)), 40);
  const Soak soak = record.finish(3600, false);
  CHECK(soak.gpus.front().periods[0].corrected == 3);
  CHECK_FALSE(soak.gpus.front().counters_unread);
}

TEST_CASE("readings: the middle of clock and power, the highest temperature, every reason") {
  SoakRecord record(3600, {"gemm.fp16"});
  for (const double one : {1.0, 2.0, 9.0}) {
    Telemetry telemetry;
    telemetry.power_w = 100 * one;
    telemetry.clock_mhz = 1000 * one;
    telemetry.temperature_c = 60 + (one == 2 ? 30 : 0);
    telemetry.throttle = {one < 2 ? "power" : "thermal"};
    TestResult result = seen(telemetry);
    result.clock_mhz = 1100 * one;
    record.take(result, one);
  }
  const Soak soak = record.finish(10, true);
  REQUIRE(soak.gpus.front().periods.size() == 1);
  const SoakPeriod& period = soak.gpus.front().periods.front();
  CHECK(period.power_w == 200);
  CHECK(period.clock_mhz == 2000);
  CHECK(period.counted_clock_mhz == 2200);
  CHECK(period.temperature_c == 90);
  CHECK_FALSE(period.memory_temperature_c.has_value());
  CHECK(period.throttle == std::vector<std::string>{"power", "thermal"});
  CHECK(soak.interrupted);
}

TEST_CASE("telemetry that hangs leaves its counters unread") {
  SoakRecord record(3600, {"gemm.fp16"});
  record.take(seen(counted(0, 0)), 1);
  Telemetry hung;
  hung.cut_short = true;
  record.take(seen(hung), 2);
  CHECK(record.finish(3600, false).gpus.front().counters_unread);
}

TEST_CASE("a GPU that vanishes in minute 3 keeps what it had; the other goes on") {
  SoakRecord record(3600, {"gemm.fp16"});
  record.take(right("gemm.fp16", 100), 60);
  TestResult other = right("gemm.fp16", 100);
  other.device = "hip:1";
  record.take(other, 60);
  record.take(wrong("device", "hipInit: no device"), 170);
  record.gave_up("hip:0", "the device could not be used", 170);
  record.gave_up("hip:0", "and again", 180);
  other.performance->median = 99;
  record.take(other, 3000);
  const Soak soak = record.finish(3600, false);
  CHECK(soak.gpus[0].ended == "the device could not be used");
  CHECK(soak.gpus[0].ended_s == 170);
  CHECK(soak.gpus[0].periods.size() == 3);
  CHECK(soak.gpus[0].errors.back().what == "hipInit: no device");
  CHECK(soak.gpus[1].periods.size() == 60);
  CHECK(soak.gpus[1].ended.empty());
  CHECK(record.results().size() == 3);  // two tests, and what the device said
}

TEST_CASE("the round that is cut short says nothing; a test that never ran says why") {
  SoakRecord record(3600, {"gemm.fp16", "gemm.fp8"});
  record.take(right("gemm.fp16", 100), 10);
  TestResult cut = right("gemm.fp16");
  cut.verdict = Verdict::unknown;
  cut.summary = "interrupted; the worker was killed";
  record.take(cut, 20);
  TestResult none = right("gemm.fp8");
  none.verdict = Verdict::skip;
  none.summary = "no FP8 units";
  record.take(none, 20);
  const Soak soak = record.finish(20, true);
  CHECK(soak.gpus[0].tests[0].rounds == 1);
  CHECK(record.results()[0].verdict == Verdict::pass);
  CHECK(soak.gpus[0].tests[1].rounds == 0);
  CHECK(soak.gpus[0].tests[1].not_run == "no FP8 units");
}

TEST_CASE("what is kept does not grow with the rounds") {
  SoakRecord record(3600, {"gemm.fp16"});
  for (int round = 0; round < 50000; ++round) {
    const double at_s = round * 3600.0 / 50000;
    record.take(round % 2 == 0 ? right("gemm.fp16", 100, 7) : wrong("gemm.fp16", "row 3"), at_s);
  }
  const Soak soak = record.finish(3600, false);
  CHECK(soak.gpus[0].tests[0].rounds == 50000);
  CHECK(soak.gpus[0].tests[0].median.size() == 60);
  CHECK(soak.gpus[0].errors_in_all == 25000);
  CHECK(soak.gpus[0].errors.size() == 20);
  CHECK(record.results().size() == 1);
}
