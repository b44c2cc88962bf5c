#include "selftests/judge/judge.h"

#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "base/text.h"

namespace rocvet {
namespace {

constexpr double kZLimit = 3.5;
constexpr double kPeerMargin = 0.90;
constexpr std::size_t kFewestPeers = 2;

std::string percent(double value, double of) {
  return fixed(100 * value / of, 0) + " %";
}
std::string of_healthy(double value, const Expectation& expectation) {
  return percent(value, expectation.typical) + " of what healthy parts do (" + expectation.basis +
         (expectation.clock_mhz ? ", at " + fixed(*expectation.clock_mhz, 0) + " MHz)" : ")");
}

/// Things that happen to a healthy part: worth a warning, never a failure of the hardware.
bool excusable(const std::vector<ShortfallReason>& explanations) {
  static const std::vector<std::string> kOutside = {
      "debug-environment", "small-transfer", "shared-host",       "other-process",
      "power-cap",         "clock-pinned",   "library-regression"};
  return std::count(kOutside.begin(), kOutside.end(), explanations.front().id) > 0;
}

}  // namespace

bool below_peers(double value, const std::vector<double>& peers) {
  if (peers.size() < kFewestPeers) return false;
  const double middle = median(peers);
  if (value >= kPeerMargin * middle) return false;
  std::vector<double> deviations;
  for (const double peer : peers) deviations.push_back(std::fabs(peer - middle));
  const double spread = median(deviations);
  if (spread <= 0) return true;
  return 0.6745 * (middle - value) / spread > kZLimit;
}

/// A figure that is like no other fault: low beside what the same kernel does in another type.
std::optional<ShortfallReason> below_its_like(const Part& part, const Observation& observation,
                                              const PerformanceData& data) {
  const auto ratio = expect_from_others(part, observation, data);
  if (!ratio || observation.value >= ratio->healthy) return std::nullopt;
  return ShortfallReason{"below-its-like", percent(observation.value, ratio->typical) +
                                               " of what " + ratio->of->test + " (" +
                                               fixed(ratio->of->value, 1) + " " + ratio->of->unit +
                                               ") lets expect of the same code at this clock"};
}

Judgement judge(const Part& part, const Observation& observation, const Telemetry& telemetry,
                const PerformanceData& data, double work) {
  Judgement out;
  out.expectation = expect(part, observation, data, work);
  const bool low_among_peers = below_peers(observation.value, observation.peers);
  auto low_beside_others = below_its_like(part, observation, data);
  if (!out.expectation && !low_among_peers && !low_beside_others) {
    out.summary = observation.peers.size() < kFewestPeers
                      ? "measured, nothing to compare with"
                      : "like its peers; no expectation for this part";
    return out;
  }
  const Expectation* expectation = out.expectation ? &*out.expectation : nullptr;
  const bool below_floor = expectation != nullptr && observation.value < expectation->floor;
  const bool below_healthy = expectation != nullptr && observation.value < expectation->healthy;
  if (!below_healthy && !low_among_peers) {
    if (expectation != nullptr) out.summary = of_healthy(observation.value, *expectation);
    if (low_beside_others) {
      out.verdict = Verdict::warn;
      out.summary += (out.summary.empty() ? "" : "; ") + low_beside_others->text;
      out.explanations.push_back(std::move(*low_beside_others));
      return out;
    }
    // Right for its clock: whether the clock is right is another question.
    if (!expectation->clock_mhz) return out;
    if (auto slow = explain_clock(part, observation, telemetry)) {
      out.verdict = Verdict::warn;
      out.summary += "; " + slow->text;
      out.explanations.push_back(std::move(*slow));
    }
    return out;
  }
  out.explanations = explain_shortfall(part, observation, telemetry, expectation);
  // Tested together they cannot all have what one has alone: nothing to warn of.
  const bool shared = out.explanations.front().id == "shared-host" && !low_among_peers;
  if (shared && !below_floor) {
    out.verdict = Verdict::pass;
  } else if (below_floor || low_among_peers) {
    out.verdict = excusable(out.explanations) ? Verdict::warn : Verdict::fail;
  } else {
    out.verdict = Verdict::warn;
  }
  out.summary = low_among_peers ? percent(observation.value, median(observation.peers)) +
                                      " of its peers in this machine"
                                : of_healthy(observation.value, *expectation);
  out.summary += ": " + out.explanations.front().text;
  return out;
}

}  // namespace rocvet
