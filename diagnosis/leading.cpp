#include "diagnosis/leading.h"

#include <algorithm>

namespace rocvet {
namespace {

/// The probability of a cause and of what it brings about.
double with_consequences(const Candidate& one, const std::vector<Candidate>& all) {
  double sum = one.probability;
  for (const Candidate& other : all) {
    if (explains(*one.cause, other.cause->id)) sum += other.probability;
  }
  return std::min(sum, 0.99);
}

/// Something was seen of it that the other cause does not show.
bool has_own_sign(const Candidate& one, const Cause& other) {
  return std::any_of(one.signs.begin(), one.signs.end(), [&](const WeighedSign& sign) {
    return sign.seen == Truth::yes && sign.worth > 0 && !shows(other, sign.sign->saw);
  });
}

/// A check fails for the cause, and of the same finding the other one shows nothing.
bool has_failing_sign(const Candidate& one, const Cause& other, const Observations& observations) {
  const auto& all = observations.all();
  return std::ranges::any_of(all, [&](const Observed& sighting) {
    return fails_for(sighting, *one.cause) &&
           std::ranges::none_of(all, [&](const Observed& beside) {
             return beside.finding == sighting.finding && shows(other, beside.name);
           });
  });
}

/// Of a cause that is itself brought about by others (a GPU that KFD does not list), the likeliest
/// of those that may be and that more than its own signs speak for; itself where none is likely.
const Candidate& origin_of(const Limits& limits, const Candidate& one,
                           const std::vector<Candidate>& all, const Observations& observations) {
  for (const Candidate& other : all) {
    if (other.probability < limits.origin_that_fails) break;
    // What a check says for certain needs no likelihood of its own: its consequence is likely.
    if (other.probability < limits.origin && !has_failing_sign(other, *one.cause, observations))
      continue;
    const bool own = other.probability > one.probability || has_own_sign(other, *one.cause);
    if (own && explains(*other.cause, one.cause->id) &&
        asked_for(limits, other, observations, limits.telling_alone))
      return other;
  }
  return one;  // NOLINT(bugprone-return-const-ref-from-parameter): one of `all`
}

}  // namespace

bool shows(const Cause& cause, std::string_view observation) {
  return std::any_of(cause.signs.begin(), cause.signs.end(),
                     [&](const Sign& sign) { return sign.saw == observation; });
}

bool explains(const Cause& cause, std::string_view other) {
  return std::find(cause.explains.begin(), cause.explains.end(), other) != cause.explains.end();
}

bool fails_for(const Observed& sighting, const Cause& cause) {
  return sighting.finding != nullptr && sighting.finding->finding.verdict == Verdict::fail &&
         shows(cause, sighting.name);
}

bool asked_for(const Limits& limits, const Candidate& one, const Observations& observations,
               double alone) {
  const double shown = one.level - one.prior - one.prose;
  return one.complains ||
         (observations.complaint() && shown >= (one.prose > 0 ? limits.telling : alone));
}

Leading leading(const Limits& limits, const std::vector<Candidate>& all,
                const Observations& observations, const std::set<std::string_view>& consequences) {
  const auto next = std::find_if(all.begin(), all.end(), [&](const Candidate& one) {
    return one.complains && consequences.count(one.cause->id) == 0;
  });
  if (next == all.end()) return {};
  const Candidate& named = origin_of(limits, *next, all, observations);
  return {&named, &*next, with_consequences(named, all)};
}

}  // namespace rocvet
