#include "report/compare.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "selftests/result.h"
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

/// Samples as a run records them: normal noise, a fixed seed.
std::vector<double> noisy(std::mt19937_64& random, double median, double noise, int count = 20) {
  std::normal_distribution<double> normal;
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) samples.push_back(median * (1 + noise * normal(random)));
  return samples;
}

TestResult run_of(std::vector<double> samples, bool higher_is_better = true) {
  Measurement measurement;
  measurement.metric = "copy";
  measurement.unit = higher_is_better ? "GB/s" : "us";
  measurement.higher_is_better = higher_is_better;
  measurement.samples = std::move(samples);
  worker::Measured event;
  event.test = higher_is_better ? "bandwidth.copy" : "launch.latency";
  event.measurement = std::move(measurement);
  return result_of("hip:0", event);
}

TestResult speed(double median, double noise, bool higher_is_better = true) {
  std::mt19937_64 random(7);
  std::vector<double> samples = noisy(random, 1, noise);
  std::vector<double> sorted = samples;
  std::ranges::sort(sorted);
  for (double& sample : samples) sample *= median / ((sorted[9] + sorted[10]) / 2);
  return run_of(samples, higher_is_better);
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

TEST_CASE("a speed counts when it changed by more than 5 % and more than chance") {
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

TEST_CASE("a planted slowdown is seen in spite of stray samples, in the right direction") {
  for (const bool higher_is_better : {true, false}) {
    for (const double noise : {0.01, 0.03}) {
      for (const double loss : {0.05, 0.10, 0.40}) {
        for (int strays = 0; strays <= 2; ++strays) {
          for (const double stray : {0.2, 5.0}) {  // far too slow, far too fast
            for (unsigned seed = 0; seed < 20; ++seed) {
              CAPTURE(higher_is_better);
              CAPTURE(noise);
              CAPTURE(loss);
              CAPTURE(strays);
              CAPTURE(stray);
              CAPTURE(seed);
              std::mt19937_64 random(seed);
              const double after = higher_is_better ? 1 - loss : 1 / (1 - loss);
              std::vector<double> was = noisy(random, 100, noise),
                                  now = noisy(random, 100 * after, noise);
              for (int i = 0; i < strays; ++i) (i == 0 ? now : was)[5] *= stray;
              const auto change =
                  speed_change(run_of(was, higher_is_better), run_of(now, higher_is_better));
              // 5 % of a run that strays by 3 % is at the edge of what 20 samples can tell.
              if (loss > 0.05 || noise < 0.03) REQUIRE(change.has_value());
              if (change) CHECK(*change == doctest::Approx(-loss).epsilon(noise / loss));
              const auto differences =
                  of_speeds(run_of(was, higher_is_better), run_of(now, higher_is_better));
              if (loss < 0.10) continue;  // 5 % is where differences begin to be listed
              REQUIRE(differences.size() == 1);
              CHECK(differences[0].direction == Direction::worse);
              const auto back =
                  of_speeds(run_of(now, higher_is_better), run_of(was, higher_is_better));
              REQUIRE(back.size() == 1);
              CHECK(back[0].direction == Direction::better);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("two runs of the same machine raise at most 2 alarms in 200") {
  struct Kind {
    const char* name;
    int count;
    double (*draw)(std::mt19937_64&);
  };
  const auto normal = [](std::mt19937_64& random) {
    return std::normal_distribution<double>(0, 1)(random);
  };
  static const auto kNormal = normal;
  const Kind kinds[] = {
      {"low noise", 20, [](std::mt19937_64& r) { return 100 * (1 + 0.01 * kNormal(r)); }},
      {"medium noise", 20, [](std::mt19937_64& r) { return 100 * (1 + 0.05 * kNormal(r)); }},
      {"high noise", 20, [](std::mt19937_64& r) { return 100 * (1 + 0.15 * kNormal(r)); }},
      {"medium noise, few samples", 7,
       [](std::mt19937_64& r) { return 100 * (1 + 0.05 * kNormal(r)); }},
      {"heavy tails", 20,
       [](std::mt19937_64& r) { return 100 + 5 * std::student_t_distribution<double>(3)(r); }},
      {"long tail of a latency", 20, [](std::mt19937_64& r) { return std::exp(0.2 * kNormal(r)); }},
      {"a coarse clock", 20, [](std::mt19937_64& r) { return std::round(4.5 + 0.6 * kNormal(r)); }},
      {"two clock states", 20,
       [](std::mt19937_64& r) {
         return 100 + kNormal(r) - (std::bernoulli_distribution(0.4)(r) ? 15 : 0);
       }},
  };
  for (const Kind& kind : kinds) {
    std::mt19937_64 random(20261121);
    int alarms = 0;
    for (int i = 0; i < 200; ++i) {
      std::vector<double> was, now;
      for (int n = 0; n < kind.count; ++n) {
        was.push_back(kind.draw(random));
        now.push_back(kind.draw(random));
      }
      alarms += !of_speeds(run_of(was), run_of(now)).empty();
    }
    CAPTURE(kind.name);
    CHECK(alarms <= 2);
  }
}

TEST_CASE("too few samples say nothing of the noise") {
  CHECK(of_speeds(run_of({100}), run_of({60})).size() == 1);
  CHECK(of_speeds(run_of({100, 101, 99}), run_of({60, 61, 59})).size() == 1);
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
