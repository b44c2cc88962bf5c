#include "diagnosis/confidence.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace rocvet {
namespace {

constexpr std::pair<double, double> kKnots[] = {
    {0.0, 0.0},   {0.08, 0.35}, {0.25, 0.50}, {0.45, 0.62}, {0.70, 0.72},
    {0.80, 0.82}, {0.88, 0.92}, {0.93, 0.97}, {1.0, 0.99},
};
/// Below this a cause is a suspicion that competes with others.
constexpr double kSuspicion = 0.6;
/// A rival with this share of the first one's score makes it less sure.
constexpr double kNear = 0.8, kDoubt = 0.85;

}  // namespace

double hit_rate(double score) {
  score = std::clamp(score, 0.0, 1.0);
  for (std::size_t i = 1; i < std::size(kKnots); ++i) {
    const auto [low, at_low] = kKnots[i - 1];
    const auto [high, at_high] = kKnots[i];
    if (score <= high) return at_low + (at_high - at_low) * (score - low) / (high - low);
  }
  return kKnots[std::size(kKnots) - 1].second;
}

namespace {

void share_out(std::vector<RootCause>& causes) {
  if (causes.empty()) return;
  const double first = causes.front().confidence;
  const bool contested =
      first < kSuspicion && causes.size() > 1 && causes[1].confidence >= kNear * first;
  causes.front().confidence = hit_rate(first) * (contested ? kDoubt : 1.0);
  double rivals = 0;
  for (std::size_t i = 1; i < causes.size(); ++i) rivals += causes[i].confidence;
  if (rivals <= 0) return;
  const double left = 1 - causes.front().confidence;
  for (std::size_t i = 1; i < causes.size(); ++i) {
    double& own = causes[i].confidence;
    // What is proved beside the first is a fault of its own; what is suspected shares the rest.
    own = own >= kSuspicion ? std::min(hit_rate(own), causes.front().confidence)
                            : std::min(hit_rate(own), left * own / rivals);
    own = std::min(own, causes.front().confidence);
  }
}

}  // namespace

void calibrate(std::vector<RootCause>& causes) {
  share_out(causes);
  // Nobody knows it to more than three digits; rounded down, shares never exceed the whole.
  for (RootCause& cause : causes) cause.confidence = std::floor(cause.confidence * 1000) / 1000;
}

}  // namespace rocvet
