#include "selftests/soak/judge_soak.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/median.h"
#include "base/text.h"

namespace rocvet {
namespace {

constexpr double kLeastLoss = 0.03;
constexpr std::size_t kFewestInQuarter = 3;
constexpr double kErrors = 4;  ///< of hundreds of tests on healthy GPUs none is to be alarmed of

/// As a standard deviation, were the noise normal.
double deviation(std::vector<double> distances) {
  constexpr double kNormal = 1.4826;
  for (double& one : distances) one = std::fabs(one);
  return kNormal * median(std::move(distances));
}

/// Of the figures, by the deviations in the quarters or by the steps, whichever says more.
double spread_of(const std::vector<double>& all, const std::vector<double>& first,
                 const std::vector<double>& last) {
  std::vector<double> within, steps;
  for (const std::vector<double>* quarter : {&first, &last}) {
    const double middle = median(*quarter);
    for (const double figure : *quarter) within.push_back(figure - middle);
  }
  for (std::size_t i = 1; i < all.size(); ++i) steps.push_back(all[i] - all[i - 1]);
  return std::max(deviation(within), deviation(steps) / std::sqrt(2.0));
}

std::string percent(double share) {
  return fixed(100 * share, 1) + " %";
}

std::string rounds_text(int rounds) {
  return std::to_string(rounds) + (rounds == 1 ? " round" : " rounds");
}

/// The periods of a stretch, and something of each that has it.
struct Stretch {
  const std::vector<SoakPeriod>& periods;
  std::size_t begin, end;

  std::optional<double> middle(std::optional<double> SoakPeriod::*field) const {
    std::vector<double> values;
    for (std::size_t i = begin; i < end; ++i) {
      if (periods[i].*field) values.push_back(*(periods[i].*field));
    }
    return values.empty() ? std::nullopt : std::optional<double>(median(values));
  }
  double share_with(const std::string& reason) const {
    const auto has = [&](const SoakPeriod& period) {
      return std::ranges::find(period.throttle, reason) != period.throttle.end();
    };
    const auto from = periods.begin();
    const auto count = std::count_if(from + static_cast<std::ptrdiff_t>(begin),
                                     from + static_cast<std::ptrdiff_t>(end), has);
    return static_cast<double>(count) / static_cast<double>(end - begin);
  }
};

/// What rose, or fell, with the figure; "" for nothing.
std::string what_went_with_it(const SoakGpu& gpu, const SoakEnds& ends) {
  constexpr double kWarmer_c = 3, kMoreOften = 0.25, kSlower = 0.01;
  const Stretch first{gpu.periods, ends.first_begin, ends.first_end};
  const Stretch last{gpu.periods, ends.last_begin, gpu.periods.size()};
  std::vector<std::string> reasons;
  const auto warmer = [&](std::optional<double> SoakPeriod::*field, const char* what) {
    const auto was = first.middle(field), is = last.middle(field);
    if (was && is && *is - *was >= kWarmer_c) {
      reasons.push_back(std::string(what) + " rose from " + fixed(*was, 0) + " to " +
                        fixed(*is, 0) + " °C");
    }
  };
  warmer(&SoakPeriod::temperature_c, "the temperature");
  warmer(&SoakPeriod::memory_temperature_c, "that of the memory");
  for (const char* reason : {"thermal", "power", "current", "other"}) {
    const double was = first.share_with(reason), is = last.share_with(reason);
    if (is - was >= kMoreOften) {
      reasons.push_back("the firmware throttled it (" + std::string(reason) + ") in " +
                        fixed(100 * is, 0) + " % of the time, before in " + fixed(100 * was, 0) +
                        " %");
    }
  }
  const auto slower = [&](std::optional<double> SoakPeriod::*field, const char* what) {
    const auto was = first.middle(field), is = last.middle(field);
    const bool fell = was && is && *is < (1 - kSlower) * *was;
    if (fell) {
      reasons.push_back(std::string(what) + " fell from " + fixed(*was, 0) + " to " +
                        fixed(*is, 0) + " MHz");
    }
    return fell;
  };
  if (!slower(&SoakPeriod::counted_clock_mhz, "the engine clock"))
    slower(&SoakPeriod::clock_mhz, "the engine clock");
  return join(reasons, ", ");
}

std::string loss_text(const SoakTest& test, const SoakGpu& gpu, const SoakEnds& ends) {
  const std::string why = what_went_with_it(gpu, ends);
  return "its figure got worse by " + percent(ends.loss) + " (" + short_number(ends.first) +
         " at first, " + short_number(ends.last) + " " + test.unit +
         " at the end): " + (why.empty() ? "nothing that could be read went with it" : why);
}

std::string right_text(const SoakTest& test) {
  return rounds_text(test.rounds) + " right" +
         (test.same_bits.value_or(false) && test.rounds > 1 ? ", the same bits in each" : "");
}

void judge_test(SoakTest& test, const SoakGpu& gpu) {
  const auto say = [&](Verdict verdict, std::string summary) {
    test.verdict = verdict;
    test.summary = std::move(summary);
  };
  if (test.errors > 0) {
    const auto first = std::ranges::find_if(gpu.errors, [&](const SoakError& error) {
      return !error.counted && error.test == test.id;
    });
    std::string where;
    if (first != gpu.errors.end())
      where = ", the first in " + minute_text(first->at_s) + ": " + first->what;
    return say(Verdict::fail,
               std::to_string(test.errors) + " of " + rounds_text(test.rounds) + " failed" + where);
  }
  if (test.rounds == 0) {
    if (!test.not_run.empty()) return say(test.verdict, test.not_run);
    // That the device was given up counts for itself.
    if (!gpu.ended.empty()) return say(Verdict::skip, "not run: the device was given up");
    return say(Verdict::unknown, "not run: the time was over before its turn");
  }
  if (test.unit.empty()) return say(Verdict::pass, right_text(test));
  const auto ends = compare_ends(test.median, test.higher_is_better);
  if (!ends) {
    return say(Verdict::unknown, right_text(test) +
                                     "; too few, over too short a time, to tell whether its "
                                     "figure gets worse");
  }
  if (ends->loss > ends->limit)
    return say(Verdict::warn, right_text(test) + ", but " + loss_text(test, gpu, *ends));
  say(Verdict::pass, right_text(test) + "; " + short_number(ends->first) + " at first, " +
                         short_number(ends->last) + " " + test.unit + " at the end");
}

std::uint64_t sum_of(const SoakGpu& gpu, std::optional<std::uint64_t> SoakPeriod::*field,
                     bool& known) {
  std::uint64_t sum = 0;
  for (const SoakPeriod& period : gpu.periods) {
    if (!(period.*field)) continue;
    known = true;
    sum += *(period.*field);
  }
  return sum;
}

void judge_counters(SoakGpu& gpu) {
  const auto say = [&](Verdict verdict, std::string summary) {
    gpu.counters = verdict;
    gpu.counters_summary = std::move(summary);
  };
  bool memory_known = false, link_known = false;
  const std::uint64_t corrected = sum_of(gpu, &SoakPeriod::corrected, memory_known);
  const std::uint64_t uncorrected = sum_of(gpu, &SoakPeriod::uncorrected, memory_known);
  const std::uint64_t replays = sum_of(gpu, &SoakPeriod::pcie_replays, link_known);
  std::vector<std::string> seen;
  if (memory_known) {
    seen.push_back(std::to_string(corrected) + " corrected, " + std::to_string(uncorrected) +
                   " uncorrectable errors");
  }
  // A link may repeat a packet now and then: the standard allows a bit error in 10^12.
  if (link_known) seen.push_back(std::to_string(replays) + " PCIe replays");
  const std::string text = join(seen, ", ");
  if (uncorrected > 0) {
    const auto said = std::ranges::find(gpu.errors, true, &SoakError::counted);
    return say(Verdict::fail,
               text + (said == gpu.errors.end() ? std::string()
                                                : ", the first in " + minute_text(said->at_s) +
                                                      " during " + said->test));
  }
  if (corrected > 0) return say(Verdict::warn, text);
  if (gpu.counters_unread)
    return say(Verdict::unknown,
               "could not be read to the end" + (text.empty() ? "" : ": " + text));
  if (!memory_known) {
    return say(Verdict::skip,
               "no counter of memory errors can be read here" + (text.empty() ? "" : "; " + text));
  }
  say(Verdict::pass, text);
}

}  // namespace

std::optional<SoakEnds> compare_ends(const PerPeriod& figures, bool higher_is_better) {
  std::vector<double> values;
  std::vector<std::size_t> places;  // the period of each
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (!figures[i] || !std::isfinite(*figures[i])) continue;
    values.push_back(*figures[i]);
    places.push_back(i);
  }
  const std::size_t warm_up = std::max<std::size_t>(1, values.size() / 10);
  if (values.size() < warm_up + 4 * kFewestInQuarter) return std::nullopt;
  const std::size_t quarter = (values.size() - warm_up) / 4;
  const auto at = [&](std::size_t place) {
    return values.begin() + static_cast<std::ptrdiff_t>(place);
  };
  const std::vector<double> kept(at(warm_up), values.end());
  const std::vector<double> first(at(warm_up), at(warm_up + quarter));
  const std::vector<double> last(at(values.size() - quarter), values.end());
  SoakEnds ends;
  ends.first = median(first);
  ends.last = median(last);
  if (!(ends.first > 0)) return std::nullopt;
  ends.loss = (higher_is_better ? ends.first - ends.last : ends.last - ends.first) / ends.first;
  // The median of normal noise strays 1.2533 times as far as the mean.
  const double error = 1.2533 * spread_of(kept, first, last) *
                       std::sqrt(2.0 / static_cast<double>(quarter)) / ends.first;
  ends.limit = std::max(kLeastLoss, kErrors * error);
  ends.first_begin = places[warm_up];
  ends.first_end = places[warm_up + quarter];
  ends.last_begin = places[values.size() - quarter];
  return ends;
}

void judge_soak(Soak& soak) {
  for (SoakGpu& gpu : soak.gpus) {
    for (SoakTest& test : gpu.tests) judge_test(test, gpu);
    judge_counters(gpu);
  }
}

}  // namespace rocvet
