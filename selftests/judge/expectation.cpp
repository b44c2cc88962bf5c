#include "selftests/judge/expectation.h"

#include <algorithm>

#include "base/text.h"

namespace rocvet {
namespace {

constexpr double kHealthyOfTypical =
    0.88;  // run-to-run and card-to-card spread of published streams
constexpr double kFloorOfTypical = 0.75;
constexpr double kLowestMargin = 0.97;
// What is left of a figure at boost clocks once the part is warm: AMD's "Measuring max-achievable
// FLOPs, part 2" saw more than a quarter between the two.
constexpr double kSustainedShare = 0.75;
constexpr double kShortestLaunch_s =
    30e-6;  // shorter at peak: launch and tail effects decide, not the part

bool is_transfer(const std::string& test) {
  return test == "bandwidth.h2d" || test == "bandwidth.d2h" || test == "bandwidth.bidir";
}
bool is_stream(const std::string& test) {
  return test == "bandwidth.copy" || test == "bandwidth.triad" || test == "bandwidth.read" ||
         test == "bandwidth.write";
}
bool is_compute(const std::string& test) {
  return test.starts_with("gemm.") || test.starts_with("attention.") || test.starts_with("peak.");
}

/// PCIe data rate in one direction, GB/s: 8b/10b up to Gen2, 128b/130b from Gen3, flit mode at
/// Gen6.
double link_gb_per_s(double gts, int width) {
  const double coding = gts < 8 ? 0.8 : gts < 64 ? 128.0 / 130.0 : 0.98;
  return gts * width * coding / 8;
}

/// Compute scales at worst with the power that it is given.
double power_share(const Part& part) {
  if (!part.power_cap_w || !part.power_cap_default_w || *part.power_cap_default_w <= 0) return 1;
  return std::clamp(*part.power_cap_w / *part.power_cap_default_w, 0.1, 1.0);
}

std::string type_of(const std::string& test) {
  return test.substr(test.find('.') + 1);
}

std::string partition_text(const Part& part) {
  if (part.partition_share >= 1) return "";
  return "a partition of " + fixed(part.partition_share * 100, 0) + " % of the GPU";
}
std::string correction_text(const Part& part, const std::string& test) {
  std::string out = partition_text(part);
  if (is_compute(test) && power_share(part) < 1) {
    out += (out.empty() ? "" : ", ") + std::string("power cap ") + fixed(*part.power_cap_w, 0) +
           " of " + fixed(*part.power_cap_default_w, 0) + " W";
  }
  return out;
}

}  // namespace

std::optional<double> theoretical_peak(const Part& part, const std::string& test,
                                       const PerformanceData& data) {
  if (is_transfer(test)) {
    // On an APU host and device share the memory: the link says nothing.
    if (part.apu || !part.link_gts || !part.link_width) return std::nullopt;
    return link_gb_per_s(*part.link_gts, *part.link_width) * (test == "bandwidth.bidir" ? 2 : 1);
  }
  if (is_stream(test)) {
    if (!part.memory_gbs) return std::nullopt;
    return *part.memory_gbs * part.partition_share;
  }
  if (is_compute(test)) {
    const auto rate = data.rate(part.gfx, type_of(test));
    if (!rate || !part.compute_units || !part.clock_mhz) return std::nullopt;
    return *part.compute_units * *part.clock_mhz * *rate / 1e6;
  }
  return std::nullopt;
}

std::optional<RatioExpectation> expect_from_others(const Part& part, const Observation& observation,
                                                   const PerformanceData& data) {
  /// What a unit's code can issue in a clock, in the unit of the rates.
  const auto reach = [&](const std::string& test, double balance) -> std::optional<double> {
    const auto rate = data.rate(part.gfx, type_of(test));
    if (!rate) return std::nullopt;
    return *rate * data.issue_share(part.gfx, test) * balance;
  };
  const auto own = reach(observation.test, observation.balance);
  if (!own || !observation.clock_mhz || observation.library) return std::nullopt;
  std::optional<RatioExpectation> most;
  for (const RatioRule* rule : data.ratios(part.gfx, observation.test)) {
    for (const OtherFigure& other : observation.others) {
      if (other.test != rule->of) continue;
      const auto its = reach(other.test, other.balance);
      if (!its || !other.clock_mhz) continue;
      const double clocks = std::min(1.0, *observation.clock_mhz / *other.clock_mhz);
      const double typical = other.value * *own / *its * clocks;
      if (!most || rule->least * typical > most->healthy)
        most = {&other, typical, rule->least * typical};
    }
  }
  return most;
}

std::optional<Expectation> expect(const Part& part, const Observation& observation,
                                  const PerformanceData& data, double work) {
  const std::string& test = observation.test;
  const auto peak = theoretical_peak(part, test, data);
  if (peak && is_compute(test) && work > 0 && work / (*peak * 1e12) < kShortestLaunch_s)
    return std::nullopt;
  const double power = is_compute(test) ? power_share(part) : 1;
  Expectation expectation;
  expectation.correction = correction_text(part, test);
  if (const PerformanceFigure* figure =
          data.figure(part.name, test, observation.library, observation.regime)) {
    double share =
        is_stream(test) || is_compute(test) ? part.partition_share * power / figure->share : 1;
    const bool cooler = figure->regime == "quick" && observation.regime != "quick";
    if (cooler && is_compute(test)) {
      share *= kSustainedShare;
      expectation.correction += (expectation.correction.empty() ? "" : ", ") +
                                std::string("steady state: known at boost clocks only");
    }
    expectation.typical = figure->typical * share;
    expectation.healthy = kHealthyOfTypical * expectation.typical;
    if (figure->lowest)
      expectation.healthy = std::min(expectation.healthy, kLowestMargin * *figure->lowest * share);
    // Others' programs may have been slow: what parts of its kind do must be done here as well.
    const EfficiencyBand* kind = data.band(part.gfx, test, observation.library);
    if (!figure->calibrated() && is_stream(test) && peak && kind != nullptr) {
      const double lowest = kLowestMargin * figure->lowest.value_or(figure->typical) * share;
      expectation.healthy = std::min(std::max(expectation.healthy, kind->healthy * *peak), lowest);
    }
    if (figure->healthy) expectation.healthy = *figure->healthy * share;
    expectation.floor = std::min(kFloorOfTypical * expectation.typical, expectation.healthy);
    expectation.basis = figure->calibrated() ? "calibrated" : "published";
    expectation.source = figure->source;
    if (figure->floor && figure->calibrated()) expectation.floor = *figure->floor * share;
    return expectation;
  }
  const bool clock_read = is_compute(test) && observation.clock_mhz && part.clock_mhz;
  const EfficiencyBand* band = data.band(part.gfx, test, observation.library, clock_read);
  if (!peak || band == nullptr) return std::nullopt;
  double reachable = *peak;
  if (is_compute(test) && !observation.library)
    reachable *= data.issue_share(part.gfx, test) * observation.balance;
  if (band->at_clock) {
    expectation.correction = partition_text(part);
    // The clock is what power, heat and whoever set them made of it: no further correction.
    reachable *= *observation.clock_mhz / *part.clock_mhz;
    expectation.clock_mhz = observation.clock_mhz;
  } else {
    reachable *= power;
  }
  if (work > 0) {  // a short launch waits for its beginning and its end
    const double busy_us = work / (band->typical * reachable * 1e12) * 1e6;
    reachable *= busy_us / (busy_us + band->launch_us);
  }
  expectation.typical = band->typical * reachable;
  expectation.healthy = band->healthy * reachable;
  expectation.floor = band->floor * reachable;
  expectation.basis = "theoretical";
  expectation.source = band->source;
  return expectation;
}

}  // namespace rocvet
