// A self-test: what it measures, whether it can run here, and how it went. `run` measures, `judge`
// judges.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/observation_name.h"
#include "base/result.h"
#include "base/verdict.h"
#include "selftests/gpu/runtime.h"
#include "selftests/judge/part.h"

namespace rocvet {

enum class Size { tiny, quick, full };

/// What state the device is in when it is timed: as it comes, at boost clocks; after 20 s of load;
/// the same with longer samples. Each has its own expectations.
enum class Regime { quick, steady, sustained };
std::string_view to_string(Regime regime);

struct Params {
  Size size = Size::quick;
  Regime regime = Regime::quick;
  std::uint64_t seed = 1;
  double time_limit_s = 10;
  std::uint64_t transfer_bytes = 0;  ///< of one copy between host and device; 0: as the test likes
  int threads = 1;                   ///< of the host, for data and references
  bool warm = false;                 ///< the device was under load until a moment ago
};

struct Verification {
  double max_rel_error = 0, tolerance = 0;
  std::string detail;                                     ///< where it went wrong, when it did
  bool ok() const { return max_rel_error <= tolerance; }  ///< false for NaN
};

/// warm-up is not among the samples.
struct Measurement {
  std::string metric, unit;     ///< "fp32 gemm 4096x4096x4096", "TFLOP/s"
  std::vector<double> samples;  ///< none: the test is about being right, not about speed
  bool higher_is_better = true;
  Verification verification;
  std::vector<std::string> notes;  ///< worth knowing, whatever the verdict: one sentence each
  double work = 0;                 ///< FLOPs of one launch; 0: does not apply
  double bytes = 0;                ///< moved by one launch or copy; 0: does not apply
  std::string data;                ///< what was in the operands: it moves the figure
  std::vector<std::pair<std::string, double>> seconds;  ///< "prepare", "verify", "measure"
  std::uint64_t digest = 0;         ///< of all that was read back from the device
  std::optional<double> clock_mhz;  ///< of the engine, as the kernel counted it while it was timed
  double balance = 1;  ///< how evenly the blocks fall on the units: the share of their time in use
};

/// The device a test runs on, in the worker.
struct DeviceRun {
  gpu::Runtime& runtime;
  gpu::DeviceInfo device;
  gpu::Handle stream = 0;
  /// Tells the parent at once: it becomes evidence even when the worker dies right after. May be
  /// null.
  void (*note)(const std::string& text) = nullptr;
  std::function<void(bool begins)> on_timing = {};  ///< what is timed begins, or has ended
  mutable double loaded_s = 0;  ///< how long the device has worked for the sake of its temperature
  /// Of the device's steady clock, which ticks at the same pace whatever the engine does. nullopt:
  /// not looked at yet; 0: it has none, or does not count the engine's cycles.
  mutable std::optional<double> ticks_per_ms = {};
};

struct TestResult;

struct SelfTest {
  std::string_view id;  ///< "gemm.fp32"
  std::string_view title;
  std::string_view doc;
  std::optional<std::string> (*why_skip)(const DeviceRun&);  ///< nullopt: it can run
  Result<Measurement> (*run)(const DeviceRun&, const Params&);
  // For tests that run vendor code beyond the runtime.
  bool own_process = false;  ///< a worker of its own: what it loads and breaks stays there
  double deadline_s = 0;     ///< at tiny and quick size; 0: that of the run
  /// In the parent, on a failure or the death of the worker: says what it means. `said`: the last
  /// lines of stderr.
  void (*explain)(TestResult& result, const std::string& said) = nullptr;
  bool all_devices = false;  ///< it works on the other GPUs too: none of them has a test meanwhile
};
std::span<const SelfTest* const> all_selftests();

struct Performance {
  std::string metric, unit;
  double median = 0, min = 0, max = 0;
  std::vector<double> samples;
  std::optional<double> expected, floor, fraction;
  std::string basis;  ///< "published", "theoretical", "calibrated", "peers", "" for none
  std::string regime = "quick", data;
  double spread = 0;  ///< distance of the quartiles, as a share of the median
  int outliers = 0;   ///< samples whose modified Z-score is above 3.5
};

struct WorkerEnd {
  std::optional<int> exit, signal;
  std::string stderr_tail;
};

struct TestResult {
  std::string id, device;  ///< "gemm.fp32", "hip:0"
  Verdict verdict = Verdict::unknown;
  std::string summary;  ///< one sentence
  std::vector<std::string> evidence;
  std::vector<ObservationName> seen;  ///< as a finding's
  std::optional<Verification> verification;
  std::optional<Performance> performance;                 ///< absent whenever the answer was wrong
  std::vector<std::pair<std::string, double>> telemetry;  ///< "sclk_mhz_median" -> 2100
  std::optional<WorkerEnd> worker;                        ///< when the worker did not end well
  std::string through;                                    ///< the runtime's library and its version
  std::uint64_t digest = 0;  ///< as in Measurement; 0: nothing was read back
  // What the judge needs besides.
  gpu::DeviceInfo gpu;
  double work = 0;                  ///< FLOPs of one launch; 0: does not apply
  double bytes = 0;                 ///< moved by one launch or copy; 0: does not apply
  std::optional<double> clock_mhz;  ///< as in Measurement
  double balance = 1;               ///< as in Measurement
  bool higher_is_better = true;
  std::optional<Telemetry> observed;
  /// Where its time went: "prepare", "verify", "measure", and "total" as the parent saw it.
  std::vector<std::pair<std::string, double>> seconds;
};

/// All tests again and again, each round in a new worker, until a time is over. The test that runs
/// then still ends.
struct Repeat {
  double for_s = 0;  ///< 0: once
  // Nothing is collected: these take each result as it comes, and why a device was given up before
  // the time was over, unless all were. `at_s`: seconds since the tests began.
  std::function<void(TestResult result, double at_s)> take = {};
  std::function<void(const std::string& device, const std::string& why, double at_s)> gave_up = {};
};

struct TestRequest {
  std::vector<std::string> ids;  ///< ids or globs; empty: all
  enum class Of { all, kernels, libraries };
  Of of = Of::all;                   ///< of those, only tests of our own kernels, or of libraries
  std::vector<std::string> devices;  ///< "hip:0", "kfd:0", "host"; empty: every AMD GPU
  Params params;
  double time_budget_s = 60;
  double test_deadline_s = 0;  ///< of one test; 0: half of the budget, at most five minutes
  /// Where libraries of ROCm lie on this machine, besides what the dynamic loader finds.
  std::vector<std::string> library_folders;
  std::string worker_program = "/proc/self/exe";  ///< what answers to `__worker`
  /// Called in the parent when a test begins or ends, for a progress line, and with an empty device
  /// when all is over or interrupted; may be empty.
  std::function<void(const std::string& device, const std::string& test, bool done)> progress;
  Repeat repeat;
};

/// Runs the tests in worker processes, one per device; never hangs, never throws.
/// An error is a bad request (an id or device that cannot be).
Result<std::vector<TestResult>> run_selftests(const TestRequest& request);

/// Entry of the hidden verb `rocvet __worker`: speaks JSON lines on fd 3. Returns its exit status.
int worker_main(int argc, char** argv);

}  // namespace rocvet
