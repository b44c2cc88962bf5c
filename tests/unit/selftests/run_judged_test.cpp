#include "selftests/judge/run_judged.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace rocvet {
namespace {

using Runs = std::vector<std::vector<TestResult>>;

TestResult copied(double gbs, const char* id = "bandwidth.bidir", const char* device = "cuda:0") {
  TestResult one;
  one.id = id;
  one.device = device;
  one.verdict = Verdict::pass;
  one.verification = Verification{};
  one.performance.emplace();
  one.performance->unit = "GB/s";
  one.performance->median = one.performance->min = one.performance->max = gbs;
  one.performance->samples = {gbs};
  one.gpu.name = "NVIDIA H200";
  one.gpu.arch = "sm_90";
  one.gpu.compute_units = 132;
  return one;
}

struct Run {
  std::vector<TestResult> results;
  std::vector<TestRequest> asked;
};
/// What each call of the runner gives, in turn.
Run run(Runs given) {
  Run out;
  const auto results =
      run_judged({}, Machine{}, Database::embedded(), PerformanceData::embedded(),
                 [&](const TestRequest& request) -> Result<std::vector<TestResult>> {
                   out.asked.push_back(request);
                   REQUIRE(out.asked.size() <= given.size());
                   return given[out.asked.size() - 1];
                 });
  REQUIRE(results);
  out.results = *results;
  return out;
}

bool tells(const TestResult& result, const char* words) {
  return std::ranges::any_of(result.evidence, [&](const std::string& line) {
    return line.find(words) != std::string::npos;
  });
}

TEST_CASE("a figure as it should be is measured once") {
  const Run one = run({{copied(100)}});
  CHECK(one.asked.size() == 1);
  CHECK(one.results[0].verdict == Verdict::pass);
  CHECK_FALSE(tells(one.results[0], "measured twice"));
}

TEST_CASE("a shortfall that does not come again is no fault, and is told") {
  const Run one = run({{copied(80), copied(4250, "bandwidth.copy")}, {copied(100)}});
  REQUIRE(one.asked.size() == 2);
  CHECK(one.asked[1].ids == std::vector<std::string>{"bandwidth.bidir"});
  CHECK(one.asked[1].devices == std::vector<std::string>{"cuda:0"});
  CHECK(one.results[0].verdict == Verdict::pass);
  CHECK(one.results[0].performance->median == 100);
  CHECK(tells(one.results[0], "measured twice: 80.0 GB/s, then 100 GB/s"));
  CHECK_FALSE(tells(one.results[1], "measured twice"));
}

TEST_CASE("a shortfall that comes again stays one, with the better figure") {
  const Run one = run({{copied(80)}, {copied(78)}});
  CHECK(one.results[0].verdict != Verdict::pass);
  CHECK(one.results[0].performance->median == 80);
  CHECK(tells(one.results[0], "measured twice: 80.0 GB/s, then 78.0 GB/s"));
}

TEST_CASE("what is wrong the second time is wrong; what gives no answer changes nothing") {
  TestResult wrong = copied(100);
  wrong.verdict = Verdict::fail;
  wrong.performance.reset();
  wrong.summary = "wrong";
  CHECK(run({{copied(80)}, {wrong}}).results[0].summary == "wrong");
  wrong.verdict = Verdict::unknown;
  const Run cut = run({{copied(80)}, {wrong}});
  CHECK(cut.results[0].verdict != Verdict::pass);
  CHECK(cut.results[0].performance->median == 80);
}

TEST_CASE("where everything falls short nothing is measured again") {
  const Run one = run({{copied(10), copied(10, "bandwidth.h2d"), copied(10, "bandwidth.d2h"),
                        copied(400, "bandwidth.copy")}});
  CHECK(one.asked.size() == 1);
  CHECK(std::ranges::none_of(
      one.results, [](const TestResult& result) { return result.verdict == Verdict::pass; }));
}

}  // namespace
}  // namespace rocvet
