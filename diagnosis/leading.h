// Which cause is named: the likeliest that something complains of, or what brought that about.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "diagnosis/weigh.h"

namespace rocvet {

/// What the weighing takes for likely (db/thresholds.toml says what each means).
struct Limits {
  explicit Limits(const Knowledge& knowledge)
      : origin(knowledge.threshold("origin")),
        origin_that_fails(knowledge.threshold("origin-that-fails")),
        telling(knowledge.threshold("telling")),
        telling_alone(knowledge.threshold("telling-alone")),
        suspicious(knowledge.threshold("suspicious")),
        suspected(knowledge.threshold("suspected")),
        unlikely(knowledge.threshold("unlikely")),
        suspicion_at_most(knowledge.threshold("suspicion-at-most")),
        sure(knowledge.threshold("sure")),
        alike(knowledge.threshold("alike")),
        alike_healthy(knowledge.threshold("alike-healthy")),
        alike_sick(knowledge.threshold("alike-sick")),
        alike_least(knowledge.threshold("alike-least")),
        alike_beside(knowledge.threshold("alike-beside")),
        alike_healthy_beside(knowledge.threshold("alike-healthy-beside")),
        alike_at_most(knowledge.threshold("alike-at-most")),
        alike_next_at_most(knowledge.threshold("alike-next-at-most")) {}

  double origin, origin_that_fails, telling, telling_alone, suspicious, suspected, unlikely,
      suspicion_at_most, sure, alike, alike_healthy, alike_sick, alike_least, alike_beside,
      alike_healthy_beside, alike_at_most, alike_next_at_most;
};

inline constexpr std::size_t kMostSuspicions = 3;

bool shows(const Cause& cause, std::string_view observation);
bool explains(const Cause& cause, std::string_view other);
/// A check fails for something that the cause shows.
bool fails_for(const Observed& sighting, const Cause& cause);
/// Something of the cause complains, or somebody does: a state alone that healthy machines have too
/// is nothing to name. `alone`: what such a state must add to L where nobody's words speak for it.
bool asked_for(const Limits& limits, const Candidate& one, const Observations& observations,
               double alone);

struct Leading {
  const Candidate* named = nullptr;      ///< nullptr: nothing that may be named complains
  const Candidate* likeliest = nullptr;  ///< what it is named in the place of; itself mostly
  double probability = 0;                ///< of what is named and of what it brings about
};
/// What to name next of `all`; `consequences`: ids that a named cause explains.
Leading leading(const Limits& limits, const std::vector<Candidate>& all,
                const Observations& observations, const std::set<std::string_view>& consequences);

}  // namespace rocvet
