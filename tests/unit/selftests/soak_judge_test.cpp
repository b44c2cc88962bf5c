// Drift is found, noise is not, and what failed is named with its minute.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "selftests/soak/judge_soak.h"

using namespace rocvet;

namespace {

/// `count` figures around 100 that sink by `loss` from the first to the last.
PerPeriod series(std::size_t count, double loss, double noise, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, noise);
  PerPeriod out;
  for (std::size_t i = 0; i < count; ++i) {
    const double along = static_cast<double>(i) / static_cast<double>(count - 1);
    out.emplace_back(100 * (1 - loss * along) * (1 + normal(random)));
  }
  return out;
}

bool is_alarmed(const PerPeriod& figures, bool higher_is_better = true) {
  const auto ends = compare_ends(figures, higher_is_better);
  REQUIRE(ends);
  return ends->loss > ends->limit;
}

int alarms(std::size_t count, double loss, double noise) {
  int found = 0;
  for (unsigned seed = 1; seed <= 200; ++seed)
    found += is_alarmed(series(count, loss, noise, seed));
  return found;
}

SoakGpu gpu_with(const PerPeriod& figures) {
  SoakGpu gpu;
  gpu.device = "hip:0";
  gpu.periods.resize(figures.size());
  SoakTest& test = gpu.tests.emplace_back();
  test.id = "gemm.fp16";
  test.unit = "TFLOP/s";
  test.median = test.worst = figures;
  test.rounds = static_cast<int>(figures.size());
  return gpu;
}

Soak judged(const SoakGpu& gpu) {
  Soak soak;
  soak.asked_s = 3600;
  soak.period_s = 60;
  soak.gpus = {gpu};
  judge_soak(soak);
  return soak;
}

const SoakTest& only_test(const Soak& soak) {
  return soak.gpus.front().tests.front();
}

bool says(const std::string& text, const std::string& part) {
  CAPTURE(text);
  CAPTURE(part);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a period is a 60th of the time, at least a second") {
  CHECK(soak_period_s(3) == 1);
  CHECK(soak_period_s(90) == 1.5);
  CHECK(soak_period_s(3600) == 60);
  CHECK(soak_period_s(86400) == 1440);
}

TEST_CASE("minutes count from one") {
  CHECK(minute_text(0) == "minute 1 (0:00)");
  CHECK(minute_text(383) == "minute 7 (6:23)");
  CHECK(minute_text(3730) == "minute 63 (1:02:10)");
}

TEST_CASE("a loss is found: 5 % between the quarters, of 60 figures and of 20") {
  // From the middle of the first quarter to that of the last is less than the whole way.
  CHECK(alarms(60, 0.075, 0.005) == 200);
  CHECK(alarms(20, 0.08, 0.005) == 200);
  SUBCASE("a step after half the time") {
    PerPeriod figures(60, 100.0);
    for (std::size_t i = 30; i < 60; ++i) figures[i] = 95.0;
    CHECK(is_alarmed(figures));
    const auto ends = compare_ends(figures, true);
    CHECK(ends->loss == doctest::Approx(0.05));
  }
  SUBCASE("a time that grows; one that shrinks is none") {
    PerPeriod figures(60, 10.0);
    for (std::size_t i = 30; i < 60; ++i) figures[i] = 11.0;
    CHECK(is_alarmed(figures, false));
    CHECK_FALSE(is_alarmed(figures, true));
  }
}

TEST_CASE("noise alone does not alarm") {
  int all = 0;
  for (const std::size_t count : {13U, 20U, 60U}) {
    for (const double noise : {0.002, 0.01, 0.03, 0.10}) all += alarms(count, 0, noise);
  }
  CHECK(all <= 4);  // of 2400
}

TEST_CASE("neither do stray figures, a slow start, or what a clock of coarse grain shows") {
  PerPeriod figures = series(60, 0, 0.003, 5);
  for (const std::size_t stray : {9U, 50U, 55U, 58U}) figures[stray] = 60.0;
  CHECK_FALSE(is_alarmed(figures));
  figures = series(60, 0, 0.003, 6);
  for (std::size_t i = 0; i < 6; ++i) figures[i] = 115.0;  // boost clocks until it is warm
  CHECK_FALSE(is_alarmed(figures));
  figures.clear();
  for (int i = 0; i < 60; ++i) figures.emplace_back(i % 2 == 0 ? 10.0 : 10.24);
  CHECK_FALSE(is_alarmed(figures));
}

TEST_CASE("figures with gaps are compared; too few are not") {
  PerPeriod figures(60);
  for (std::size_t i = 0; i < 60; i += 4) figures[i] = i < 30 ? 100.0 : 90.0;
  const auto ends = compare_ends(figures, true);
  REQUIRE(ends);
  CHECK(ends->loss == doctest::Approx(0.1));
  CHECK(ends->first_begin == 4);
  CHECK(ends->last_begin == 48);
  CHECK_FALSE(compare_ends(PerPeriod(12, 100.0), true));
  CHECK_FALSE(compare_ends({}, true));
  CHECK_FALSE(compare_ends(PerPeriod(60, 0.0), true));
}

TEST_CASE("a healthy test passes, and says what it was") {
  SoakGpu gpu = gpu_with(series(60, 0, 0.005, 1));
  gpu.tests.front().same_bits = true;
  const Soak soak = judged(gpu);
  CHECK(only_test(soak).verdict == Verdict::pass);
  CHECK(says(only_test(soak).summary, "60 rounds right, the same bits in each"));
}

TEST_CASE("a wrong round in minute 7 is named") {
  SoakGpu gpu = gpu_with(series(60, 0, 0.005, 1));
  gpu.tests.front().errors = 2;
  gpu.errors = {{370, "gemm.fp16", "1 uncorrectable memory error was counted", true},
                {383, "gemm.fp16", "wrong result: row 3", false},
                {900, "gemm.fp16", "wrong result: row 5", false}};
  const Soak soak = judged(gpu);
  CHECK(only_test(soak).verdict == Verdict::fail);
  CHECK(only_test(soak).summary ==
        "2 of 60 rounds failed, the first in minute 7 (6:23): wrong result: row 3");
}

TEST_CASE("what was not looked at does not pass") {
  SoakGpu gpu = gpu_with(PerPeriod(5, 100.0));
  CHECK(only_test(judged(gpu)).verdict == Verdict::unknown);
  CHECK(says(only_test(judged(gpu)).summary, "5 rounds right; too few"));
  SUBCASE("a test without a figure has only to be right") {
    gpu.tests.front().unit.clear();
    CHECK(only_test(judged(gpu)).verdict == Verdict::pass);
  }
  SUBCASE("no round at all") {
    gpu.tests.front().rounds = 0;
    CHECK(only_test(judged(gpu)).verdict == Verdict::unknown);
    gpu.tests.front().not_run = "no FP8 units";
    gpu.tests.front().verdict = Verdict::skip;
    CHECK(only_test(judged(gpu)).verdict == Verdict::skip);
    CHECK(only_test(judged(gpu)).summary == "no FP8 units");
    gpu.tests.front().verdict = Verdict::unknown;
    CHECK(only_test(judged(gpu)).verdict == Verdict::unknown);
  }
}

TEST_CASE("a figure that sinks warns, with what went with it") {
  SoakGpu gpu = gpu_with(series(60, 0.12, 0.005, 3));
  SUBCASE("nothing was read") {
    const Soak soak = judged(gpu);
    CHECK(only_test(soak).verdict == Verdict::warn);
    CHECK(says(only_test(soak).summary, "nothing that could be read went with it"));
  }
  SUBCASE("heat, throttling and the clock") {
    for (std::size_t i = 0; i < 60; ++i) {
      const double along = static_cast<double>(i);
      gpu.periods[i].temperature_c = 60 + along / 2;
      gpu.periods[i].memory_temperature_c = 70;
      gpu.periods[i].counted_clock_mhz = 2400 - 5 * along;
      gpu.periods[i].clock_mhz = 2400 - 5 * along;
      if (i > 40) gpu.periods[i].throttle = {"thermal"};
    }
    const Soak soak = judged(gpu);
    const std::string& text = only_test(soak).summary;
    CHECK(only_test(soak).verdict == Verdict::warn);
    // Quarters of 13 from period 6 on, and to the end: their middles are 12 and 53.
    CHECK(says(text, "the temperature rose from 66 to 86 °C"));
    CHECK_FALSE(says(text, "that of the memory"));
    CHECK(says(text, "throttled it (thermal) in 100 % of the time, before in 0 %"));
    CHECK(says(text, "the engine clock fell from 2340 to 2135 MHz"));
  }
}

TEST_CASE("error counters") {
  SoakGpu gpu = gpu_with(PerPeriod(60, 100.0));
  const auto verdict = [&] { return judged(gpu).gpus.front().counters; };
  const auto text = [&] { return judged(gpu).gpus.front().counters_summary; };
  SUBCASE("there are none") {
    CHECK(verdict() == Verdict::skip);
  }
  SUBCASE("PCIe replays alone are no fault, and say nothing of the memory") {
    gpu.periods[4].pcie_replays = 3;
    CHECK(verdict() == Verdict::skip);
    CHECK(says(text(), "3 PCIe replays"));
  }
  SUBCASE("they stood still") {
    for (SoakPeriod& period : gpu.periods) period.corrected = period.uncorrected = 0;
    CHECK(verdict() == Verdict::pass);
    gpu.counters_unread = true;
    CHECK(verdict() == Verdict::unknown);
  }
  SUBCASE("corrected errors grew") {
    gpu.periods[5].corrected = 2;
    gpu.periods[9].corrected = 15;
    CHECK(verdict() == Verdict::warn);
    CHECK(says(text(), "17 corrected, 0 uncorrectable errors"));
  }
  SUBCASE("an uncorrectable one") {
    gpu.periods[6].uncorrected = 1;
    gpu.errors = {{383, "peak.fp16", "wrong", false}, {400, "memory.pattern", "counted", true}};
    CHECK(verdict() == Verdict::fail);
    CHECK(says(text(), "1 uncorrectable errors, the first in minute 7 (6:40) during memory."));
  }
}

TEST_CASE("a GPU that is lost fails; its tests that never ran are not said to have had no time") {
  SoakGpu gpu = gpu_with(PerPeriod(3, 100.0));
  gpu.ended = "the device could not be used";
  gpu.ended_s = 170;
  gpu.tests.emplace_back().id = "peak.fp16";
  const Soak soak = judged(gpu);
  CHECK(soak.gpus.front().tests[1].verdict == Verdict::skip);
  const auto rows = soak_rows(soak);
  REQUIRE(rows.size() == 4);
  CHECK(rows[3].verdict == Verdict::fail);
  CHECK(rows[3].summary == "given up in minute 3 (2:50): the device could not be used");
}
