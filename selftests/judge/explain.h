// Why a figure is low: every reason that the telemetry supports, the most direct first.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "selftests/judge/expectation.h"
#include "selftests/judge/part.h"

namespace rocvet {

struct ShortfallReason {
  std::string id;    ///< "power-cap", "link-downgraded", "unexplained" …
  std::string text;  ///< one sentence with the numbers
};

/// Never empty: the last resort is "unexplained".
std::vector<ShortfallReason> explain_shortfall(const Part& part, const Observation& observation,
                                               const Telemetry& telemetry,
                                               const Expectation* expectation);

/// Why the engine clock stood far below the highest, when nothing but a fault or somebody's choice
/// explains it; nullopt when it did not, when it is the power limit's doing, or when too little
/// could be read to tell.
std::optional<ShortfallReason> explain_clock(const Part& part, const Observation& observation,
                                             const Telemetry& telemetry);

/// Why a call of the runtime failed, when what the GPU was doing tells; nullopt when it does not.
/// `error` is what the runtime said.
std::optional<ShortfallReason> explain_failure(const std::string& error,
                                               const Telemetry& telemetry);

}  // namespace rocvet
