#include "report/soak_lines.h"

#include <algorithm>
#include <map>

#include "base/text.h"

namespace rocvet {
namespace {

struct SoakReading {
  const char *name, *unit;
  std::optional<double> SoakPeriod::*field;
};
constexpr SoakReading kReadings[] = {
    {"temperature", "°C", &SoakPeriod::temperature_c},
    {"memory temperature", "°C", &SoakPeriod::memory_temperature_c},
    {"power", "W", &SoakPeriod::power_w},
    {"clock, counted", "MHz", &SoakPeriod::counted_clock_mhz},
    {"clock, read", "MHz", &SoakPeriod::clock_mhz}};

std::string range_text(const PerPeriod& values, const std::string& unit) {
  std::optional<double> least, most;
  for (const auto& value : values) {
    if (!value) continue;
    least = std::min(least.value_or(*value), *value);
    most = std::max(most.value_or(*value), *value);
  }
  return least ? fixed(*least, 0) + " to " + fixed(*most, 0) + " " + unit : "";
}

/// "power in 12 of 60 columns, thermal in 3"
std::string throttle_text(const SoakGpu& gpu) {
  std::map<std::string, int> counts;
  for (const SoakPeriod& period : gpu.periods) {
    for (const std::string& reason : period.throttle) ++counts[reason];
  }
  std::vector<std::string> parts;
  for (const auto& [reason, count] : counts) {
    parts.push_back(
        reason + " in " + std::to_string(count) +
        (parts.empty() ? " of " + std::to_string(gpu.periods.size()) + " columns" : ""));
  }
  return join(parts, ", ");
}

}  // namespace

std::vector<SoakLine> soak_lines(const SoakGpu& gpu) {
  std::vector<SoakLine> lines;
  for (const SoakTest& test : gpu.tests) {
    PerPeriod values = test.median;
    if (!values.empty()) values.resize(std::max(values.size(), gpu.periods.size()));
    lines.push_back(
        {test.verdict, test.id, std::move(values), test.summary, test.verdict == Verdict::skip});
  }
  for (const SoakReading& reading : kReadings) {
    PerPeriod values;
    for (const SoakPeriod& period : gpu.periods) values.push_back(period.*reading.field);
    const std::string text = range_text(values, reading.unit);
    if (!text.empty()) lines.push_back({Verdict::skip, reading.name, std::move(values), text});
  }
  if (const std::string text = throttle_text(gpu); !text.empty())
    lines.push_back({Verdict::skip, "throttled", {}, text});
  lines.push_back({gpu.counters, "error counters", {}, gpu.counters_summary});
  if (!gpu.ended.empty()) lines.push_back({Verdict::fail, "end", {}, ended_text(gpu)});
  return lines;
}

std::string soak_title(const SoakGpu& gpu) {
  return gpu.device + (gpu.bdf.empty() ? "" : ", " + gpu.bdf) +
         (gpu.arch.empty() ? "" : " (" + gpu.arch + ")");
}

std::string soak_heading(const Soak& soak) {
  std::string text =
      "soak of " + clock_text(soak.asked_s) + ", each column " + short_number(soak.period_s) + " s";
  if (soak.interrupted) text += ", interrupted after " + clock_text(soak.lasted_s);
  return text;
}

std::vector<std::string> soak_error_lines(const SoakGpu& gpu) {
  std::vector<std::string> lines;
  for (const SoakError& error : gpu.errors)
    lines.push_back(minute_text(error.at_s) + ": " + error.test + ": " + error.what);
  const auto told = static_cast<int>(gpu.errors.size());
  if (gpu.errors_in_all > told)
    lines.push_back("and " + std::to_string(gpu.errors_in_all - told) + " more");
  return lines;
}

}  // namespace rocvet
