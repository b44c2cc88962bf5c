// From what a worker said of a test to its TestResult. Pure.
#pragma once

#include <string>

#include "selftests/worker/protocol.h"

namespace rocvet {

/// A wrong answer fails and shows no speed; without an expectation a right one passes as "measured,
/// nothing to compare with".
TestResult result_of(const std::string& device, const worker::Measured& event);
TestResult result_of(const std::string& device, const worker::Skipped& event);
TestResult result_of(const std::string& device, const worker::Failed& event);
/// "killed by SIGSEGV (segmentation fault)", "ended with status 3".
std::string describe(const WorkerEnd& end);

}  // namespace rocvet
