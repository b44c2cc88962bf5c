#include "selftests/result.h"

#include <algorithm>
#include <cmath>
#include <csignal>

#include "base/text.h"
#include "selftests/gpu/code_objects.h"

namespace rocvet {
namespace {

double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double above = sorted[std::min(below + 1, sorted.size() - 1)];
  return sorted[below] + (place - static_cast<double>(below)) * (above - sorted[below]);
}

/// Samples whose modified Z-score is above 3.5 (Iglewicz and Hoaglin 1993), and by more than a
/// clock's grain.
int outliers(const std::vector<double>& samples, double median) {
  std::vector<double> distances;
  for (const double sample : samples) distances.push_back(std::fabs(sample - median));
  std::vector<double> sorted = distances;
  std::ranges::sort(sorted);
  const double typical = quantile(sorted, 0.5);
  return static_cast<int>(std::ranges::count_if(distances, [&](double distance) {
    return 0.6745 * distance > 3.5 * typical && distance > 0.005 * median;
  }));
}

Performance performance_of(const Measurement& measurement) {
  std::vector<double> sorted = measurement.samples;
  std::ranges::sort(sorted);
  const std::size_t middle = sorted.size() / 2;
  Performance performance;
  performance.metric = measurement.metric;
  performance.unit = measurement.unit;
  performance.min = sorted.front();
  performance.max = sorted.back();
  performance.median =
      sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  performance.samples = measurement.samples;
  performance.data = measurement.data;
  performance.spread =
      (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / std::max(performance.median, 1e-300);
  performance.outliers = outliers(sorted, performance.median);
  return performance;
}

struct SignalName {
  int number;
  const char* text;
};
constexpr SignalName kSignals[] = {
    {SIGSEGV, "SIGSEGV (segmentation fault)"},
    {SIGABRT, "SIGABRT (it aborted itself)"},
    {SIGBUS, "SIGBUS (bus error)"},
    {SIGFPE, "SIGFPE (arithmetic fault)"},
    {SIGILL, "SIGILL (illegal instruction)"},
    {SIGKILL, "SIGKILL (out of memory, or by hand)"},
    {SIGTERM, "SIGTERM"},
    {SIGTRAP, "SIGTRAP"},
    {SIGPIPE, "SIGPIPE"},
    {SIGSYS, "SIGSYS (forbidden system call)"},
};

}  // namespace

TestResult result_of(const std::string& device, const worker::Measured& event) {
  const Measurement& measurement = event.measurement;
  TestResult result;
  result.id = event.test;
  result.device = device;
  result.verification = measurement.verification;
  result.evidence = measurement.notes;
  result.seconds = measurement.seconds;
  result.digest = measurement.digest;
  if (!measurement.verification.ok()) {
    result.verdict = Verdict::fail;
    const std::string& detail = measurement.verification.detail;
    result.summary = "wrong result" + (detail.empty() ? "" : ": " + detail);
    return result;
  }
  result.verdict = Verdict::pass;
  if (measurement.samples.empty()) {
    result.summary = measurement.metric.empty() ? "right" : measurement.metric;
    return result;
  }
  result.performance = performance_of(measurement);
  result.work = measurement.work;
  result.bytes = measurement.bytes;
  result.clock_mhz = measurement.clock_mhz;
  result.balance = measurement.balance;
  result.higher_is_better = measurement.higher_is_better;
  result.summary = "measured, nothing to compare with";
  return result;
}

TestResult result_of(const std::string& device, const worker::Skipped& event) {
  TestResult result;
  result.id = event.test;
  result.device = device;
  result.verdict = Verdict::skip;
  result.summary = event.reason;
  return result;
}

TestResult result_of(const std::string& device, const worker::Failed& event) {
  TestResult result;
  result.id = event.test;
  result.device = device;
  // That rocvet was built without code for this GPU says nothing of the GPU.
  const bool not_built =
      event.error.kind == Error::Kind::missing && event.error.where == gpu::kDeviceCode;
  result.verdict = not_built ? Verdict::unknown : Verdict::fail;
  result.summary = event.error.text();
  return result;
}

std::string_view to_string(Regime regime) {
  switch (regime) {
    case Regime::quick:
      return "quick";
    case Regime::steady:
      return "steady";
    case Regime::sustained:
      return "sustained";
  }
  return "";
}

std::string describe(const WorkerEnd& end) {
  if (end.signal) {
    for (const SignalName& name : kSignals) {
      if (name.number == *end.signal) return "killed by " + std::string(name.text);
    }
    return "killed by signal " + std::to_string(*end.signal);
  }
  if (end.exit) return "ended with status " + std::to_string(*end.exit);
  return "did not end";
}

}  // namespace rocvet
