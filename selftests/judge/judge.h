// From a figure, the part and the telemetry to a verdict. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/verdict.h"
#include "selftests/judge/expectation.h"
#include "selftests/judge/explain.h"

namespace rocvet {

struct Judgement {
  Verdict verdict = Verdict::pass;
  std::string summary;  ///< one sentence
  std::optional<Expectation> expectation;
  std::vector<ShortfallReason> explanations;  ///< of a shortfall; empty when there is none
};

/// `fail` below the floor or far below the peers, `warn` below the healthy band, else `pass`;
/// without an expectation and without peers "measured, nothing to compare with".
Judgement judge(const Part& part, const Observation& observation, const Telemetry& telemetry,
                const PerformanceData& data, double work = 0);

/// True when `value` is an outlier below its peers: by the modified Z-score (Iglewicz and Hoaglin
/// 1993) and by more than 10 %, as peers that agree to a per mille would make every per cent an
/// outlier.
bool below_peers(double value, const std::vector<double>& peers);

}  // namespace rocvet
