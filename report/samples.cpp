#include "report/samples.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace rocvet {
namespace {

using Samples = std::vector<double>;

constexpr std::size_t kFewest = 3;
/// In standard errors: two runs of the same machine go beyond by chance once in some hundred times.
constexpr double kLimit = 3;

double quantile(const Samples& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double part = at - static_cast<double>(below);
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

struct Middle {
  double median = 0, error = 0;  ///< error: standard error of the median
};

Middle middle_of(Samples samples) {
  std::ranges::sort(samples);
  Middle out{quantile(samples, 0.5), 0};
  // As a standard deviation, were the noise normal.
  const double by_quartiles = (quantile(samples, 0.75) - quantile(samples, 0.25)) / 1.349;
  for (double& sample : samples) sample = std::fabs(sample - out.median);
  std::ranges::sort(samples);
  const double by_deviations = 1.4826 * quantile(samples, 0.5);
  const auto count = static_cast<double>(samples.size());
  // The median of normal noise strays 1.2533 times as far as the mean.
  out.error = 1.2533 * std::max(by_quartiles, by_deviations) / std::sqrt(count);
  return out;
}

bool medians_differ(const Samples& before, const Samples& after) {
  const Middle was = middle_of(before), now = middle_of(after);
  // A spread that was guessed from few samples is itself uncertain.
  const auto fewer = static_cast<double>(std::min(before.size(), after.size()));
  const double limit = kLimit * (1 + 2 / fewer);
  return std::fabs(now.median - was.median) > limit * std::hypot(was.error, now.error);
}

bool ranks_differ(const Samples& before, const Samples& after) {
  const auto n = static_cast<double>(before.size()), m = static_cast<double>(after.size());
  std::map<double, std::pair<double, double>> counts;  // value -> how often before, after
  for (const double sample : before) ++counts[sample].first;
  for (const double sample : after) ++counts[sample].second;
  double above = 0, lower = 0, ties = 0;  // above: pairs of which the later is the larger
  for (const auto& [value, count] : counts) {
    const auto [was, now] = count;
    above += now * (lower + was / 2);
    lower += was;
    ties += std::pow(was + now, 3) - (was + now);
  }
  const double half = n * m / 2, all = n + m;
  const double deviation = std::sqrt(n * m / 12 * (all + 1 - ties / (all * (all - 1))));
  if (deviation <= 0) return false;  // all are equal
  // Few samples cannot be far apart in ranks; then most of what is possible has to do.
  const double possible = half / std::sqrt(n * m / 12 * (all + 1));
  return std::fabs(above - half) / deviation > std::min(kLimit, 0.6 * possible);
}

}  // namespace

bool samples_differ(const Samples& before, const Samples& after) {
  const auto number = [](double sample) { return std::isfinite(sample); };
  if (before.size() < kFewest || after.size() < kFewest) return true;
  if (!std::ranges::all_of(before, number) || !std::ranges::all_of(after, number)) return true;
  return medians_differ(before, after) && ranks_differ(before, after);
}

}  // namespace rocvet
