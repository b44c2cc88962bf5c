#include "selftests/judge/run_judged.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "selftests/judge/judge_results.h"
#include "selftests/worker/interruption.h"

namespace rocvet {
namespace {

constexpr std::size_t kMostAgain = 3;  // of one device

using Results = std::vector<TestResult>;

/// A right answer whose figure the judge found too low.
bool falls_short(const TestResult& measured, const TestResult& judged) {
  return measured.verdict == Verdict::pass && measured.performance &&
         (judged.verdict == Verdict::warn || judged.verdict == Verdict::fail);
}

/// Places of the results to be measured again.
std::vector<std::size_t> too_slow(const Results& measured, const Results& judged) {
  std::map<std::string, std::vector<std::size_t>> by_device;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (falls_short(measured[i], judged[i])) by_device[measured[i].device].push_back(i);
  }
  std::vector<std::size_t> places;
  for (const auto& [device, slow] : by_device) {
    if (slow.size() <= kMostAgain) places.insert(places.end(), slow.begin(), slow.end());
  }
  return places;
}

/// What to run for them. A device may get a test that only another one needs: its result is not
/// used.
TestRequest request_for(const TestRequest& request, const Results& measured,
                        const std::vector<std::size_t>& places) {
  std::set<std::string> ids, devices;
  for (const std::size_t place : places) {
    ids.insert(measured[place].id);
    devices.insert(measured[place].device);
  }
  TestRequest again = request;
  again.of = TestRequest::Of::all;
  again.ids.assign(ids.begin(), ids.end());
  again.devices.assign(devices.begin(), devices.end());
  return again;
}

std::string figure(const TestResult& result) {
  return short_number(result.performance->median) + " " + result.performance->unit;
}

/// The better of two right answers; both figures become evidence. What went wrong the second time
/// is what counts.
void take_second(TestResult& first, const TestResult& second) {
  if (second.verdict != Verdict::pass || !second.performance) {
    if (second.verdict == Verdict::fail) first = second;
    return;
  }
  const std::string both = "measured twice: " + figure(first) + ", then " + figure(second);
  const bool better = first.higher_is_better
                          ? second.performance->median > first.performance->median
                          : second.performance->median < first.performance->median;
  if (better) first = second;
  first.evidence.push_back(both);
}

}  // namespace

Result<Results> run_judged(const TestRequest& request, const Machine& machine,
                           const Database& database, const PerformanceData& performance,
                           const SelfTestRunner& run) {
  auto results = run(request);
  if (!results) return results.error();
  Results measured = std::move(*results);
  Results judged = measured;
  judge_results(judged, machine, database, performance);
  const std::vector<std::size_t> places = too_slow(measured, judged);
  if (places.empty() || worker::Interruption::seen()) return judged;
  const auto again = run(request_for(request, measured, places));
  if (!again) return judged;
  for (const std::size_t place : places) {
    TestResult& first = measured[place];
    const auto second = std::ranges::find_if(*again, [&](const TestResult& other) {
      return other.id == first.id && other.device == first.device;
    });
    if (second != again->end()) take_second(first, *second);
  }
  judge_results(measured, machine, database, performance);
  return measured;
}

}  // namespace rocvet
