// The one rule that weighs. For each cause whose preconditions are not false and which no state
// refutes:
//
//   L = ln prior + T · (sum over its groups of signs) + W · prose
//   a sign that is seen      ln((q + l - q·l) / l)   q: how often the cause shows it,
//   readable and absent      ln(1 - q)               l: how often machines without the cause do
//   unknown                  0
//
// A message that says how a run ended and not why ("no GPU was found") is a sign of a cause only
// beside another sign of it, as soon as anything on the machine or in the log is a reason.
//
// What befalls one GPU is weighed on that GPU: where several show signs of a cause, on each with
// what was seen of it and of the machine, and the likeliest counts.
//
// P = exp L / (N + sum of exp L). A group has one voice: of what is seen the strongest; it is
// absent only when all of it is. The constants are data: T, W and N, which
// tools/fit_weights.py fits (db/weights.toml), and what l and the prior count by
// (db/thresholds.toml).
#pragma once

#include <string_view>
#include <vector>

#include "diagnosis/observations.h"

namespace rocvet {

struct WeighedSign {
  const Sign* sign = nullptr;
  Truth seen = Truth::unknown;
  double share = 0;  ///< what it adds to L; 0 where its group speaks by another
  double worth = 0;  ///< what it would add if it were seen and alone
};

struct Candidate {
  const Cause* cause = nullptr;
  double prior = 0;  ///< its logarithm
  double prose = 0;  ///< what people's words add
  double level = 0;  ///< L
  double probability = 0;
  bool supported = false;  ///< a sign that is no prose was seen
  /// Something of it complains: a finding that fails or warns, an error of the kernel, a program's
  /// message. States that healthy machines have too do not.
  bool complains = false;
  bool asked = false;  ///< all that complains of it is a person who speaks of what it breaks
  std::string_view impossible;  ///< why it cannot be; "" when it can
  std::string_view gpu;  ///< of several that show it, the one that shows it most; "" otherwise
  std::vector<WeighedSign> signs;
};

/// Of each cause, in the order of the database: the need that is not met, or what refutes it; ""
/// when it can be.
using Impossible = std::vector<std::string_view>;
/// Of one machine: the same whatever is told already, so it is asked once.
Impossible impossible_causes(const Context& context, const Observations& observations);
/// Every cause, the likeliest first; impossible ones have no probability and stand last. `told`:
/// causes that are named already; what they show explains nothing more.
std::vector<Candidate> weigh(const Knowledge& knowledge, const Observations& observations,
                             const Impossible& impossible, const std::vector<const Cause*>& told);
/// How often machines without its causes show an observation.
double leak(const Knowledge& knowledge, std::string_view observation);

}  // namespace rocvet
