// What a soak saw: the self-tests repeated on every GPU for a given time. Plain data, of one size
// whatever the time: a figure a period, not one a round.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/verdict.h"

namespace rocvet {

using PerPeriod = std::vector<std::optional<double>>;

/// One test on one GPU.
struct SoakTest {
  std::string id, unit;  ///< unit "": it has no figure
  bool higher_is_better = true;
  PerPeriod median, worst;        ///< of the right rounds that ended in each period
  int rounds = 0, errors = 0;     ///< errors: rounds that were wrong or gave no answer
  std::optional<bool> same_bits;  ///< in all right rounds; absent: not compared (same_bits.h)
  std::string not_run;            ///< why there was no round
  // The judge's; the record's where there was no round: skip or unknown.
  Verdict verdict = Verdict::unknown;
  std::string summary;  ///< one sentence
};

/// What was seen of a GPU in one period.
struct SoakPeriod {
  int tests = 0, errors = 0;                                          ///< tests that ended in it
  std::optional<double> counted_clock_mhz, clock_mhz, power_w;        ///< median over the tests
  std::optional<double> temperature_c, memory_temperature_c;          ///< highest
  std::vector<std::string> throttle;                                  ///< reasons the firmware gave
  std::optional<std::uint64_t> corrected, uncorrected, pcie_replays;  ///< added in it
};

struct SoakError {
  double at_s = 0;  ///< when the test ended, since the beginning
  std::string test, what;
  bool counted = false;  ///< by the GPU's counters, while that test ran; else the test failed
};

struct SoakGpu {
  std::string device, bdf, arch;
  std::vector<SoakTest> tests;
  std::vector<SoakPeriod> periods;  ///< up to the last that began
  std::vector<SoakError> errors;    ///< the first of them
  int errors_in_all = 0;
  std::string ended;  ///< why it was given up before the time was over; "" when it was not
  double ended_s = 0;
  bool counters_unread = false;  ///< error counters are there, and could not be read to the end
  // The judge's, of the error counters.
  Verdict counters = Verdict::unknown;
  std::string counters_summary;
};

struct Soak {
  double asked_s = 0, lasted_s = 0, period_s = 0;
  bool interrupted = false;
  std::vector<SoakGpu> gpus;
};

/// A verdict and what it is about.
struct SoakRow {
  std::string device, name;  ///< "hip:0"; "gemm.fp16", "error counters", "end"
  Verdict verdict = Verdict::unknown;
  std::string summary;
};
/// All that counts, GPU by GPU.
std::vector<SoakRow> soak_rows(const Soak& soak);

/// How long a period is: a 60th of the time, at least a second.
double soak_period_s(double asked_s);

/// "6:23", "1:02:10".
std::string clock_text(double seconds);
/// "minute 7 (6:23)"
std::string minute_text(double at_s);
/// "given up in minute 3 (2:10): …"; "" when it was not.
std::string ended_text(const SoakGpu& gpu);

}  // namespace rocvet
