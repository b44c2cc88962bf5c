// From what a worker said, or how it ended, to a TestResult.
#pragma once

#include <string>
#include <vector>

#include "selftests/selftest.h"
#include "selftests/worker/message.h"

namespace rocvet::worker {

/// A result, skip or error message of a test.
TestResult outcome_of(const Message& message, const std::string& device);

/// How a worker came to its end without saying so.
struct BadEnd {
  enum class Kind { died, deadline, budget, garbage, wedged };
  Kind kind = Kind::died;
  std::optional<int> wait_status;
  double deadline_s = 0;
  std::string state;   ///< of a wedged process
  std::string output;  ///< tail of its standard output and error
  std::vector<std::string> kernel_lines;
  bool killed_by_us = false;
};
/// The test that was running (or "runtime", before the first one).
TestResult outcome_of(const BadEnd& end, const std::string& test, const std::string& device);

/// A test that never began.
TestResult not_run(const std::string& test, const std::string& device, const std::string& reason);

}  // namespace rocvet::worker
