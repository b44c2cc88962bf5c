// A self-test: what it measures, whether it can run here, and how it went. `run` measures, `judge`
// judges.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/finding.h"
#include "machine/result.h"
#include "selftests/gpu/runtime.h"

namespace rocvet {

enum class Size { tiny, quick, full };

struct Params {
  Size size = Size::quick;
  std::uint64_t seed = 1;
  double time_limit_s = 10;
};

struct Verification {
  double max_rel_error = 0, tolerance = 0;
  std::string detail;  ///< where it went wrong, when it did
  bool ok() const { return max_rel_error <= tolerance; }  ///< false for NaN
};

/// warm-up is not among the samples.
struct Measurement {
  std::string metric, unit;  ///< "fp32 gemm 4096x4096x4096", "TFLOP/s"
  std::vector<double> samples;
  bool higher_is_better = true;
  Verification verification;
};

/// The device a test runs on, in the worker.
struct DeviceRun {
  gpu::Runtime& runtime;
  gpu::DeviceInfo device;
  gpu::Handle stream = 0;
};

struct SelfTest {
  std::string_view id;  ///< "gemm.fp32"
  std::string_view title;
  std::string_view doc;
  std::optional<std::string> (*why_skip)(const DeviceRun&);  ///< nullopt: it can run
  Result<Measurement> (*run)(const DeviceRun&, const Params&);
};
std::span<const SelfTest* const> all_selftests();

struct Performance {
  std::string metric, unit;
  double median = 0, min = 0, max = 0;
  std::vector<double> samples;
  std::optional<double> expected, floor, fraction;
  std::string basis;  ///< "published", "theoretical", "calibrated", "peers", "" for none
};

struct WorkerEnd {
  std::optional<int> exit, signal;
  std::string stderr_tail;
};

struct TestResult {
  std::string id, device;  ///< "gemm.fp32", "hip:0"
  Verdict verdict = Verdict::unknown;
  std::string summary;     ///< one sentence
  std::vector<std::string> evidence;
  std::optional<Verification> verification;
  std::optional<Performance> performance;  ///< absent whenever the answer was wrong
  std::vector<std::pair<std::string, double>> telemetry;  ///< "sclk_mhz_median" -> 2100
  std::optional<WorkerEnd> worker;         ///< when the worker did not end well
};

struct TestRequest {
  std::vector<std::string> ids;      ///< ids or globs; empty: all
  std::vector<std::string> devices;  ///< "hip:0", "cuda:1", "host"; empty: every AMD GPU
  Params params;
  double time_budget_s = 60;
};

/// Runs the tests in worker processes, one per device; never hangs, never throws.
/// An error is a bad request (an id or device that cannot be).
Result<std::vector<TestResult>> run_selftests(const TestRequest& request);

/// Entry of the hidden verb `rocvet __worker`: speaks JSON lines on fd 3. Returns its exit status.
int worker_main(int argc, char** argv);

}  // namespace rocvet
