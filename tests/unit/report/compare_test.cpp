#include "report/compare.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/report/sample_report.h"

using namespace rocvet;
using Direction = Difference::Direction;

namespace {

const Difference* find(const std::vector<Difference>& all, const std::string& what) {
  for (const Difference& difference : all) {
    if (difference.what.find(what) != std::string::npos) return &difference;
  }
  return nullptr;
}

TestResult speed(double median, double spread, bool higher_is_better = true) {
  TestResult result;
  result.id = "bandwidth.copy";
  result.device = "hip:0";
  result.verdict = Verdict::pass;
  result.higher_is_better = higher_is_better;
  result.performance = Performance{.metric = "copy",
                                   .unit = "GB/s",
                                   .median = median,
                                   .min = median * (1 - spread / 2),
                                   .max = median * (1 + spread / 2)};
  return result;
}

std::vector<Difference> of_speeds(const TestResult& was, const TestResult& now) {
  Report before, after;
  before.selftests = {was};
  after.selftests = {now};
  return compare_reports(before, after);
}

}  // namespace

TEST_CASE("a report is no different from itself") {
  CHECK(compare_reports(test::sample_report(), test::sample_report()).empty());
  CHECK(write_differences({}) == "no difference\n");
}

TEST_CASE("what failed and passes now is better, and the other way round worse") {
  Report broken = test::sample_report(), mended = test::sample_report();
  mended.checks[0].finding.verdict = Verdict::pass;
  mended.diagnosis.root_causes.clear();
  const auto better = compare_reports(broken, mended);
  REQUIRE(find(better, "RV102") != nullptr);
  CHECK(find(better, "RV102")->direction == Direction::better);
  CHECK(find(better, "user-not-in-render-group")->direction == Direction::better);
  const auto worse = compare_reports(mended, broken);
  CHECK(find(worse, "RV102")->direction == Direction::worse);
  CHECK(find(worse, "user-not-in-render-group")->direction == Direction::worse);
  CHECK(worse.front().direction == Direction::worse);
}

TEST_CASE("a check that no longer applies is no worse") {
  Report before = test::sample_report(), after = test::sample_report();
  before.checks[1].finding.verdict = Verdict::pass;
  after.checks[1].finding.verdict = Verdict::skip;
  CHECK(compare_reports(before, after).empty());
}

TEST_CASE("a speed counts when it changed by more than 5 % and more than its spread") {
  CHECK(of_speeds(speed(100, 0.01), speed(96, 0.01)).empty());
  CHECK(of_speeds(speed(100, 0.20), speed(90, 0.20)).empty());
  const auto slower = of_speeds(speed(100, 0.01), speed(90, 0.01));
  REQUIRE(slower.size() == 1);
  CHECK(slower[0].direction == Direction::worse);
  CHECK(slower[0].after == "90.0 GB/s (-10 %)");
  CHECK(of_speeds(speed(90, 0.01), speed(100, 0.01))[0].direction == Direction::better);
  CHECK(of_speeds(speed(100, 0, false), speed(90, 0, false))[0].direction == Direction::better);
  TestResult other_size = speed(50, 0.01);
  other_size.performance->metric = "copy, tiny";
  CHECK(of_speeds(speed(100, 0.01), other_size).empty());
}

TEST_CASE("facts of the machine that changed") {
  Report before = test::sample_report(), after = test::sample_report();
  before.machine.kernel.release = std::string("6.8.0-60-generic");
  after.machine.kernel.release = std::string("6.8.0-64-generic");
  after.machine.gpus.clear();
  const auto all = compare_reports(before, after);
  REQUIRE(find(all, "kernel") != nullptr);
  CHECK(find(all, "kernel")->before == "6.8.0-60-generic");
  CHECK(find(all, "kernel")->after == "6.8.0-64-generic");
  CHECK(find(all, "GPU 0000:03:00.0 target")->after.empty());
  const auto json = nlohmann::json::parse(write_differences_json(all));
  CHECK(json["schema"] == "rocvet.diff/1");
  CHECK(json["differences"].size() == all.size());
  CHECK(json["differences"][0]["direction"] == "changed");
}
