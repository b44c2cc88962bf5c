#include "diagnosis/weigh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace rocvet {
namespace {

double seen_worth(double shows, double leak) {
  return std::log((shows + leak - shows * leak) / leak);
}

/// The shares of a cause's signs, by group.
void weigh_signs(Candidate& one) {
  std::map<std::string_view, std::vector<WeighedSign*>> groups;
  for (WeighedSign& sign : one.signs) groups[sign.sign->group].push_back(&sign);
  for (auto& [name, signs] : groups) {
    WeighedSign* best = nullptr;
    for (WeighedSign* sign : signs) {
      if (sign->seen == Truth::yes && (best == nullptr || sign->worth > best->worth)) best = sign;
    }
    if (best != nullptr) {
      best->share = best->worth;
      one.supported = true;
      continue;
    }
    const bool absent = std::all_of(signs.begin(), signs.end(), [](const WeighedSign* sign) {
      return sign->seen == Truth::no;
    });
    if (!absent) continue;
    best = *std::max_element(
        signs.begin(), signs.end(),
        [](const WeighedSign* a, const WeighedSign* b) { return a->sign->shows < b->sign->shows; });
    best->share = std::log(1 - best->sign->shows);
  }
}

/// Whether something that was seen says why a program failed: a message that does, a check that
/// fails, a state that few machines are in.
bool has_reason(const Knowledge& knowledge, const Observations& observations,
                const Impossible& impossible) {
  const auto& causes = knowledge.causes();
  const double telling = knowledge.weights().telling_state;
  for (std::size_t i = 0; i < causes.size(); ++i) {
    if (causes[i].benign() || !impossible[i].empty()) continue;
    for (const Sign& sign : causes[i].signs) {
      if (observations.saw(sign.saw) != Truth::yes || observations.is_outcome(sign.saw)) continue;
      if (observations.complains(sign.saw) ||
          seen_worth(sign.shows, leak(knowledge, sign.saw)) >= telling)
        return true;
    }
  }
  return false;
}

/// What speaks for a cause that nothing else speaks for, where there is a reason, is no sign of it.
void drop_outcomes(Candidate& one, const Observations& observations) {
  const bool more = std::any_of(one.signs.begin(), one.signs.end(), [&](const WeighedSign& sign) {
    return sign.seen == Truth::yes && !observations.is_outcome(sign.sign->saw);
  });
  if (more) return;
  for (WeighedSign& sign : one.signs) {
    if (sign.seen == Truth::yes) sign.seen = Truth::unknown;
  }
}

/// A cause on one GPU, or on the machine ("").
Candidate weigh_on(const Knowledge& knowledge, const Observations& observations, const Cause& cause,
                   const std::set<std::string_view>& explained, std::string_view gpu, bool reason) {
  const Weights& weights = knowledge.weights();
  Candidate one{.cause = &cause};
  one.gpu = gpu;
  one.prior = std::log(knowledge.prior(cause));
  for (const Sign& sign : cause.signs) {
    const Truth seen =
        explained.count(sign.saw) != 0 ? Truth::unknown : observations.saw(sign.saw, gpu);
    one.signs.push_back({&sign, seen, 0, seen_worth(sign.shows, leak(knowledge, sign.saw))});
  }
  if (reason) drop_outcomes(one, observations);
  weigh_signs(one);
  bool by_more_than_words = false;
  for (const WeighedSign& sign : one.signs) {
    if (sign.seen != Truth::yes || !observations.complains(sign.sign->saw)) continue;
    const ObservationInfo* known = knowledge.observation(sign.sign->saw);
    one.complains = true;
    by_more_than_words |= known == nullptr || !known->asked;
  }
  one.asked = one.complains && !by_more_than_words;
  one.level = one.prior;
  for (const WeighedSign& sign : one.signs) one.level += weights.t * sign.share;
  one.prose = one.supported ? weights.w * observations.prose(cause.id) : 0;
  one.level += one.prose;
  return one;
}

std::string_view why_impossible(const Context& context, const Observations& observations,
                                const Cause& cause) {
  for (const std::string_view need : cause.needs) {
    if (condition(context, need) == Truth::no) return need;
  }
  for (const std::string_view state : cause.refuted_by) {
    if (observations.saw(state) == Truth::yes) return state;
  }
  return {};
}

}  // namespace

double leak(const Knowledge& knowledge, std::string_view observation) {
  const Weights& weights = knowledge.weights();
  const ObservationInfo* known = knowledge.observation(observation);
  double common = known != nullptr ? known->common : weights.common_text;
  if (known == nullptr && observation.starts_with("text."))
    common = std::min(common, weights.other_cause * knowledge.expected(observation));
  const Count count = knowledge.count(observation);
  if (count.readable == 0) return common;
  return (count.seen + 0.5 + weights.author * common) / (count.readable + 1 + weights.author);
}

Impossible impossible_causes(const Context& context, const Observations& observations) {
  Impossible all;
  for (const Cause& cause : context.db.knowledge().causes())
    all.push_back(why_impossible(context, observations, cause));
  return all;
}

std::vector<Candidate> weigh(const Knowledge& knowledge, const Observations& observations,
                             const Impossible& impossible, const std::vector<const Cause*>& told) {
  const Weights& weights = knowledge.weights();
  std::set<std::string_view> explained;
  for (const Cause* cause : told) {
    for (const Sign& sign : cause->signs) explained.insert(sign.saw);
  }
  const bool reason = has_reason(knowledge, observations, impossible);
  std::vector<Candidate> all;
  for (const Cause& cause : knowledge.causes()) {
    std::vector<std::string_view> gpus = observations.gpus_with(cause.signs);
    if (gpus.size() < 2) gpus = {""};
    std::optional<Candidate> likeliest;
    for (const std::string_view gpu : gpus) {
      Candidate one = weigh_on(knowledge, observations, cause, explained, gpu, reason);
      if (!likeliest || one.level > likeliest->level) likeliest = std::move(one);
    }
    likeliest->impossible = impossible[all.size()];
    all.push_back(*std::move(likeliest));
  }
  double sum = weights.n;
  for (const Candidate& one : all) {
    if (one.impossible.empty() && one.supported) sum += std::exp(one.level);
  }
  for (Candidate& one : all) {
    if (one.impossible.empty() && one.supported) one.probability = std::exp(one.level) / sum;
  }
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.probability > b.probability;
  });
  return all;
}

}  // namespace rocvet
