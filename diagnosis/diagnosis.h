// From findings to root causes.
#pragma once

#include <string>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// Above it a cause is likelier than all else together; below it is a suspicion.
inline constexpr double kNamed = 0.5;

struct RootCause {
  std::string id;  ///< slug of the taxonomy
  double confidence = 0;
  Verdict severity = Verdict::fail;  ///< fail or warn
  bool raised = false;               ///< it fails though it is a suspicion (--fail-on warn)
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

/// What was seen for and against a cause, a line a sign with its share, and what would have to be
/// seen for the runner-up to win (`check --why CAUSE`). An error names the cause that is not known,
/// with "did you mean".
Result<std::string> why(const Context& context, const std::vector<CheckResult>& results,
                        std::string_view cause);

/// What tools/fit_weights.py and tools/fit_similar_reports.py count: "cause ID possible|impossible
/// PROSE", "saw NAME yes|no|unknown" and "feature NAME", a line each, with tabs.
std::string observation_table(const Context& context, const std::vector<CheckResult>& results);

}  // namespace rocvet
