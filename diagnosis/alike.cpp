#include "diagnosis/alike.h"

#include <algorithm>

namespace rocvet {
namespace {

/// What was looked at and not seen makes a cause less likely than its prior by so much: beside a
/// suspicion such a one is not told of.
constexpr double kSpeaksAgainst = -0.2;

/// What it shows, was looked at and not seen.
double against(const Candidate& candidate) {
  double sum = 0;
  for (const WeighedSign& sign : candidate.signs) sum += std::min(sign.share, 0.0);
  return sum;
}

/// What may be told of at all, and is not said already.
const Candidate* candidate_of(const Knowledge& knowledge, const SimilarReports& one,
                              const std::vector<Candidate>& all,
                              const std::vector<std::string_view>& named) {
  const auto candidate = std::ranges::find_if(
      all, [&](const Candidate& other) { return other.cause->id == one.cause; });
  if (candidate == all.end() || !candidate->impossible.empty() || candidate->cause->benign())
    return nullptr;
  const bool told = std::ranges::any_of(named, [&](std::string_view id) {
    return id == one.cause || explains(*knowledge.cause(id), one.cause);
  });
  return told ? nullptr : &*candidate;
}

}  // namespace

std::vector<Alike> alike_causes(const Limits& limits, const Knowledge& knowledge,
                                const Likeness& likeness, const std::vector<Candidate>& all,
                                const std::vector<std::string_view>& named) {
  const bool alone = named.empty();
  if (likeness.causes.empty() || named.size() >= kMostSuspicions) return {};
  if (likeness.healthy >= (alone ? limits.alike_healthy : limits.alike_healthy_beside)) return {};
  const bool like_none_that_works = likeness.healthy < limits.alike_sick;
  const double least = alone && !like_none_that_works ? limits.alike : limits.alike_beside;
  const std::size_t most = alone ? kMostSuspicions : 1;
  std::vector<Alike> found;
  for (const SimilarReports& one : likeness.causes) {
    if (found.size() >= most || one.margin < (found.empty() ? least : limits.alike_least)) break;
    const Candidate* candidate = candidate_of(knowledge, one, all, named);
    if (candidate == nullptr) continue;
    if (!alone && against(*candidate) < kSpeaksAgainst) continue;
    const bool first = alone && found.empty();
    found.push_back(
        {candidate, first ? limits.alike_at_most : limits.alike_next_at_most, one.because});
  }
  return found;
}

}  // namespace rocvet
