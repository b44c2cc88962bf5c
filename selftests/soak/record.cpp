#include "selftests/soak/record.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/median.h"
#include "selftests/same_bits.h"

namespace rocvet {
namespace {

constexpr std::size_t kMostErrors = 20;  // told in full, of each GPU

std::optional<double> median_of(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional<double>(median(values));
}

void raise_to(std::optional<double>& highest, const std::optional<double>& value) {
  if (value) highest = std::max(highest.value_or(*value), *value);
}

/// What a counter has grown by, added to `sum`; one that fell began anew, when the GPU was reset.
std::uint64_t add_growth(std::optional<std::uint64_t>& sum,
                         const std::optional<std::uint64_t>& before,
                         const std::optional<std::uint64_t>& now) {
  if (!before || !now) return 0;
  const std::uint64_t grown = *now >= *before ? *now - *before : *now;
  sum = sum.value_or(0) + grown;
  return grown;
}

/// What the counters stood at when this test began.
ErrorTotals totals_before(const Telemetry& seen) {
  ErrorTotals before = seen.error_totals;
  const auto take_back = [](std::optional<std::uint64_t>& total, std::uint64_t added) {
    if (total) *total -= std::min(*total, added);
  };
  take_back(before.corrected, seen.new_corrected_errors);
  take_back(before.uncorrected, seen.new_uncorrected_errors);
  take_back(before.pcie_replays, seen.new_pcie_replays);
  return before;
}

}  // namespace

SoakRecord::SoakRecord(double asked_s, std::vector<std::string> tests)
    : asked_s_(asked_s), tests_(std::move(tests)) {}

SoakRecord::Device& SoakRecord::device_of(const TestResult& result) {
  auto at = std::ranges::find_if(
      devices_, [&](const Device& one) { return one.gpu.device == result.device; });
  if (at == devices_.end()) {
    at = devices_.emplace(devices_.end());
    at->gpu.device = result.device;
    for (const std::string& id : tests_) at->gpu.tests.emplace_back().id = id;
  }
  if (at->gpu.bdf.empty()) at->gpu.bdf = result.gpu.bdf;
  if (at->gpu.arch.empty()) at->gpu.arch = result.gpu.arch;
  return *at;
}

SoakTest* SoakRecord::test_of(Device& device, const std::string& id) const {
  const auto at = std::ranges::find(device.gpu.tests, id, &SoakTest::id);
  return at == device.gpu.tests.end() ? nullptr : &*at;
}

std::size_t SoakRecord::period_of(double at_s) const {
  const double period_s = soak_period_s(asked_s_);
  const auto count = static_cast<std::size_t>(std::ceil(asked_s_ / period_s));
  // The last test may end a little later than the time.
  return std::min(static_cast<std::size_t>(std::max(at_s, 0.0) / period_s), count - 1);
}

void SoakRecord::close(Device& device) {
  if (device.gpu.periods.empty()) return;
  SoakPeriod& period = device.gpu.periods.back();
  period.counted_clock_mhz = median_of(device.open.counted_clock);
  period.clock_mhz = median_of(device.open.clock);
  period.power_w = median_of(device.open.power);
  for (SoakTest& test : device.gpu.tests) {
    const auto figures = device.open.figures.find(test.id);
    if (figures == device.open.figures.end()) continue;
    const auto [least, most] = std::ranges::minmax_element(figures->second);
    test.median.resize(device.gpu.periods.size());
    test.worst.resize(device.gpu.periods.size());
    test.median.back() = median(figures->second);
    test.worst.back() = test.higher_is_better ? *least : *most;
  }
  device.open = {};
}

void SoakRecord::go_to(Device& device, std::size_t period) const {
  if (period < device.gpu.periods.size()) return;
  close(device);
  device.gpu.periods.resize(period + 1);
}

void SoakRecord::note_error(Device& device, SoakError error) {
  ++device.gpu.errors_in_all;
  ++device.gpu.periods.back().errors;
  if (device.gpu.errors.size() < kMostErrors) device.gpu.errors.push_back(std::move(error));
}

void SoakRecord::look_at_telemetry(Device& device, const TestResult& result, double at_s) {
  if (!result.observed) return;
  const Telemetry& seen = *result.observed;
  SoakPeriod& period = device.gpu.periods.back();
  if (seen.clock_mhz) device.open.clock.push_back(*seen.clock_mhz);
  if (seen.power_w) device.open.power.push_back(*seen.power_w);
  raise_to(period.temperature_c, seen.temperature_c);
  raise_to(period.memory_temperature_c, seen.memory_temperature_c);
  for (const std::string& reason : seen.throttle) {
    if (std::ranges::find(period.throttle, reason) == period.throttle.end())
      period.throttle.push_back(reason);
  }
  // A sum that lacks a part would look like one that fell; what it lacks shows in a later one.
  device.gpu.counters_unread = seen.cut_short || seen.error_totals.unreadable;
  if (device.gpu.counters_unread) return;
  // From test to test, so that what is counted between two of them is not lost.
  const ErrorTotals before = device.totals.value_or(totals_before(seen));
  const ErrorTotals& now = seen.error_totals;
  add_growth(period.corrected, before.corrected, now.corrected);
  add_growth(period.pcie_replays, before.pcie_replays, now.pcie_replays);
  const auto wrong = add_growth(period.uncorrected, before.uncorrected, now.uncorrected);
  if (wrong > 0) {
    note_error(device, {at_s, result.id,
                        std::to_string(wrong) + " uncorrectable memory error" +
                            (wrong > 1 ? "s were" : " was") + " counted",
                        true});
  }
  device.totals = before;
  if (now.corrected) device.totals->corrected = now.corrected;
  if (now.uncorrected) device.totals->uncorrected = now.uncorrected;
  if (now.pcie_replays) device.totals->pcie_replays = now.pcie_replays;
}

void SoakRecord::take(TestResult result, double at_s) {
  Device& device = device_of(result);
  go_to(device, period_of(at_s));
  SoakTest* test = test_of(device, result.id);
  if (result.verdict == Verdict::pass && has_same_bits(result.id) && result.digest != 0) {
    const auto [first, is_first] = device.digests.emplace(result.id, result.digest);
    if (test != nullptr) test->same_bits = test->same_bits.value_or(true);
    if (!is_first && first->second != result.digest) {
      result.verdict = Verdict::fail;
      result.summary = "wrong result: other bits than in the first round, within its tolerance";
      result.performance.reset();
      if (test != nullptr) test->same_bits = false;
    }
  }
  look_at_telemetry(device, result, at_s);
  const bool wrong = result.verdict == Verdict::fail;
  if (wrong) {
    note_error(device, {at_s, result.id, result.summary});
    result.evidence.push_back("in " + minute_text(at_s) + " of the soak");
  }
  if (test != nullptr && (wrong || result.verdict == Verdict::pass)) {
    ++test->rounds;
    ++device.gpu.periods.back().tests;
    test->errors += wrong ? 1 : 0;
    if (result.performance) {
      test->unit = result.performance->unit;
      test->higher_is_better = result.higher_is_better;
      device.open.figures[result.id].push_back(result.performance->median);
    }
    if (result.clock_mhz) device.open.counted_clock.push_back(*result.clock_mhz);
  } else if (test != nullptr) {
    test->not_run = result.summary;
    test->verdict = result.verdict;
  }
  // The round that the end of the time cuts short says nothing of the test.
  TestResult& kept = device.kept[result.id];
  const bool says_less = result.verdict == Verdict::unknown && !kept.id.empty();
  if (kept.verdict != Verdict::fail && !says_less) kept = std::move(result);
}

void SoakRecord::gave_up(const std::string& device, const std::string& why, double at_s) {
  TestResult none;
  none.device = device;
  Device& one = device_of(none);
  if (!one.gpu.ended.empty()) return;
  go_to(one, period_of(at_s));
  one.gpu.ended = why;
  one.gpu.ended_s = at_s;
}

Soak SoakRecord::finish(double lasted_s, bool interrupted) {
  Soak soak;
  soak.asked_s = asked_s_;
  soak.lasted_s = lasted_s;
  soak.period_s = soak_period_s(asked_s_);
  soak.interrupted = interrupted;
  for (Device& device : devices_) {
    if (device.gpu.ended.empty()) go_to(device, period_of(lasted_s));
    close(device);
    for (SoakTest& test : device.gpu.tests) {
      if (test.median.empty()) continue;
      test.median.resize(device.gpu.periods.size());
      test.worst.resize(device.gpu.periods.size());
    }
    soak.gpus.push_back(device.gpu);
  }
  return soak;
}

std::vector<TestResult> SoakRecord::results() const {
  std::vector<TestResult> all;
  for (const Device& device : devices_) {
    for (const std::string& id : tests_) {
      const auto at = device.kept.find(id);
      if (at != device.kept.end()) all.push_back(at->second);
    }
    if (const auto at = device.kept.find("device"); at != device.kept.end())
      all.push_back(at->second);
  }
  return all;
}

}  // namespace rocvet
