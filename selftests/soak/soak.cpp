#include "selftests/soak/soak.h"

#include <algorithm>

namespace rocvet {
namespace {

std::string two_digits(long number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

/// A saved report may say anything.
long whole_seconds(double seconds) {
  return static_cast<long>(std::clamp(seconds, 0.0, 1e9));
}

}  // namespace

double soak_period_s(double asked_s) {
  constexpr double kPeriods = 60, kShortest_s = 1;
  return std::max(kShortest_s, asked_s / kPeriods);
}

std::string clock_text(double seconds) {
  const long whole = whole_seconds(seconds), hours = whole / 3600, minutes = whole / 60 % 60;
  const std::string start =
      hours > 0 ? std::to_string(hours) + ":" + two_digits(minutes) : std::to_string(minutes);
  return start + ":" + two_digits(whole % 60);
}

std::string minute_text(double at_s) {
  return "minute " + std::to_string(whole_seconds(at_s) / 60 + 1) + " (" + clock_text(at_s) + ")";
}

std::string ended_text(const SoakGpu& gpu) {
  return gpu.ended.empty() ? "" : "given up in " + minute_text(gpu.ended_s) + ": " + gpu.ended;
}

std::vector<SoakRow> soak_rows(const Soak& soak) {
  std::vector<SoakRow> rows;
  for (const SoakGpu& gpu : soak.gpus) {
    for (const SoakTest& test : gpu.tests)
      rows.push_back({gpu.device, test.id, test.verdict, test.summary});
    rows.push_back({gpu.device, "error counters", gpu.counters, gpu.counters_summary});
    if (!gpu.ended.empty()) rows.push_back({gpu.device, "end", Verdict::fail, ended_text(gpu)});
  }
  if (soak.interrupted) {
    rows.push_back(
        {"soak", "end", Verdict::unknown,
         "interrupted after " + clock_text(soak.lasted_s) + " of " + clock_text(soak.asked_s)});
  }
  return rows;
}

}  // namespace rocvet
