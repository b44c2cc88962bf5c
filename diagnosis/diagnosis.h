// From findings to root causes.
#pragma once

#include <string>
#include <vector>

#include "checks/check.h"

namespace rocvet {

struct RootCause {
  std::string id;  ///< slug of the taxonomy
  double confidence = 0;
  Verdict severity = Verdict::fail;  ///< fail or warn
  std::string summary;               ///< the cause in one sentence, for this machine
  std::vector<std::string> evidence;
  std::vector<std::string> explains;   ///< ids of the checks whose failure it explains
  std::vector<std::string> ruled_out;  ///< "cause: why not"
  Step experiment;                     ///< a command that would decide, when reading cannot
  Remedy remedy;
};

struct Diagnosis {
  std::vector<RootCause> root_causes;  ///< most likely first
};

Diagnosis diagnose(const Context& context, const std::vector<CheckResult>& results);

}  // namespace rocvet
