// From the results of a soak, one after the other, to what is kept of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "selftests/selftest.h"
#include "selftests/soak/soak.h"

namespace rocvet {

/// Keeps a figure a period, and of each test one whole result; nothing grows with the number of
/// rounds but what belongs to the period of now.
class SoakRecord {
 public:
  /// `tests`: what was chosen, in the order of the report.
  SoakRecord(double asked_s, std::vector<std::string> tests);

  /// Times do not go back. A right answer with other bits than the first, where a test has the same
  /// each time, becomes a wrong one.
  void take(TestResult result, double at_s);
  void gave_up(const std::string& device, const std::string& why, double at_s);

  /// Not judged yet.
  Soak finish(double lasted_s, bool interrupted);
  /// Of each test and GPU the first that failed, or else the last.
  std::vector<TestResult> results() const;

 private:
  /// What the period of now has so far.
  struct Open {
    std::vector<double> counted_clock, clock, power;
    std::map<std::string, std::vector<double>> figures;  ///< test -> its rounds
  };
  struct Device {
    SoakGpu gpu;
    Open open;
    std::optional<ErrorTotals> totals;             ///< of the last test
    std::map<std::string, std::uint64_t> digests;  ///< test -> of its first right round
    std::map<std::string, TestResult> kept;
  };

  Device& device_of(const TestResult& result);
  SoakTest* test_of(Device& device, const std::string& id) const;
  std::size_t period_of(double at_s) const;
  /// Makes the period of that moment the one of now.
  void go_to(Device& device, std::size_t period) const;
  static void close(Device& device);
  static void look_at_telemetry(Device& device, const TestResult& result, double at_s);
  static void note_error(Device& device, SoakError error);

  double asked_s_;
  std::vector<std::string> tests_;
  std::vector<Device> devices_;
};

}  // namespace rocvet
